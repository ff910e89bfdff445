//go:build race || checkptr

package polypack_test

// instrumented: each memory access is checked.
const instrumented = true
