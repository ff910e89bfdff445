//go:build !purego

package wire

// Plan of the file: the Writer, its buffer and how that grows, then one call per kind. Stores go to base + position without a
// check: Room, and the rest argument of the calls that make room themselves, see to it that the memory is there.

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strings"
	"time"
	"unsafe"

	"github.com/polypack/polypack/go/internal/format"
)

// Scalar is the room that a value of fixed size may use: nil, bool, int, float, timestamp or a head. Some calls store more bytes
// than they keep, never more than this.
const Scalar = 16

// TextHead is the room that the head of a str or bin may use.
const TextHead = 5

// A Writer is a buffer with room for unchecked stores. Its zero value is an empty buffer.
type Writer struct {
	base     unsafe.Pointer
	capacity int
	peak     int // the most bytes that a growth was asked for
	WriterState
}

// Reset lets the Writer append to dst, up to its capacity in place. It returns the position behind dst.
func (w *Writer) Reset(dst []byte) int {
	w.base, w.capacity = unsafe.Pointer(unsafe.SliceData(dst)), cap(dst)
	return len(dst)
}

// Bytes returns the buffer up to position n.
func (w *Writer) Bytes(n int) []byte { return unsafe.Slice((*byte)(w.base), w.capacity)[:n] }

// Resume lets the Writer go on with a buffer that another one, which has had it from this one, ends with.
func (w *Writer) Resume(buffer []byte, peak int) {
	w.Reset(buffer)
	w.peak = max(w.peak, peak)
}

// Adopt makes w what other is. It copies word by word: other has mostly just come in registers, and what they were saved as is not
// read quickly in larger pieces.
func (w *Writer) Adopt(other *Writer) {
	w.base, w.capacity, w.peak = other.base, other.capacity, other.peak
	w.Left, w.Hops, w.Hooks = other.Left, other.Hops, other.Hooks
}

// Peak returns how many bytes the buffer had to hold at once, room included, or 0 if it never grew.
func (w *Writer) Peak() int { return w.peak }

// Spare returns how much room there is behind position n.
func (w *Writer) Spare(n int) int { return w.capacity - n }

// Reserve makes sure of need bytes behind position n.
func (w *Writer) Reserve(n, need int) {
	if w.capacity-n < need {
		w.grow(n, need, 0)
	}
}

// ReserveFor makes sure of need + rest bytes behind position n; their sum need not fit an int.
func (w *Writer) ReserveFor(n, need, rest int) {
	if w.capacity-n-rest < need {
		w.grow(n, need, rest)
	}
}

// grow makes room for need + more bytes behind position n: two numbers, because the sum may not fit an int.
//
//go:noinline
func (w *Writer) grow(n, need, more int) {
	if need > math.MaxInt-n-more {
		panic("polypack: a message longer than the address space")
	}
	want := n + need + more
	w.peak = max(w.peak, want)
	if double := 2 * w.capacity; double > want { // and has not overflowed
		want = double
	}
	w.Move(Buffer(want), n)
}

// Move lets the Writer append to dst, which is empty and has room, behind a copy of the first n bytes.
func (w *Writer) Move(dst []byte, n int) {
	if n > 0 {
		copy(dst[:n], w.Bytes(n))
	}
	w.Reset(dst)
}

// zeroedBytes is up to what size zeroed memory costs next to nothing.
const zeroedBytes = 1024

// Buffer returns an empty slice with room for at least n bytes, which are not set to zero when there are many of them.
func Buffer(n int) []byte {
	switch { // sizes that are known beforehand are quicker, and these are inlined
	case n <= 24:
		return new([24]byte)[:0]
	case n <= 32:
		return new([32]byte)[:0]
	}
	return buffer(n)
}

//go:noinline
func buffer(n int) []byte {
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
	// A strings.Builder takes its memory without clearing it. Only the builder, which ends here, could append to it.
	var b strings.Builder
	b.Grow(n)
	s := b.String()
	return unsafe.Slice(unsafe.StringData(s), b.Cap())[:0]
}

func (w *Writer) put8(n int, b byte) { *(*byte)(unsafe.Add(w.base, n)) = b }

func (w *Writer) put16(n int, v uint16) {
	binary.BigEndian.PutUint16((*[2]byte)(unsafe.Add(w.base, n))[:], v)
}

func (w *Writer) put32(n int, v uint32) {
	binary.BigEndian.PutUint32((*[4]byte)(unsafe.Add(w.base, n))[:], v)
}

func (w *Writer) put64(n int, v uint64) {
	binary.BigEndian.PutUint64((*[8]byte)(unsafe.Add(w.base, n))[:], v)
}

// Word stores eight bytes, the lowest first, and does not move: keys are kept as words, see Key.
func (w *Writer) Word(n int, word uint64) {
	binary.LittleEndian.PutUint64((*[8]byte)(unsafe.Add(w.base, n))[:], word)
}

// Raw writes encoded bytes that are known to be right. It makes room for them and rest more.
func (w *Writer) Raw(n int, encoded []byte, rest int) int {
	if w.capacity-n-rest < len(encoded) {
		w.grow(n, len(encoded), rest)
	}
	return n + copy(w.Bytes(n + len(encoded))[n:], encoded)
}

// Byte writes one byte: a head that is known. It needs room for one.
func (w *Writer) Byte(n int, b byte) int {
	w.put8(n, b)
	return n + 1
}

// Less takes one entry or element off the fixmap or fixarray head at position n.
func (w *Writer) Less(n int) { *(*byte)(unsafe.Add(w.base, n))-- }

// Nil writes nil. It needs room for one byte.
func (w *Writer) Nil(n int) int {
	w.put8(n, format.Nil)
	return n + 1
}

// Bool writes a bool. It needs room for one byte.
func (w *Writer) Bool(n int, b bool) int {
	head := byte(format.False)
	if b {
		head++
	}
	w.put8(n, head)
	return n + 1
}

// Int writes an int in the shortest form. It needs Scalar room.
func (w *Writer) Int(n int, v int64) int {
	if uint64(v)+32 < 160 {
		w.put8(n, byte(v))
		return n + 1
	}
	return w.wide(n, uint64(v), signedForm(v))
}

// Uint writes an int in the shortest form. It needs Scalar room.
func (w *Writer) Uint(n int, v uint64) int {
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

// wide writes an int without a branch: head and number are always stored whole, nine bytes, of which form keeps some.
func (w *Writer) wide(n int, v uint64, form intForm) int {
	w.put8(n, byte(form)|byte(v)&byte(form>>8))
	w.put64(n+1, v<<(form>>16&63))
	return n + int(form>>24)
}

// Float32 writes a float 32, or NaN as float 64 (spec/02-wire.md#float). It needs Scalar room.
func (w *Writer) Float32(n int, f float32) int {
	if f != f {
		return w.Float64(n, math.NaN())
	}
	w.put8(n, format.Float32)
	w.put32(n+1, math.Float32bits(f))
	return n + 5
}

// Float64 writes a float 64. It needs Scalar room.
func (w *Writer) Float64(n int, f float64) int {
	b := math.Float64bits(f)
	if b<<1 > format.Infinity<<1 { // NaN; f != f would be two branches
		b = format.CanonicalNaN
	}
	w.put8(n, format.Float64)
	w.put64(n+1, b)
	return n + 9
}

// Time writes the moment of t in the smallest form. It needs Scalar room.
func (w *Writer) Time(n int, t time.Time) int { return PutTime(w.base, n, t) }

// ArrayHead writes the head of an array of count elements. It needs Scalar room.
func (w *Writer) ArrayHead(n, count int) int {
	if count <= format.MaxFixcontainer {
		w.put8(n, format.Fixarray|byte(count))
		return n + 1
	}
	return w.wideHead(n, format.Array16, count)
}

// MapHead writes the head of a map of count entries. It needs Scalar room.
func (w *Writer) MapHead(n, count int) int {
	if count <= format.MaxFixcontainer {
		w.put8(n, format.Fixmap|byte(count))
		return n + 1
	}
	return w.wideHead(n, format.Map16, count)
}

// wideHead writes a head with two or four bytes of length; the one with four follows the one with two.
func (w *Writer) wideHead(n int, head byte, length int) int {
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

// StringHead writes the head of a str of length bytes. It needs Scalar room.
func (w *Writer) StringHead(n, length int) int {
	if length <= format.MaxFixstr {
		w.put8(n, format.Fixstr|byte(length))
		return n + 1
	}
	return w.longHead(n, format.Str8, length)
}

// longHead writes a head with one, two or four bytes of length; they follow each other.
func (w *Writer) longHead(n int, head byte, length int) int {
	if length < 1<<8 {
		w.put8(n, head)
		w.put8(n+1, byte(length))
		return n + 2
	}
	return w.wideHead(n, head+1, length)
}

// Bin writes a bin. It makes room for it and rest more; rest counts the head, so it is at least 5.
func (w *Writer) Bin(n int, b []byte, rest int) int {
	if w.capacity-n-rest < len(b) {
		w.grow(n, len(b), rest)
	}
	if n = w.longHead(n, format.Bin8, len(b)); n < 0 {
		return n
	}
	return n + copy(unsafe.Slice((*byte)(unsafe.Add(w.base, n)), len(b)), b)
}
