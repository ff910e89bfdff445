//go:build !purego

package wire

// Plan of the file: functions that write a slice of scalars or strings as an array. They reserve memory themselves, for
// many scalars at a time. They write a nil slice as an empty array, so callers must handle nil.

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"

	"github.com/polypack/polypack/go/internal/format"
)

// block is the largest number of ints for which a function reserves memory at once. If the memory that is left may be
// too small for the block, the function computes the length of the block and reserves only that. So a buffer that is
// large enough for the message usually doesn't grow.
const block = 256

// floatBlock is the largest number of floats for which a function reserves memory at once. With so few, the number of
// bytes can't overflow an int. All floats of a block have the same length, except NaN in Float32s, which reserves more
// for it.
const floatBlock = 1 << 20

// arrayHead writes the head of an array, and reserves the bytes for it.
func (w *Buffer) arrayHead(n, count int) int {
	w.Reserve(n, Scalar)
	return w.ArrayHead(n, count)
}

// Ints writes an array of ints.
func Ints[T ~int8 | ~int16 | ~int32 | ~int64 | ~int](w *Buffer, n int, s []T) int {
	n = w.arrayHead(n, len(s))
	for len(s) > 0 && n >= 0 {
		chunk := s[:min(block, len(s))]
		s = s[len(chunk):]
		if w.capacity-n < 9*len(chunk) {
			need := 8
			for _, v := range chunk {
				need += int(signedForm(int64(v)) >> 24)
			}
			w.Reserve(n, need)
		}
		base := w.base
		n, chunk = putUint32s(base, n, chunk)
		for _, v := range chunk {
			n = putWide(base, n, uint64(int64(v)), signedForm(int64(v)))
		}
	}
	return n
}

// Uints writes an array of ints.
func Uints[T ~uint16 | ~uint32 | ~uint64 | ~uint | ~uintptr](w *Buffer, n int, s []T) int {
	n = w.arrayHead(n, len(s))
	for len(s) > 0 && n >= 0 {
		chunk := s[:min(block, len(s))]
		s = s[len(chunk):]
		if w.capacity-n < 9*len(chunk) {
			need := 8
			for _, v := range chunk {
				need += int(unsignedForm(uint64(v)) >> 24)
			}
			w.Reserve(n, need)
		}
		base := w.base
		n, chunk = putUint32s(base, n, chunk)
		for _, v := range chunk {
			n = putWide(base, n, uint64(v), unsignedForm(uint64(v)))
		}
	}
	return n
}

// putUint32s writes ints from the start of s in groups of four. It stops at the first group in which an int needs
// another format than uint 32. It returns the new position and the ints that are left. The last store may write three
// bytes more than the ints need, which the caller has reserved. Many slices have only ints of this format, and this
// loop needs no look-up in intForms.
func putUint32s[T ~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint16 | ~uint32 | ~uint64 | ~uint | ~uintptr](base unsafe.Pointer, n int, s []T) (int, []T) {
	const least = 1 << 16
	for len(s) >= 4 {
		a, b, c, d := uint64(s[0]), uint64(s[1]), uint64(s[2]), uint64(s[3])
		if (a|b|c|d)>>32|((a-least)|(b-least)|(c-least)|(d-least))>>63 != 0 { // at least one needs another format
			break
		}
		put64(base, n, format.Uint32<<56|a<<24)
		put64(base, n+5, format.Uint32<<56|b<<24)
		put64(base, n+10, format.Uint32<<56|c<<24)
		put64(base, n+15, format.Uint32<<56|d<<24)
		n, s = n+4*5, s[4:]
	}
	return n, s
}

// putUint16s does what putUint32s does, for the format uint 16. It stores no more bytes than the ints need.
func putUint16s[T ~uint16](base unsafe.Pointer, n int, s []T) (int, []T) {
	const least = 1 << 8
	for len(s) >= 4 {
		a, b, c, d := uint64(s[0]), uint64(s[1]), uint64(s[2]), uint64(s[3])
		if ((a-least)|(b-least)|(c-least)|(d-least))>>63 != 0 { // at least one needs another format
			break
		}
		put64(base, n, format.Uint16<<56|a<<40|format.Uint16<<32|b<<16|format.Uint16<<8|c>>8)
		put32(base, n+8, uint32(c<<24|format.Uint16<<16|d))
		n, s = n+4*3, s[4:]
	}
	return n, s
}

// putWide writes an int without a branch. It always stores nine bytes, a head byte and eight bytes for the number. form
// says how many of them are kept.
func putWide(base unsafe.Pointer, n int, v uint64, form intForm) int {
	*(*byte)(unsafe.Add(base, n)) = byte(form) | byte(v)&byte(form>>8)
	binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(base, n+1))[:], v<<(form>>16&63))
	return n + int(form>>24)
}

// Uint16s writes an array of ints. For an int that putUint16s leaves, it stores four bytes and keeps one to three.
func Uint16s[T ~uint16](w *Buffer, n int, s []T) int {
	n = w.arrayHead(n, len(s))
	for len(s) > 0 && n >= 0 {
		chunk := s[:min(block, len(s))]
		s = s[len(chunk):]
		if w.capacity-n < 3*len(chunk)+1 {
			need := 3
			for _, v := range chunk {
				need += int(unsignedForm(uint64(v)) >> 24)
			}
			w.Reserve(n, need)
		}
		base := w.base
		n, chunk = putUint16s(base, n, chunk)
		for _, v := range chunk {
			form := intForms[uint8(bits.Len16(uint16(v)))]
			put32(base, n, uint32(byte(form)|byte(v)&byte(form>>8))<<24|uint32(uint16(v)<<(form>>16&15))<<8)
			n += int(form >> 24)
		}
	}
	return n
}

// Float64s writes an array of floats.
func Float64s[T ~float64](w *Buffer, n int, s []T) int {
	n = w.arrayHead(n, len(s))
	for len(s) > 0 && n >= 0 {
		chunk := s[:min(floatBlock, len(s))]
		s = s[len(chunk):]
		w.Reserve(n, 9*len(chunk))
		base := w.base
		for _, v := range chunk {
			*(*byte)(unsafe.Add(base, n)) = format.Float64
			if b := math.Float64bits(float64(v)); b<<1 <= format.Infinity<<1 {
				binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(base, n+1))[:], b)
			} else {
				binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(base, n+1))[:], format.CanonicalNaN)
			}
			n += 9
		}
	}
	return n
}

// Float32s writes an array of floats. NaN becomes a float 64, which takes nine bytes instead of five.
func Float32s[T ~float32](w *Buffer, n int, s []T) int {
	n = w.arrayHead(n, len(s))
	for len(s) > 0 && n >= 0 {
		chunk := s[:min(floatBlock, len(s))]
		s = s[len(chunk):]
		w.Reserve(n, 5*len(chunk))
		base := w.base
		for i, v := range chunk {
			if v != v {
				w.Reserve(n, Scalar+5*(len(chunk)-i))
				base = w.base
				n = w.Float64(n, math.NaN())
				continue
			}
			*(*byte)(unsafe.Add(base, n)) = format.Float32
			binary.BigEndian.PutUint32((*[4]byte)(unsafe.Add(base, n+1))[:], math.Float32bits(float32(v)))
			n += 5
		}
	}
	return n
}

// Bools writes an array of bools.
func Bools[T ~bool](w *Buffer, n int, s []T) int {
	n = w.arrayHead(n, len(s))
	if n < 0 {
		return n
	}
	w.Reserve(n, len(s))
	base := w.base
	for i, v := range s {
		head := byte(format.False)
		if v {
			head++
		}
		*(*byte)(unsafe.Add(base, n+i)) = head
	}
	return n + len(s)
}

// Strings writes an array of strs. The position is negative if one of the strs or the array is too long.
func Strings[T ~string](w *Buffer, n int, s []T) int {
	n = w.arrayHead(n, len(s))
	for i := 0; i < len(s) && n >= 0; i++ {
		text := string(s[i])
		if !IsShort(text) {
			w.ReserveFor(n, len(text), TextHead)
			n = PutString(w.base, n, text)
			continue
		}
		w.Reserve(n, 1+len(text))
		if len(text) >= 8 {
			n = PutWords(w.base, n, text)
		} else {
			n = PutHalves(w.base, n, text)
		}
	}
	return n
}
