//go:build purego

package wiretest

// usesMethods is false because this build of the library doesn't use generated methods.
const usesMethods = false
