//go:build !race && !checkptr

package polypack_test

const instrumented = false
