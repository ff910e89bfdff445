//go:build !purego

package wire

// Plan of the file: the bytes of the input, which the caller knows to be there, and where strings get their memory.
//
// In the arena mode the strings of a message share memory: at most arenaChunk bytes, and no more than the input behind the first
// of them, so a string that is kept keeps no more than that alive; a string longer than arenaLongest has memory of its own. There
// are two kinds of it. As long as strings are at least a quarter of the input it is a window, a copy of the next piece of the input
// with all that is in it: there a string only has to be found. Else it is a chunk, which is only ever written behind the strings
// cut from it. The first chunk is as long as the strings of the messages before took, if somebody has noted that.

import (
	"encoding/binary"
	"unsafe"
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

// Texts makes strings.
type Texts struct {
	ZeroCopy bool // strings are views of the input
	Separate bool // each has memory of its own

	Window string // that part of the input, from position Start on; or else
	Start  int

	Chunk unsafe.Pointer
	Size  int // of the chunk, 0 if there is none

	Used     int // bytes of the strings in the window or chunk
	Spent    int // the same of those before
	Expected int // bytes of all strings, if it is not 0
}

// Odd reports whether a first chunk was too small or much too large, or a window was none for these strings.
func (t *Texts) Odd() bool {
	return t.Spent != 0 || t.Used+textsSpare < max(t.Size-t.Size>>2, len(t.Window)>>2)
}

// textsSpare is room behind the texts that are expected: it lets the last of them, if they are short, be copied as two words.
const textsSpare = 16

// Room returns how large the first chunk should have been.
func (t *Texts) Room() int { return t.Spent + t.Used + textsSpare }

// Short reads a str of up to 31 bytes, if it lies in the window. It is for code into which it is inlined, before String or MapKey.
func (r *Reader) Short(i int) (string, int) {
	t := &r.Texts
	if k := i - t.Start; uint(k) < uint(len(t.Window)) {
		behind := t.Window[k+1:]
		if length := int(t.Window[k] ^ headFixstr); length <= maxFixstr && length <= len(behind) {
			t.Used += length
			return behind[:length], i + 1 + length
		}
	}
	return "", -1
}

// String reads a str, or a bin as if it were one.
func (r *Reader) String(i int) (string, int) {
	if left := len(r.data) - i; left > 0 {
		if c := byteAt(r.data, i); c&0xe0 == headFixstr && int(c&maxFixstr) < left {
			length, t := int(c&maxFixstr), &r.Texts
			i++
			// Two words or four, whatever the length is: behind the string there is nothing yet.
			switch used := t.Used; {
			case length <= 16 && left > 16 && t.Size-used >= 16:
				p := unsafe.Add(t.Chunk, used)
				*(*[16]byte)(p) = *(*[16]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(r.data)), i))
				t.Used = used + length
				return unsafe.String((*byte)(p), length), i + length
			case left > 32 && t.Size-used >= 32:
				p, from := unsafe.Add(t.Chunk, used), unsafe.Add(unsafe.Pointer(unsafe.SliceData(r.data)), i)
				*(*[16]byte)(p) = *(*[16]byte)(from) // in one step it would be a call
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

// chunk returns memory for size bytes. Sizes that are known beforehand are allocated quicker.
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

// OwnText returns the length bytes at i as a string with memory of its own. Sizes that are known beforehand are allocated, and copied,
// quicker.
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

// View returns data as a string, which is only one as long as nobody changes data.
func View(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// Own returns s with memory of its own. It is OwnText for a string that may have nothing behind it.
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

// text returns the length bytes at i as a string.
func (r *Reader) text(i, length int) string {
	if length == 0 {
		return ""
	}
	t := &r.Texts
	switch k := i - t.Start; {
	case t.ZeroCopy:
		t.Window = View(r.data) // for Short
		return t.Window[i : i+length]
	case t.Separate || length > arenaLongest:
		return OwnText(r.data, i, length)
	case uint(k) < uint(len(t.Window)) && length <= len(t.Window)-k:
		t.Used += length
		return t.Window[k : k+length]
	case length > t.Size-t.Used:
		left := len(r.data) - i
		if 2*length > left { // what is left holds no other string as long
			if length <= 8 && left >= 8 { // as OwnText has it, without the call: a short message has one such string
				p := new([8]byte)
				*p = *(*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(r.data)), i))
				return unsafe.String(&p[0], length)
			}
			return OwnText(r.data, i, length)
		}
		r.share(i, length)
		return r.text(i, length)
	}
	p := unsafe.Add(t.Chunk, t.Used)
	copy(unsafe.Slice((*byte)(p), length), r.data[i:i+length])
	t.Used += length
	return unsafe.String((*byte)(p), length)
}

// share takes memory for strings of which the first are the length bytes at i. Behind a chunk there are only chunks.
func (r *Reader) share(i, length int) {
	t := &r.Texts
	size, first := min(len(r.data)-i, arenaChunk), t.Chunk == nil && t.Window == ""
	dense := t.Chunk == nil && t.Used >= len(t.Window)>>2
	if first && t.Expected > 0 {
		dense = t.Expected >= size>>2
	}
	t.Spent += t.Used
	t.Used = 0
	if dense {
		t.Window, t.Start = string(r.data[i:i+size]), i
		return
	}
	if first && t.Expected >= length {
		size = min(size, t.Expected)
	}
	t.Window, t.Chunk, t.Size = "", chunk(size), size
}
