//go:build !purego

package wire

// Plan of the file: functions that write to reserved memory, for generated code and the engine. They take the address
// of the memory, a Base, which the caller keeps in a register. After a call that may grow the Buffer, the caller needs
// a new Base.

import (
	"encoding/binary"
	"math"
	"time"
	"unsafe"

	"github.com/polypack/polypack/go/internal/format"
)

// A Base is the address of a Buffer's memory, valid until the Buffer grows.
type Base = unsafe.Pointer

// Base returns the address of the Buffer's memory.
func (w *Buffer) Base() Base { return w.base }

// BaseOf returns the address of the memory of dst.
func BaseOf(dst []byte) Base { return unsafe.Pointer(unsafe.SliceData(dst)) }

// PutByte stores one byte, such as a head byte. It doesn't return a new position.
func PutByte(b Base, n int, v byte) { *(*byte)(unsafe.Add(b, n)) = v }

// PutWord stores word as eight bytes, the lowest byte first. It doesn't return a new position.
func PutWord(b Base, n int, word uint64) {
	binary.LittleEndian.PutUint64((*[8]byte)(unsafe.Add(b, n))[:], word)
}

func put16(b Base, n int, v uint16) { binary.BigEndian.PutUint16((*[2]byte)(unsafe.Add(b, n))[:], v) }

func put32(b Base, n int, v uint32) { binary.BigEndian.PutUint32((*[4]byte)(unsafe.Add(b, n))[:], v) }

func put64(b Base, n int, v uint64) { binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(b, n))[:], v) }

// PutBool stores a bool, one byte.
func PutBool(b Base, n int, v bool) {
	head := byte(format.False)
	if v {
		head++
	}
	PutByte(b, n, head)
}

// PutFloat64 stores a float 64, nine bytes.
func PutFloat64(b Base, n int, f float64) {
	v := math.Float64bits(f)
	if v<<1 > format.Infinity<<1 {
		v = format.CanonicalNaN
	}
	PutByte(b, n, format.Float64)
	put64(b, n+1, v)
}

// PutFloat32 writes a float 32, or NaN as float 64 (spec/02-wire.md#float).
func PutFloat32(b Base, n int, f float32) int {
	if f != f {
		PutFloat64(b, n, math.NaN())
		return n + 9
	}
	PutByte(b, n, format.Float32)
	put32(b, n+1, math.Float32bits(f))
	return n + 5
}

// PutInt writes int64(v) as an int in the shortest form. The compiler can inline PutInt. It couldn't if PutInt took an
// int64 and converted it.
func PutInt(b Base, n int, v uint64) int {
	if v+32 < 160 {
		*(*byte)(unsafe.Add(b, n)) = byte(v)
		return n + 1
	}
	return PutWideInt(b, n, v)
}

//go:noinline
func PutWideInt(b Base, n int, v uint64) int { return putWide(b, n, v, signedForm(int64(v))) }

// PutUint writes an int in the shortest form. The compiler can inline it.
func PutUint(b Base, n int, v uint64) int {
	if v < 128 {
		*(*byte)(unsafe.Add(b, n)) = byte(v)
		return n + 1
	}
	return PutWideUint(b, n, v)
}

//go:noinline
func PutWideUint(b Base, n int, v uint64) int { return putWide(b, n, v, unsignedForm(v)) }

// PutTime writes the moment of t in the shortest form.
func PutTime(b Base, n int, t time.Time) int {
	seconds, nanoseconds := t.Unix(), uint64(t.Nanosecond())
	if uint64(seconds)>>34 == 0 {
		word := nanoseconds<<34 | uint64(seconds)
		if word>>32 != 0 {
			put16(b, n, format.Fixext8<<8|format.TimestampByte)
			put64(b, n+2, word)
			return n + 10
		}
		put16(b, n, format.Fixext4<<8|format.TimestampByte)
		put32(b, n+2, uint32(word))
		return n + 6
	}
	put16(b, n, format.Ext8<<8|12)
	PutByte(b, n+2, format.TimestampByte)
	put32(b, n+3, uint32(nanoseconds))
	put64(b, n+7, uint64(seconds))
	return n + 15
}

// PutMapHead writes the head of a map of count entries. The position is negative if the count is too large.
func PutMapHead(b Base, n, count int) int {
	w := Buffer{base: b}
	return w.MapHead(n, count)
}

// copyWords copies 8 to 16 bytes as two words that may overlap. The words are integers, because the compiler keeps
// integers in registers, but not arrays.
func copyWords(to, from unsafe.Pointer, length int) {
	first := binary.NativeEndian.Uint64((*[8]byte)(from)[:])
	last := binary.NativeEndian.Uint64((*[8]byte)(unsafe.Add(from, length-8))[:])
	binary.NativeEndian.PutUint64((*[8]byte)(to)[:], first)
	binary.NativeEndian.PutUint64((*[8]byte)(unsafe.Add(to, length-8))[:], last)
}

// copyHalves copies 4 to 8 bytes as two integers of 32 bits that may overlap.
func copyHalves(to, from unsafe.Pointer, length int) {
	first := binary.NativeEndian.Uint32((*[4]byte)(from)[:])
	last := binary.NativeEndian.Uint32((*[4]byte)(unsafe.Add(from, length-4))[:])
	binary.NativeEndian.PutUint32((*[4]byte)(to)[:], first)
	binary.NativeEndian.PutUint32((*[4]byte)(unsafe.Add(to, length-4))[:], last)
}

// IsShort reports whether s has 4 to 16 bytes, like most names and words. PutWords or PutHalves can write such an s.
func IsShort(s string) bool { return uint(len(s))-4 <= 12 }

// PutWords writes a str of 8 to 16 bytes. The compiler can inline it.
func PutWords(b Base, n int, s string) int {
	*(*byte)(unsafe.Add(b, n)) = format.Fixstr | byte(len(s))
	copyWords(unsafe.Add(b, n+1), unsafe.Pointer(unsafe.StringData(s)), len(s))
	return n + 1 + len(s)
}

// PutHalves writes a str of 4 to 8 bytes. The compiler can inline it.
func PutHalves(b Base, n int, s string) int {
	*(*byte)(unsafe.Add(b, n)) = format.Fixstr | byte(len(s))
	copyHalves(unsafe.Add(b, n+1), unsafe.Pointer(unsafe.StringData(s)), len(s))
	return n + 1 + len(s)
}

// PutString writes a str. The position is negative if the str is too long.
func PutString(b Base, n int, s string) int {
	length := len(s)
	if length > format.MaxFixstr {
		if length >= 1<<8 {
			return putLong(b, n, s)
		}
		put16(b, n, format.Str8<<8|uint16(length))
		n += 2
		copy(unsafe.Slice((*byte)(unsafe.Add(b, n)), length), s)
		return n + length
	}
	*(*byte)(unsafe.Add(b, n)) = format.Fixstr | byte(length)
	n++
	// Most strings are short, so words that may overlap copy 4 to 31 bytes without a call.
	to, from := unsafe.Add(b, n), unsafe.Pointer(unsafe.StringData(s))
	switch {
	case length > 16:
		copyWords(to, from, 16)
		copyWords(unsafe.Add(to, length-16), unsafe.Add(from, length-16), 16)
	case length >= 8:
		copyWords(to, from, length)
	case length >= 4:
		copyHalves(to, from, length)
	case length > 0:
		first, middle, last := *(*byte)(from), *(*byte)(unsafe.Add(from, length>>1)), *(*byte)(unsafe.Add(from, length-1))
		*(*byte)(to) = first
		*(*byte)(unsafe.Add(to, length>>1)) = middle
		*(*byte)(unsafe.Add(to, length-1)) = last
	}
	return n + length
}

// putLong writes a str of 256 bytes or more.
//
//go:noinline
func putLong(b Base, n int, s string) int {
	w := Buffer{base: b}
	if n = w.wideHead(n, format.Str8+1, len(s)); n < 0 {
		return n
	}
	return n + copy(unsafe.Slice((*byte)(unsafe.Add(b, n)), len(s)), s)
}
