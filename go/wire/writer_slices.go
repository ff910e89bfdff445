//go:build !purego

package wire

// Plan of the file: slices of scalars, head and elements, in loops without a check per element. They make room themselves; a nil
// slice is written as an empty array, so it is the caller who writes nil.

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"
)

// block is for how many elements room is made at once, as if each took the most. Where that room is not there, the block is
// measured: a buffer that has been allocated for a message of known length is not grown for bytes that nobody writes.
const block = 256

// floatBlock is the same for floats, whose room is never more than they take; it only keeps the room of a block within an int.
const floatBlock = 1 << 20

// arrayHead makes room for a head and writes it.
func (w *Writer) arrayHead(n, count int) int {
	w.Room(n, Scalar)
	return w.ArrayHead(n, count)
}

// Ints writes an array of ints.
func Ints[T ~int8 | ~int16 | ~int32 | ~int64 | ~int](w *Writer, n int, s []T) int {
	n = w.arrayHead(n, len(s))
	for len(s) > 0 && n >= 0 {
		chunk := s[:min(block, len(s))]
		s = s[len(chunk):]
		if w.capacity-n < 9*len(chunk) {
			need := 8
			for _, v := range chunk {
				need += int(signedForm(int64(v)) >> 24)
			}
			w.Room(n, need)
		}
		base := w.base
		for _, v := range chunk {
			n = putWide(base, n, uint64(int64(v)), signedForm(int64(v)))
		}
	}
	return n
}

// Uints writes an array of ints.
func Uints[T ~uint16 | ~uint32 | ~uint64 | ~uint | ~uintptr](w *Writer, n int, s []T) int {
	n = w.arrayHead(n, len(s))
	for len(s) > 0 && n >= 0 {
		chunk := s[:min(block, len(s))]
		s = s[len(chunk):]
		if w.capacity-n < 9*len(chunk) {
			need := 8
			for _, v := range chunk {
				need += int(unsignedForm(uint64(v)) >> 24)
			}
			w.Room(n, need)
		}
		base := w.base
		for _, v := range chunk {
			n = putWide(base, n, uint64(v), unsignedForm(uint64(v)))
		}
	}
	return n
}

// putWide is Writer.wide with the base in a register.
func putWide(base unsafe.Pointer, n int, v uint64, form intForm) int {
	*(*byte)(unsafe.Add(base, n)) = byte(form) | byte(v)&byte(form>>8)
	binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(base, n+1))[:], v<<(form>>16&63))
	return n + int(form>>24)
}

// Uint16s writes an array of ints. Head and number are one store of four bytes.
func Uint16s[T ~uint16](w *Writer, n int, s []T) int {
	n = w.arrayHead(n, len(s))
	for len(s) > 0 && n >= 0 {
		chunk := s[:min(block, len(s))]
		s = s[len(chunk):]
		if w.capacity-n < 3*len(chunk)+1 {
			need := 3
			for _, v := range chunk {
				need += int(unsignedForm(uint64(v)) >> 24)
			}
			w.Room(n, need)
		}
		base := w.base
		for _, v := range chunk {
			form := intForms[uint8(bits.Len16(uint16(v)))]
			word := uint32(byte(form)|byte(v)&byte(form>>8))<<24 | uint32(uint16(v)<<(form>>16&15))<<8
			binary.BigEndian.PutUint32((*[4]byte)(unsafe.Add(base, n))[:], word)
			n += int(form >> 24)
		}
	}
	return n
}

// Float64s writes an array of floats.
func Float64s[T ~float64](w *Writer, n int, s []T) int {
	n = w.arrayHead(n, len(s))
	for len(s) > 0 && n >= 0 {
		chunk := s[:min(floatBlock, len(s))]
		s = s[len(chunk):]
		w.Room(n, 9*len(chunk))
		base := w.base
		for _, v := range chunk {
			*(*byte)(unsafe.Add(base, n)) = headFloat64
			if b := math.Float64bits(float64(v)); b<<1 <= infinity<<1 {
				binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(base, n+1))[:], b)
			} else {
				binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(base, n+1))[:], canonicalNaN)
			}
			n += 9
		}
	}
	return n
}

// Float32s writes an array of floats; NaN takes nine bytes.
func Float32s[T ~float32](w *Writer, n int, s []T) int {
	n = w.arrayHead(n, len(s))
	for len(s) > 0 && n >= 0 {
		chunk := s[:min(floatBlock, len(s))]
		s = s[len(chunk):]
		w.Room(n, 5*len(chunk))
		base := w.base
		for i, v := range chunk {
			if v != v {
				w.Room(n, Scalar+5*(len(chunk)-i))
				base = w.base
				n = w.Float64(n, math.NaN())
				continue
			}
			*(*byte)(unsafe.Add(base, n)) = headFloat32
			binary.BigEndian.PutUint32((*[4]byte)(unsafe.Add(base, n+1))[:], math.Float32bits(float32(v)))
			n += 5
		}
	}
	return n
}

// Bools writes an array of bools.
func Bools[T ~bool](w *Writer, n int, s []T) int {
	n = w.arrayHead(n, len(s))
	if n < 0 {
		return n
	}
	w.Room(n, len(s))
	base := w.base
	for i, v := range s {
		head := byte(headFalse)
		if v {
			head++
		}
		*(*byte)(unsafe.Add(base, n+i)) = head
	}
	return n + len(s)
}

// Strings writes an array of strs. The position is negative if one of them is too long.
func Strings[T ~string](w *Writer, n int, s []T) int {
	n = w.arrayHead(n, len(s))
	for _, v := range s {
		if n < 0 {
			break
		}
		w.RoomFor(n, len(v), TextHead)
		n = PutString(w.base, n, string(v))
	}
	return n
}
