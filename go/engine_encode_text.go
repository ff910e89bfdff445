//go:build !purego

package polypack

// Plan of the file: writing strings, and checking that they are UTF-8 in the modes Strict and Lossless
// (spec/09-modes.md).

import (
	"encoding/binary"
	"unicode/utf8"
	"unsafe"

	"github.com/polypack/polypack/go/internal/wire"
)

// text writes a string for which the caller has reserved enough bytes. It returns a negative position if the string is
// too long, or if it must be UTF-8 and isn't. It sets err only in the second case.
func (e *engineEncoder) text(n int, s string) int {
	if e.checked && !isUTF8(s) {
		return e.notUTF8(s)
	}
	return wire.PutString(e.Base(), n, s)
}

//go:noinline
func (e *engineEncoder) notUTF8(s string) int {
	e.err = hostTextNotUTF8(s)
	return failed
}

const highBits = 0x8080808080808080

// isUTF8 is utf8.ValidString, but faster for short ASCII. Most strings are short ASCII.
func isUTF8(s string) bool {
	p := unsafe.Pointer(unsafe.StringData(s))
	switch n := len(s); {
	case n > 16:
	case n >= 8: // two words, which may overlap
		first, last := binary.NativeEndian.Uint64((*[8]byte)(p)[:]), binary.NativeEndian.Uint64((*[8]byte)(unsafe.Add(p, n-8))[:])
		if (first|last)&highBits == 0 {
			return true
		}
	case n >= 4:
		first, last := binary.NativeEndian.Uint32((*[4]byte)(p)[:]), binary.NativeEndian.Uint32((*[4]byte)(unsafe.Add(p, n-4))[:])
		if (first|last)&(highBits&(1<<32-1)) == 0 {
			return true
		}
	case n > 0:
		if (s[0]|s[n/2]|s[n-1])&0x80 == 0 {
			return true
		}
	default:
		return true
	}
	return utf8.ValidString(s)
}

func areUTF8(all []string) bool {
	for _, s := range all {
		if !isUTF8(s) {
			return false
		}
	}
	return true
}
