//go:build race || checkptr

package polypack_test

// instrumented: each memory access is checked, so tests of many rounds make do with fewer.
const instrumented = true
