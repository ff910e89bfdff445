//go:build !purego

package wiretest

// usesMethods is true because this build of the library uses generated methods.
const usesMethods = true
