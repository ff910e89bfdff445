//go:build purego

package wiretest

// usesMethods says that this build of the library doesn't use generated methods.
const usesMethods = false
