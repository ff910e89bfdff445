//go:build !purego

package polypack

// Plan of the file: where strings get their memory, by the mode of the option Strings, and the names of map keys, which
// mostly have been seen before.
//
// In the arena mode the strings of a message are cut from chunks. A chunk is only ever written behind the strings cut from
// it. It is at most arenaChunk long, and no longer than the input behind the first of its strings, so a string that is kept
// keeps no more than that; a string longer than arenaLongest has memory of its own.

import (
	"encoding/binary"
	"sync"
	"unsafe"

	"github.com/polypack/polypack/go/wire"
)

const (
	arenaChunk   = 2048
	arenaLongest = 256
)

// texts makes strings.
type texts struct {
	mode       StringsMode
	chunk      unsafe.Pointer
	used, size int // of the chunk; the size is 0 but in arena mode
}

// text returns the l bytes at i as a string.
func (e *decoding) text(i, l int) string {
	t := &e.texts
	if used := t.used; l <= 32 && e.n-i >= 32 && t.size-used >= 32 {
		// Four words, whatever the length is: behind the string there is nothing yet.
		p := unsafe.Add(t.chunk, used)
		a, b := littleEndian64(e.base, i), littleEndian64(e.base, i+8)
		c, d := littleEndian64(e.base, i+16), littleEndian64(e.base, i+24)
		binary.LittleEndian.PutUint64((*[8]byte)(p)[:], a)
		binary.LittleEndian.PutUint64((*[8]byte)(unsafe.Add(p, 8))[:], b)
		binary.LittleEndian.PutUint64((*[8]byte)(unsafe.Add(p, 16))[:], c)
		binary.LittleEndian.PutUint64((*[8]byte)(unsafe.Add(p, 24))[:], d)
		t.used = used + l
		return unsafe.String((*byte)(p), l)
	}
	return e.longText(i, l)
}

func (e *decoding) longText(i, l int) string {
	t := &e.texts
	view := e.bytesAt(i, l)
	switch {
	case l == 0:
		return ""
	case l <= t.size-t.used && l <= arenaLongest: // the chunk has room
	case t.mode == StringsZeroCopy:
		return unsafe.String(unsafe.SliceData(view), l)
	case t.mode == StringsSeparate || l > arenaLongest:
		return wire.OwnText(unsafe.Slice((*byte)(e.base), e.n), i, l)
	default:
		if 2*l > e.n-i { // what is left holds no other string as long
			return wire.OwnText(unsafe.Slice((*byte)(e.base), e.n), i, l)
		}
		t.size = min(e.n-i, arenaChunk)
		t.chunk, t.used = unsafe.Pointer(unsafe.SliceData(make([]byte, t.size))), 0
		e.boxes.strings = nil // see boxes
	}
	p := unsafe.Add(t.chunk, t.used)
	copy(unsafe.Slice((*byte)(p), l), view)
	t.used += l
	return unsafe.String((*byte)(p), l)
}

// Keys

const (
	// knownLongest is how long a key is that is looked up instead of copied.
	knownLongest = 16
	// knownMessage is how long a message is for which looking keys up pays.
	knownMessage = 1024
	knownBits    = 8
)

// knownKeys are keys that have been read. A table goes back to a pool with its keys, so that the next message finds them. What
// it keeps alive is its own: copies of at most 16 bytes each, 8 KB in all, never a part of an input, an arena or a value,
// until the collector empties the pool. Strings do not change, so values of several messages may share one.
//
// Two keys fall into each place, the later one in front, so that two which occur in turn do not drive each other out.
type knownKeys [1 << knownBits][2]knownKey

type knownKey struct {
	head, tail uint64 // the first and last 8 bytes; of up to 8, head has zeros behind them and tail is 0
	text       string
}

var knownPool = sync.Pool{New: func() any { return new(knownKeys) }}

func (k *knownKeys) release() {
	if k != nil {
		knownPool.Put(k)
	}
}

// key returns the l bytes at i, a key of a map, as a string.
func (e *decoding) key(i, l int) string {
	if e.n < knownMessage || l > knownLongest || l == 0 || e.n-i < 8 || e.texts.mode == StringsZeroCopy {
		return e.text(i, l)
	}
	head, tail := e.ends(i, l)
	if e.known == nil {
		e.known = knownPool.Get().(*knownKeys)
	}
	place := &e.known[keyHash(head, tail, l, knownSeed)>>(64-knownBits)]
	for k := range place {
		if k := &place[k]; k.head == head && k.tail == tail && len(k.text) == l {
			return k.text
		}
	}
	place[1] = place[0]
	place[0] = knownKey{head, tail, string(e.bytesAt(i, l))}
	return place[0].text
}

// ends returns the first and last 8 of the l bytes at i; of up to 8, the first has zeros behind them and the last is 0. Bytes
// and length are all of a text of up to 16.
func (e *decoding) ends(i, l int) (head, tail uint64) {
	if l > 8 {
		return littleEndian64(e.base, i), littleEndian64(e.base, i+l-8)
	}
	if e.n-i >= 8 {
		return littleEndian64(e.base, i) & byteMask(l), 0
	}
	for k := range l {
		head |= uint64(byteAt(e.base, i+k)) << (8 * k)
	}
	return head, 0
}

// byteMask returns a word whose first n bytes, at most 8, are set, as little endian has them.
func byteMask(n int) uint64 {
	if n >= 8 {
		return 1<<64 - 1
	}
	return 1<<(8*uint(n)) - 1
}

// The multiplier is 2⁶⁴ divided by the golden ratio, which spreads words over the upper bits.
const keyMultiplier, knownSeed = 0x9E3779B97F4A7C15, 3

func keyHash(head, tail uint64, l int, seed uint64) uint64 {
	return (head ^ (tail*seed | tail>>32) ^ uint64(l)<<56) * keyMultiplier
}
