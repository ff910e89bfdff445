//go:build !purego

package wire

// Plan of the file: functions that package internal/wire has, too. They are almost too large for the compiler to
// inline, and a wrapper around them would exceed the limit. So this file repeats their common cases.

import (
	"unsafe"

	"github.com/polypack/polypack/go/internal/wire"
)

// Buffer returns an empty slice with a capacity of at least n bytes. Large memory isn't cleared.
func Buffer(n int) []byte {
	switch { // the compiler inlines allocations of a constant size
	case n <= 24:
		return new([24]byte)[:0]
	case n <= 32:
		return new([32]byte)[:0]
	}
	return wire.Allocate(n)
}

// PutInt writes int64(v) in the shortest form. Its parameter is a uint64, because a conversion inside would exceed the
// limit for inlining.
func PutInt(b wire.Base, n int, v uint64) int {
	if v+32 < 160 {
		*(*byte)(unsafe.Add(b, n)) = byte(v)
		return n + 1
	}
	return wire.PutWideInt(b, n, v)
}

// PutUint writes an int in the shortest form.
func PutUint(b wire.Base, n int, v uint64) int {
	if v < 128 {
		*(*byte)(unsafe.Add(b, n)) = byte(v)
		return n + 1
	}
	return wire.PutWideUint(b, n, v)
}
