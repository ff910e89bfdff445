//go:build purego

package wire

// Plan of the file: the Buffer of buffer.go, implemented with a slice. Its methods reserve as many bytes as the methods
// in buffer.go. An access beyond the capacity panics here; in buffer.go it would reach other memory.

import (
	"encoding/binary"
	"math"
	"math/bits"
	"time"

	"github.com/polypack/polypack/go/internal/format"
)

// Scalar is a number of bytes that suffices for writing any nil, bool, int, float, timestamp or head. It includes bytes
// that a method stores but doesn't keep.
const Scalar = 16

// TextHead is the largest number of bytes that the head of a str or bin may have.
const TextHead = 5

// A Buffer is memory for a message. Its zero value is an empty buffer.
type Buffer struct {
	buffer []byte // its length is its capacity
	peak   int    // the largest size, in bytes, that was needed when the Buffer grew
}

// Reset lets the Buffer append to dst, and returns the position after dst. The Buffer writes to the memory of dst until
// it must grow.
func (w *Buffer) Reset(dst []byte) int {
	w.buffer = dst[:cap(dst)]
	return len(dst)
}

// Bytes returns the buffer up to position n.
func (w *Buffer) Bytes(n int) []byte { return w.buffer[:n] }

// Resume lets w continue with the memory and the peak of another Buffer, which has appended to the memory of w.
func (w *Buffer) Resume(buffer []byte, peak int) {
	w.Reset(buffer)
	w.peak = max(w.peak, peak)
}

// Adopt copies other to w.
func (w *Buffer) Adopt(other *Buffer) { *w = *other }

// Peak returns the largest size, in bytes, that was needed when the buffer grew, reserved bytes included. It returns 0
// if the buffer never grew.
func (w *Buffer) Peak() int { return w.peak }

// Spare returns how many bytes of memory the Buffer has after position n.
func (w *Buffer) Spare(n int) int { return len(w.buffer) - n }

// Reserve ensures that there are need bytes after position n.
func (w *Buffer) Reserve(n, need int) {
	if len(w.buffer)-n < need {
		w.grow(n, need, 0)
	}
}

// ReserveFor ensures that there are need + rest bytes after position n. It panics if an int can't hold the sum.
func (w *Buffer) ReserveFor(n, need, rest int) {
	if len(w.buffer)-n-rest < need {
		w.grow(n, need, rest)
	}
}

// grow ensures that there are need + more bytes after position n. It panics if an int can't hold the new size.
func (w *Buffer) grow(n, need, more int) {
	if need > math.MaxInt-n-more {
		panic("polypack: a message longer than the address space")
	}
	want := n + need + more
	w.peak = max(w.peak, want)
	if double := 2 * len(w.buffer); double > want { // false if double has overflowed
		want = double
	}
	w.move(NewBuffer(want), n)
}

// move copies the first n bytes to dst, which is empty and large enough, and lets the Buffer append to it.
func (w *Buffer) move(dst []byte, n int) {
	copy(dst[:n], w.buffer[:n])
	w.Reset(dst)
}

// NewBuffer returns an empty slice with a capacity of at least n bytes.
func NewBuffer(n int) []byte { return make([]byte, 0, n) }

// Word stores word as eight bytes, the lowest byte first. It doesn't return a new position. Keys are stored as words.
func (w *Buffer) Word(n int, word uint64) { binary.LittleEndian.PutUint64(w.buffer[n:], word) }

// Raw writes encoded bytes that are known to be valid. It reserves len(encoded) + rest bytes.
func (w *Buffer) Raw(n int, encoded []byte, rest int) int {
	if len(w.buffer)-n-rest < len(encoded) {
		w.grow(n, len(encoded), rest)
	}
	return n + copy(w.buffer[n:], encoded)
}

// Byte writes one byte, such as a head byte. The caller has reserved it.
func (w *Buffer) Byte(n int, b byte) int {
	w.buffer[n] = b
	return n + 1
}

// Less subtracts one from the count in the head byte of the fixmap or fixarray at position n.
func (w *Buffer) Less(n int) { w.buffer[n]-- }

// Nil writes nil. The caller has reserved one byte.
func (w *Buffer) Nil(n int) int { return w.Byte(n, format.Nil) }

// Bool writes a bool. The caller has reserved one byte.
func (w *Buffer) Bool(n int, b bool) int {
	if b {
		return w.Byte(n, format.False+1)
	}
	return w.Byte(n, format.False)
}

// Int writes an int in the shortest form. The caller has reserved Scalar bytes.
func (w *Buffer) Int(n int, v int64) int { return w.wide(n, uint64(v), signedForm(v)) }

// Uint writes an int in the shortest form. The caller has reserved Scalar bytes.
func (w *Buffer) Uint(n int, v uint64) int { return w.wide(n, v, unsignedForm(v)) }

func signedForm(v int64) intForm {
	sign := uint64(v >> 63)
	return intForms[uint8(bits.Len64(uint64(v)^sign))|uint8(sign&128)]
}

func unsignedForm(v uint64) intForm { return intForms[uint8(bits.Len64(v))] }

// wide writes an int without a branch. It always stores nine bytes, a head byte and eight bytes for the number. form
// says how many of them are kept.
func (w *Buffer) wide(n int, v uint64, form intForm) int {
	b := w.buffer[n : n+9]
	b[0] = byte(form) | byte(v)&byte(form>>8)
	binary.BigEndian.PutUint64(b[1:], v<<(form>>16&63))
	return n + int(form>>24)
}

// Float32 writes a float 32, or NaN as float 64 (spec/02-wire.md#float). The caller has reserved Scalar bytes.
func (w *Buffer) Float32(n int, f float32) int {
	if f != f {
		return w.Float64(n, math.NaN())
	}
	w.buffer[n] = format.Float32
	binary.BigEndian.PutUint32(w.buffer[n+1:], math.Float32bits(f))
	return n + 5
}

// Float64 writes a float 64. The caller has reserved Scalar bytes.
func (w *Buffer) Float64(n int, f float64) int {
	b := math.Float64bits(f)
	if f != f {
		b = format.CanonicalNaN
	}
	w.buffer[n] = format.Float64
	binary.BigEndian.PutUint64(w.buffer[n+1:], b)
	return n + 9
}

// Time writes the moment of t in the shortest form. The caller has reserved Scalar bytes.
func (w *Buffer) Time(n int, t time.Time) int {
	seconds, nanoseconds := uint64(t.Unix()), uint64(t.Nanosecond())
	b := w.buffer[n:]
	switch word := nanoseconds<<34 | seconds; {
	case seconds>>34 == 0 && word>>32 == 0:
		b[0], b[1] = format.Fixext4, format.TimestampByte
		binary.BigEndian.PutUint32(b[2:], uint32(word))
		return n + 6
	case seconds>>34 == 0:
		b[0], b[1] = format.Fixext8, format.TimestampByte
		binary.BigEndian.PutUint64(b[2:], word)
		return n + 10
	}
	b[0], b[1], b[2] = format.Ext8, 12, format.TimestampByte
	binary.BigEndian.PutUint32(b[3:], uint32(nanoseconds))
	binary.BigEndian.PutUint64(b[7:], seconds)
	return n + 15
}

// ArrayHead writes the head of an array of count elements. The caller has reserved Scalar bytes.
func (w *Buffer) ArrayHead(n, count int) int {
	if count <= format.MaxFixcontainer {
		return w.Byte(n, format.Fixarray|byte(count))
	}
	return w.wideHead(n, format.Array16, count)
}

// MapHead writes the head of a map of count entries. The caller has reserved Scalar bytes.
func (w *Buffer) MapHead(n, count int) int {
	if count <= format.MaxFixcontainer {
		return w.Byte(n, format.Fixmap|byte(count))
	}
	return w.wideHead(n, format.Map16, count)
}

// wideHead writes a head with a length or count of two or four bytes. The head byte is head for two bytes, and head + 1
// for four. The position is negative if the length is too large.
func (w *Buffer) wideHead(n int, head byte, length int) int {
	if length < 1<<16 {
		w.buffer[n] = head
		binary.BigEndian.PutUint16(w.buffer[n+1:], uint16(length))
		return n + 3
	}
	if TooLong(length) {
		return -1
	}
	w.buffer[n] = head + 1
	binary.BigEndian.PutUint32(w.buffer[n+1:], uint32(length))
	return n + 5
}

// StringHead writes the head of a str of length bytes. The caller has reserved Scalar bytes.
func (w *Buffer) StringHead(n, length int) int {
	if length <= format.MaxFixstr {
		return w.Byte(n, format.Fixstr|byte(length))
	}
	return w.longHead(n, format.Str8, length)
}

// longHead writes a head with a length of one, two or four bytes. The head byte is head, head + 1 or head + 2. The
// position is negative if the length is too large.
func (w *Buffer) longHead(n int, head byte, length int) int {
	if length < 1<<8 {
		w.buffer[n], w.buffer[n+1] = head, byte(length)
		return n + 2
	}
	return w.wideHead(n, head+1, length)
}

// Bin writes a bin. It reserves len(b) + rest bytes. rest must be at least TextHead, for the head. The position is
// negative if b is too long.
func (w *Buffer) Bin(n int, b []byte, rest int) int {
	if len(w.buffer)-n-rest < len(b) {
		w.grow(n, len(b), rest)
	}
	if n = w.longHead(n, format.Bin8, len(b)); n < 0 {
		return n
	}
	return n + copy(w.buffer[n:], b)
}
