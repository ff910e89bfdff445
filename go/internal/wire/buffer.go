//go:build !purego

package wire

// Plan of the file: the Buffer and how it grows, then one method per kind. Stores go to base + position without a
// check, because the memory has been reserved. Either the caller has called Reserve, or a method with the argument rest
// reserves the memory itself.

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strings"
	"time"
	"unsafe"

	"github.com/polypack/polypack/go/internal/format"
)

// Scalar is a number of bytes that suffices for writing any nil, bool, int, float, timestamp or head. It includes bytes
// that a method stores but doesn't keep.
const Scalar = 16

// TextHead is the largest number of bytes that the head of a str or bin may have.
const TextHead = 5

// A Buffer is memory for a message. Most methods write without checking the capacity. Its zero value is an empty
// buffer.
type Buffer struct {
	base     unsafe.Pointer
	capacity int
	peak     int // the largest size, in bytes, that was needed when the Buffer grew
}

// Reset lets the Buffer append to dst, and returns the position after dst. The Buffer writes to the memory of dst until
// it must grow.
func (w *Buffer) Reset(dst []byte) int {
	w.base, w.capacity = unsafe.Pointer(unsafe.SliceData(dst)), cap(dst)
	return len(dst)
}

// Bytes returns the buffer up to position n.
func (w *Buffer) Bytes(n int) []byte { return unsafe.Slice((*byte)(w.base), w.capacity)[:n] }

// Resume lets w continue with the memory and the peak of another Buffer, which has appended to the memory of w.
func (w *Buffer) Resume(buffer []byte, peak int) {
	w.Reset(buffer)
	w.peak = max(w.peak, peak)
}

// Adopt copies other to w word by word. Usually the words of other have just been stored one by one. On many CPUs, one
// load of several such words would have to wait for all these stores.
func (w *Buffer) Adopt(other *Buffer) {
	w.base, w.capacity, w.peak = other.base, other.capacity, other.peak
}

// Peak returns the largest size, in bytes, that was needed when the buffer grew, reserved bytes included. It returns 0
// if the buffer never grew.
func (w *Buffer) Peak() int { return w.peak }

// Spare returns how many bytes of memory the Buffer has after position n.
func (w *Buffer) Spare(n int) int { return w.capacity - n }

// Reserve ensures that there are need bytes after position n.
func (w *Buffer) Reserve(n, need int) {
	if w.capacity-n < need {
		w.grow(n, need, 0)
	}
}

// ReserveFor ensures that there are need + rest bytes after position n. It panics if an int can't hold the sum.
func (w *Buffer) ReserveFor(n, need, rest int) {
	if w.capacity-n-rest < need {
		w.grow(n, need, rest)
	}
}

// grow ensures that there are need + more bytes after position n. It panics if an int can't hold the new size.
//
//go:noinline
func (w *Buffer) grow(n, need, more int) {
	if need > math.MaxInt-n-more {
		panic("polypack: a message longer than the address space")
	}
	want := n + need + more
	w.peak = max(w.peak, want)
	if double := 2 * w.capacity; double > want { // false if double has overflowed
		want = double
	}
	w.move(NewBuffer(want), n)
}

// move copies the first n bytes to dst, which is empty and large enough, and lets the Buffer append to it.
func (w *Buffer) move(dst []byte, n int) {
	if n > 0 {
		copy(dst[:n], w.Bytes(n))
	}
	w.Reset(dst)
}

// zeroedBytes is the largest size, in bytes, for which clearing memory costs next to nothing.
const zeroedBytes = 1024

// NewBuffer returns an empty slice with a capacity of at least n bytes. Memory of more than zeroedBytes isn't cleared.
func NewBuffer(n int) []byte {
	switch { // only two cases, so that the compiler inlines NewBuffer; a constant size is allocated faster
	case n <= 24:
		return new([24]byte)[:0]
	case n <= 32:
		return new([32]byte)[:0]
	}
	return Allocate(n)
}

// Allocate does what NewBuffer does, for more than 32 bytes. It isn't inlined.
//
//go:noinline
func Allocate(n int) []byte {
	switch {
	case n <= 48:
		return new([48]byte)[:0]
	case n <= 64:
		return new([64]byte)[:0]
	case n <= 80:
		return new([80]byte)[:0]
	case n <= zeroedBytes:
		return make([]byte, 0, n)
	}
	// A strings.Builder allocates memory without clearing it. Writing to this memory is safe, because the builder and
	// its string are not used again.
	var b strings.Builder
	b.Grow(n)
	s := b.String()
	return unsafe.Slice(unsafe.StringData(s), b.Cap())[:0]
}

func (w *Buffer) put8(n int, b byte) { *(*byte)(unsafe.Add(w.base, n)) = b }

func (w *Buffer) put16(n int, v uint16) {
	binary.BigEndian.PutUint16((*[2]byte)(unsafe.Add(w.base, n))[:], v)
}

func (w *Buffer) put32(n int, v uint32) {
	binary.BigEndian.PutUint32((*[4]byte)(unsafe.Add(w.base, n))[:], v)
}

func (w *Buffer) put64(n int, v uint64) {
	binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(w.base, n))[:], v)
}

// Word stores word as eight bytes, the lowest byte first. It doesn't return a new position. Keys are stored as words.
func (w *Buffer) Word(n int, word uint64) {
	binary.LittleEndian.PutUint64((*[8]byte)(unsafe.Add(w.base, n))[:], word)
}

// Raw writes encoded bytes that are known to be valid. It reserves len(encoded) + rest bytes.
func (w *Buffer) Raw(n int, encoded []byte, rest int) int {
	if w.capacity-n-rest < len(encoded) {
		w.grow(n, len(encoded), rest)
	}
	return n + copy(w.Bytes(n + len(encoded))[n:], encoded)
}

// Byte writes one byte, such as a head byte. The caller has reserved it.
func (w *Buffer) Byte(n int, b byte) int {
	w.put8(n, b)
	return n + 1
}

// Less subtracts one from the count in the head byte of the fixmap or fixarray at position n.
func (w *Buffer) Less(n int) { *(*byte)(unsafe.Add(w.base, n))-- }

// Nil writes nil. The caller has reserved one byte.
func (w *Buffer) Nil(n int) int {
	w.put8(n, format.Nil)
	return n + 1
}

// Bool writes a bool. The caller has reserved one byte.
func (w *Buffer) Bool(n int, b bool) int {
	head := byte(format.False)
	if b {
		head++
	}
	w.put8(n, head)
	return n + 1
}

// Int writes an int in the shortest form. The caller has reserved Scalar bytes.
func (w *Buffer) Int(n int, v int64) int {
	if uint64(v)+32 < 160 {
		w.put8(n, byte(v))
		return n + 1
	}
	return w.wide(n, uint64(v), signedForm(v))
}

// Uint writes an int in the shortest form. The caller has reserved Scalar bytes.
func (w *Buffer) Uint(n int, v uint64) int {
	if v < 128 {
		w.put8(n, byte(v))
		return n + 1
	}
	return w.wide(n, v, unsignedForm(v))
}

func signedForm(v int64) intForm {
	sign := uint64(v >> 63)
	return intForms[uint8(bits.Len64(uint64(v)^sign))|uint8(sign&128)]
}

func unsignedForm(v uint64) intForm { return intForms[uint8(bits.Len64(v))] }

// wide writes an int without a branch. It always stores nine bytes, a head byte and eight bytes for the number. form
// says how many of them are kept.
func (w *Buffer) wide(n int, v uint64, form intForm) int {
	w.put8(n, byte(form)|byte(v)&byte(form>>8))
	w.put64(n+1, v<<(form>>16&63))
	return n + int(form>>24)
}

// Float32 writes a float 32, or NaN as float 64 (spec/02-wire.md#float). The caller has reserved Scalar bytes.
func (w *Buffer) Float32(n int, f float32) int {
	if f != f {
		return w.Float64(n, math.NaN())
	}
	w.put8(n, format.Float32)
	w.put32(n+1, math.Float32bits(f))
	return n + 5
}

// Float64 writes a float 64. The caller has reserved Scalar bytes.
func (w *Buffer) Float64(n int, f float64) int {
	b := math.Float64bits(f)
	if b<<1 > format.Infinity<<1 { // a NaN; the test f != f would need two branches
		b = format.CanonicalNaN
	}
	w.put8(n, format.Float64)
	w.put64(n+1, b)
	return n + 9
}

// Time writes the moment of t in the shortest form. The caller has reserved Scalar bytes.
func (w *Buffer) Time(n int, t time.Time) int { return PutTime(w.base, n, t) }

// ArrayHead writes the head of an array of count elements. The caller has reserved Scalar bytes.
func (w *Buffer) ArrayHead(n, count int) int {
	if count <= format.MaxFixcontainer {
		w.put8(n, format.Fixarray|byte(count))
		return n + 1
	}
	return w.wideHead(n, format.Array16, count)
}

// MapHead writes the head of a map of count entries. The caller has reserved Scalar bytes.
func (w *Buffer) MapHead(n, count int) int {
	if count <= format.MaxFixcontainer {
		w.put8(n, format.Fixmap|byte(count))
		return n + 1
	}
	return w.wideHead(n, format.Map16, count)
}

// wideHead writes a head with a length or count of two or four bytes. The head byte is head for two bytes, and head + 1
// for four. The position is negative if the length is too large.
func (w *Buffer) wideHead(n int, head byte, length int) int {
	if length < 1<<16 {
		w.put8(n, head)
		w.put16(n+1, uint16(length))
		return n + 3
	}
	if TooLong(length) {
		return -1
	}
	w.put8(n, head+1)
	w.put32(n+1, uint32(length))
	return n + 5
}

// StringHead writes the head of a str of length bytes. The caller has reserved Scalar bytes.
func (w *Buffer) StringHead(n, length int) int {
	if length <= format.MaxFixstr {
		w.put8(n, format.Fixstr|byte(length))
		return n + 1
	}
	return w.longHead(n, format.Str8, length)
}

// longHead writes a head with a length of one, two or four bytes. The head byte is head, head + 1 or head + 2. The
// position is negative if the length is too large.
func (w *Buffer) longHead(n int, head byte, length int) int {
	if length < 1<<8 {
		w.put8(n, head)
		w.put8(n+1, byte(length))
		return n + 2
	}
	return w.wideHead(n, head+1, length)
}

// Bin writes a bin. It reserves len(b) + rest bytes. rest must be at least TextHead, for the head. The position is
// negative if b is too long.
func (w *Buffer) Bin(n int, b []byte, rest int) int {
	if w.capacity-n-rest < len(b) {
		w.grow(n, len(b), rest)
	}
	if n = w.longHead(n, format.Bin8, len(b)); n < 0 {
		return n
	}
	return n + copy(unsafe.Slice((*byte)(unsafe.Add(w.base, n)), len(b)), b)
}
