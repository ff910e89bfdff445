//go:build !purego

package wire

// Plan of the file: byteAt and bigEndian, which don't check whether the input has the bytes; then allocating strings.
//
// If neither ZeroCopy nor Separate is set, the strings of a message are cut from chunks. Bytes of a chunk never change
// once they are in a string. A chunk has at most arenaChunk bytes, so a string keeps at most that much memory alive.
// Near the end of the input, chunks are smaller. Strings longer than arenaLongest get separate memory, and so may a
// string near the end of the input.

import (
	"encoding/binary"
	"unsafe"

	"github.com/polypack/polypack/go/internal/format"
)

func byteAt(data []byte, i int) byte {
	return *(*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), i))
}

func bigEndian16(data []byte, i int) uint16 {
	return binary.BigEndian.Uint16((*[2]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), i))[:])
}

func bigEndian32(data []byte, i int) uint32 {
	return binary.BigEndian.Uint32((*[4]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), i))[:])
}

func bigEndian64(data []byte, i int) uint64 {
	return binary.BigEndian.Uint64((*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), i))[:])
}

func sizeOf[T any]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}

const (
	arenaChunk   = 2048
	arenaLongest = 256
)

// Texts holds the settings and the state of allocating strings.
type Texts struct {
	ZeroCopy bool // strings and byte slices are views of the input
	Separate bool // each string has separate memory

	Chunk unsafe.Pointer
	// Used counts the used bytes of the chunk, and Size all its bytes. Without a chunk, Size is at most 0.
	Used, Size int
	Expected   int // planned size of the first chunk, in bytes; at most 0 if not known or no longer needed
	Spent      int // bytes that strings use in the earlier chunks
}

// Odd reports whether the first chunk was too small, or over a quarter of it is unused.
func (t *Texts) Odd() bool { return t.Spent != 0 || t.Used < t.Size-t.Size>>2 }

// textsSpare is how many bytes Needed adds, so that String can copy a short last string as 16 bytes.
const textsSpare = 16

// Needed returns the size in bytes of a chunk for all strings that are in chunks.
func (t *Texts) Needed() int { return t.Spent + t.Used + textsSpare }

// String reads the str or bin at i as a string. It also returns the position after it, or -1 on failure.
func (r *Reader) String(i int) (string, int) {
	if left := len(r.data) - i; left > 0 {
		if c := byteAt(r.data, i); c&0xe0 == format.Fixstr && int(c&format.MaxFixstr) < left {
			length, t := int(c&format.MaxFixstr), &r.state.Texts
			i++
			// Copy 16 or 32 bytes even for a shorter string: the chunk's memory after the string isn't used yet.
			switch used := t.Used; {
			case length <= 16 && left > 16 && t.Size-used >= 16:
				p := unsafe.Add(t.Chunk, used)
				*(*[16]byte)(p) = *(*[16]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(r.data)), i))
				t.Used = used + length
				return unsafe.String((*byte)(p), length), i + length
			case left > 32 && t.Size-used >= 32:
				p, from := unsafe.Add(t.Chunk, used), unsafe.Add(unsafe.Pointer(unsafe.SliceData(r.data)), i)
				*(*[16]byte)(p) = *(*[16]byte)(from) // the compiler would turn a single copy of 32 bytes into a call
				*(*[16]byte)(unsafe.Add(p, 16)) = *(*[16]byte)(unsafe.Add(from, 16))
				t.Used = used + length
				return unsafe.String((*byte)(p), length), i + length
			}
			return r.text(i, length), i + length
		}
	}
	length, at := r.blobHead(i)
	if at < 0 {
		return "", -1
	}
	return r.text(at, length), at + length
}

// chunk returns memory for at least size bytes. Up to 128 bytes it allocates constant sizes, which is faster.
func chunk(size int) unsafe.Pointer {
	switch {
	case size <= 32:
		return unsafe.Pointer(new([32]byte))
	case size <= 64:
		return unsafe.Pointer(new([64]byte))
	case size <= 80:
		return unsafe.Pointer(new([80]byte))
	case size <= 96:
		return unsafe.Pointer(new([96]byte))
	case size <= 112:
		return unsafe.Pointer(new([112]byte))
	case size <= 128:
		return unsafe.Pointer(new([128]byte))
	}
	return unsafe.Pointer(unsafe.SliceData(make([]byte, size)))
}

// OwnText returns data[i:i+length] as a string in separate memory. If data goes on after a short string, OwnText
// allocates and copies a constant size, which is faster.
func OwnText(data []byte, i, length int) string {
	switch left := len(data) - i; {
	case length <= 8 && left >= 8:
		p := new([8]byte)
		*p = *(*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), i))
		return unsafe.String(&p[0], length)
	case length <= 16 && left >= 16:
		p := new([16]byte)
		*p = *(*[16]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), i))
		return unsafe.String(&p[0], length)
	}
	return string(data[i : i+length])
}

// View returns data as a string without a copy. Changing data would change the string.
func View(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// Own returns a copy of s in separate memory. Unlike OwnText, it reads no bytes after the string.
func Own(s string) string {
	length, from := len(s), unsafe.Pointer(unsafe.StringData(s))
	switch {
	case length > 16:
	case length > 8:
		p := new([16]byte)
		copyWords(unsafe.Pointer(p), from, length)
		return unsafe.String(&p[0], length)
	case length >= 4:
		p := new([8]byte)
		copyHalves(unsafe.Pointer(p), from, length)
		return unsafe.String(&p[0], length)
	}
	return string(unsafe.Slice((*byte)(from), length))
}

// text returns the bytes of the input from i to i+length as a string.
func (r *Reader) text(i, length int) string {
	if length == 0 {
		return ""
	}
	t := &r.state.Texts
	switch {
	case t.ZeroCopy:
		return unsafe.String((*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(r.data)), i)), length)
	case t.Separate || length > arenaLongest:
		return OwnText(r.data, i, length)
	case length > t.Size-t.Used:
		left := len(r.data) - i
		if 2*length > left { // no second string of this length can follow
			if length <= 8 && left >= 8 { // as in OwnText, but without a call: short messages often get here
				p := new([8]byte)
				*p = *(*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(r.data)), i))
				return unsafe.String(&p[0], length)
			}
			return OwnText(r.data, i, length)
		}
		t.Size = min(left, arenaChunk)
		if t.Chunk == nil && t.Expected >= length {
			t.Size = min(t.Size, t.Expected)
		}
		t.Spent += t.Used
		t.Chunk, t.Used = chunk(t.Size), 0
	}
	p := unsafe.Add(t.Chunk, t.Used)
	copy(unsafe.Slice((*byte)(p), length), r.data[i:i+length])
	t.Used += length
	return unsafe.String((*byte)(p), length)
}
