//go:build !purego

package wiretest

// usesMethods says that this build of the library uses generated methods.
const usesMethods = true
