//go:build !purego

package polypack

// Plan of the file: allocating strings in the mode that the option Strings sets; then a cache of map keys, which pays
// off because most keys repeat.
//
// In the mode StringsArena, the strings of a message are cut from chunks. Bytes of a chunk never change once they are
// in a string. A chunk has at most arenaChunk bytes, so a string that the caller keeps alive keeps at most that much
// memory alive. Near the end of the input, a chunk is only as large as the rest of the input needs. A string longer
// than arenaLongest gets separate memory. The size of the first chunk is guessed from the strings of earlier messages.

import (
	"sync"
	"unsafe"

	"github.com/polypack/polypack/go/internal/format"
	"github.com/polypack/polypack/go/internal/wire"
)

const (
	arenaChunk   = 2048
	arenaLongest = 256
)

// textWords is the largest length of a short string, in bytes. The engine copies a short string as textWords bytes,
// whatever its length, if the input and the chunk have that many left.
const textWords = 32

// texts is the state of allocating strings.
type texts struct {
	mode       StringsMode
	spent      uint32 // used bytes of the earlier chunks, modulo 2³²
	chunk      unsafe.Pointer
	used, size int // bytes of the chunk; before the first chunk, size is minus the planned size, or 0
}

// text returns the l bytes at i as a string.
func (e *decoding) text(i, l int) string {
	if t := &e.texts; l <= textWords && e.n-i >= textWords && t.size-t.used >= textWords {
		// The copy may also write after the string, where the chunk isn't used yet.
		at := unsafe.Add(t.chunk, t.used)
		*(*[textWords]byte)(at) = *(*[textWords]byte)(unsafe.Add(e.base, i))
		t.used += l
		return unsafe.String((*byte)(at), l)
	}
	return e.otherText(i, l)
}

// string reads a str. In default mode, it also reads a bin as if it were a str. It returns -1 without an error if the
// plan must read the value.
func (e *decoding) string(i int) (string, int) {
	if i >= e.n {
		return "", -1
	}
	if c := byteAt(e.base, i); c&0xe0 == format.Fixstr {
		if l := int(c & format.MaxFixstr); l < e.n-i && (!e.strict || e.isShortASCII(i+1, l) || e.isUTF8(i+1, l)) {
			i++
			if t := &e.texts; e.n-i >= textWords && t.size-t.used >= textWords {
				at := unsafe.Add(t.chunk, t.used)
				*(*[textWords]byte)(at) = *(*[textWords]byte)(unsafe.Add(e.base, i))
				t.used += l
				return unsafe.String((*byte)(at), l), i + l
			}
			return e.otherText(i, l), i + l
		}
	}
	l, at := 0, 0
	if e.strict {
		l, at = e.textHead(i)
	} else {
		l, at = e.blobHead(i)
	}
	if at < 0 {
		return "", -1
	}
	return e.text(at, l), at + l
}

// otherText does what text does, but for every length, and however few bytes the chunk and the input have left.
//
//go:noinline
func (e *decoding) otherText(i, l int) string {
	t := &e.texts
	if l == 0 {
		return ""
	}
	if l > t.size-t.used || l > arenaLongest {
		if e.takesOwn(i, l) {
			if t.mode == StringsZeroCopy {
				return unsafe.String((*byte)(unsafe.Add(e.base, i)), l)
			}
			return wire.OwnText(unsafe.Slice((*byte)(e.base), e.n), i, l)
		}
		e.newChunk(i, l)
	}
	at, from := unsafe.Add(t.chunk, t.used), unsafe.Add(e.base, i)
	t.used += l
	switch {
	case l > 16:
		copy(unsafe.Slice((*byte)(at), l), unsafe.Slice((*byte)(from), l))
	case l >= 8: // two words, which may overlap
		*(*[8]byte)(at) = *(*[8]byte)(from)
		*(*[8]byte)(unsafe.Add(at, l-8)) = *(*[8]byte)(unsafe.Add(from, l-8))
	case l >= 4:
		*(*[4]byte)(at) = *(*[4]byte)(from)
		*(*[4]byte)(unsafe.Add(at, l-4)) = *(*[4]byte)(unsafe.Add(from, l-4))
	default:
		*(*byte)(at) = *(*byte)(from)
		*(*byte)(unsafe.Add(at, l>>1)) = *(*byte)(unsafe.Add(from, l>>1))
		*(*byte)(unsafe.Add(at, l-1)) = *(*byte)(unsafe.Add(from, l-1))
	}
	return unsafe.String((*byte)(at), l)
}

// takesOwn reports whether the l bytes at i become a string outside of chunks. The caller knows that they don't fit in
// the chunk, or that they are longer than arenaLongest. Only the mode StringsArena has chunks of text. A new chunk
// doesn't pay off if the rest of the input is shorter than this string.
func (e *decoding) takesOwn(i, l int) bool {
	return e.texts.mode != StringsArena || l > arenaLongest || 2*l > e.n-i
}

// newChunk starts a new chunk of text. The first string in it will be the l bytes at i.
func (e *decoding) newChunk(i, l int) {
	t := &e.texts
	size := min(e.n-i, arenaChunk)
	if expected := -t.size; expected >= l {
		size = min(size, expected)
	}
	t.spent += uint32(t.used)
	// The memory needn't be cleared, because no string contains a byte that wasn't written.
	t.chunk, t.used, t.size = unsafe.Pointer(unsafe.SliceData(wire.NewBuffer(size))), 0, size
	e.boxes.strings = nil // a new chunk of text starts a new chunk of headers, see boxes
}

// The size of the first chunk, guessed from earlier messages

// The planned size of a first chunk, in bytes, is rounded up to a multiple of textStep.
const textStep = 16

// odd reports whether n's guess of the size of the first chunk should change, because it was much too large or too
// small. A guess of arenaChunk or more isn't too small, because no chunk is larger.
func (t *texts) odd(n *node) bool {
	if t.spent != 0 { // there is more than one chunk
		return n.texts.Load() < arenaChunk
	}
	return t.size-t.used >= textStep+t.size>>3
}

// noteTexts notes how large the first chunk should have been, for the next message of n's type.
//
//go:noinline
func (n *node) noteTexts(t *texts) {
	n.textHint.note(int(t.spent) + t.used)
	n.texts.Store(int64(n.textHint.expected()+textStep-1) &^ (textStep - 1))
}

// Keys

const (
	// knownLongest is the largest length of a key, in bytes, that is looked up instead of copied.
	knownLongest = 16
	// knownMessage is the length of the shortest message, in bytes, for which looking keys up pays off.
	knownMessage = 1024
	knownBits    = 8
)

// knownKeys is a cache of map keys that have been read. It goes back to its pool with its keys, so that a later message
// may find them. It keeps only copies of keys alive, of at most 16 bytes each and 8 KiB in all. Values of several
// messages may share a key, because strings don't change. The garbage collector empties the pool.
//
// Each place of the cache has two keys, the newer one first, so that two keys that alternate don't evict each other.
type knownKeys [1 << knownBits][2]knownKey

type knownKey struct {
	head, tail uint64 // first and last 8 bytes of text, see ends
	text       string
}

var knownPool = sync.Pool{New: func() any { return new(knownKeys) }}

func (k *knownKeys) release() {
	if k != nil {
		knownPool.Put(k)
	}
}

// keyAt reads the map key at i if it is a complete str that the settings allow. Otherwise it returns -1 without an
// error.
func (e *decoding) keyAt(i int) (string, int) {
	if e.n < knownMessage && i < e.n && byteAt(e.base, i)&0xe0 == format.Fixstr {
		return e.string(i)
	}
	l, at := e.textHead(i)
	if at < 0 {
		return "", -1
	}
	return e.key(at, l), at + l
}

// key returns the l bytes at i, which are a map key, as a string. It looks in the cache if that pays off.
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

// ends returns the first 8 and the last 8 of the l bytes at i. If l is at most 8, head has all of them, padded with
// zeros, and tail is 0. Together with the length, head and tail determine a text of up to 16 bytes.
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

// byteMask returns a word with all bits of its lowest n bytes set, or with all 64 bits set if n is 8 or more.
func byteMask(n int) uint64 {
	if n >= 8 {
		return 1<<64 - 1
	}
	return 1<<(8*uint(n)) - 1
}

// keyMultiplier is 2⁶⁴ divided by the golden ratio. Multiplying by it spreads words over the upper bits.
const keyMultiplier, knownSeed = 0x9E3779B97F4A7C15, 3

func keyHash(head, tail uint64, l int, seed uint64) uint64 {
	return (head ^ (tail*seed | tail>>32) ^ uint64(l)<<56) * keyMultiplier
}

// viewString returns b as a string without a copy. The string changes when b does.
func viewString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
