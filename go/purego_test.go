//go:build purego

package polypack_test

const purego = true
