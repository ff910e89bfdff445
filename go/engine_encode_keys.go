//go:build !purego

package polypack

// Plan of the file: memory for sorting the keys of maps; words that have the same order as the keys; and the cache of
// sorted keys for each map type.

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A mapScratch is memory for the keys of maps while they are sorted. Its slices have the same length and are stacks,
// because maps nest: each map removes the keys that it has pushed.
type mapScratch struct {
	keys    []string
	order   []textOrder
	highest int // the largest number of keys since the scratch was taken from the pool
}

// A mapScratch that has held more than keptEntries keys doesn't go back to the pool.
const keptEntries = 1024

var mapScratches = sync.Pool{New: func() any { return new(mapScratch) }}

// mapScratch returns the scratch of this message, which comes from the pool.
func (e *engineEncoder) mapScratch() *mapScratch {
	if e.scratch == nil {
		e.scratch = mapScratches.Get().(*mapScratch)
	}
	return e.scratch
}

// release clears the scratch, so that it keeps no data of the caller alive, and returns it to the pool. It drops a
// scratch that has held more than keptEntries keys.
func (s *mapScratch) release() {
	s.cut(0)
	if s.highest > keptEntries {
		return
	}
	clear(s.keys[:s.highest])
	s.keys, s.order, s.highest = s.keys[:0], s.order[:0], 0
	mapScratches.Put(s)
}

func (s *mapScratch) push(key string) {
	s.keys = append(s.keys, key)
	s.order = append(s.order, textOrder{word: textWord(key)})
}

// cut removes the keys from the index first on.
func (s *mapScratch) cut(first int) {
	s.highest = max(s.highest, len(s.keys))
	s.keys, s.order = s.keys[:first], s.order[:first]
}

// A textOrder is the index of a key, and a word that usually decides the key's place in the order.
type textOrder struct {
	word  uint64
	index int // counted from the first key of the map
}

// textWord returns a word with the length and the first seven bytes of a key. If the words of two keys differ,
// comparing the words gives the same order as compareText. If the words of two keys of up to seven bytes are equal, so
// are the keys. All keys of 255 bytes or more have the same word, so compareText decides their order.
func textWord(s string) uint64 {
	n := len(s)
	if n >= math.MaxUint8 {
		return math.MaxUint8 << 56
	}
	word := uint64(n) << 56
	p := unsafe.Pointer(unsafe.StringData(s))
	switch { // a word may contain a byte twice, which doesn't change the order among keys of one length
	case n >= 8:
		return word | binary.BigEndian.Uint64((*[8]byte)(p)[:])>>8
	case n >= 4:
		first, last := binary.BigEndian.Uint32((*[4]byte)(p)[:]), binary.BigEndian.Uint32((*[4]byte)(unsafe.Add(p, n-4))[:])
		return word | uint64(first)<<24 | uint64(last&(1<<24-1))
	case n > 0:
		return word | uint64(s[0])<<16 | uint64(s[n/2])<<8 | uint64(s[n-1])
	}
	return word
}

// fewEntries is the largest number of entries for which sort uses insertion sort, and anyEntries fetches the elements
// to the stack.
const fewEntries = 16

// sort sorts s.order from first on. The keys themselves stay in place.
func (s *mapScratch) sort(first int) {
	order, keys := s.order[first:], s.keys[first:]
	for i := range order {
		order[i].index = i
	}
	if len(order) > fewEntries {
		slices.SortFunc(order, func(a, b textOrder) int {
			if a.word != b.word {
				return cmp.Compare(a.word, b.word)
			}
			return compareText(keys[a.index], keys[b.index])
		})
		return
	}
	for i := 1; i < len(order); i++ {
		o := order[i]
		j := i
		for j > 0 && (o.word < order[j-1].word || o.word == order[j-1].word && compareText(keys[o.index], keys[order[j-1].index]) < 0) {
			order[j] = order[j-1]
			j--
		}
		order[j] = o
	}
}

// The keys of a map are remembered only if it has at most mostKnown entries, and the keys have at most knownBytes bytes
// in all.
const (
	mostKnown  = 32
	knownBytes = 1024
)

// An encodedKey is a remembered key, as text and in its encoded form.
type encodedKey struct {
	text         string
	word0, word1 uint64 // the first 16 bytes of the encoded key, as little-endian words
	length       int    // of the encoded key
}

func newEncodedKey(text string) encodedKey {
	var words [longKey]byte
	encoded := appendString(nil, text)
	copy(words[:], encoded)
	return encodedKey{text, binary.LittleEndian.Uint64(words[:8]), binary.LittleEndian.Uint64(words[8:]), len(encoded)}
}

// keyOrders remembers the sorted keys of earlier maps of a type, one list for each number of entries. The keys are
// copies, so they keep no data of the caller alive. A list never changes, because other goroutines may be reading it.
type keyOrders struct {
	lists  [mostKnown + 1]atomic.Pointer[knownList]
	misses [mostKnown + 1]atomic.Uint32
}

// A knownList has the remembered keys for one number of entries.
type knownList struct {
	keys []encodedKey
	utf8 bool // whether all keys are UTF-8
}

// A remembered list is replaced after replaceAfter maps that have as many entries but other keys.
const replaceAfter = 16

// keys returns the remembered sorted keys of maps with count entries, or nil. With checked, it also returns nil if one
// of the keys isn't UTF-8.
func (k *keyOrders) keys(count int, checked bool) []encodedKey {
	if count <= mostKnown {
		if list := k.lists[count].Load(); list != nil && (list.utf8 || !checked) {
			return list.keys
		}
	}
	return nil
}

// remember stores the sorted keys from first on for later maps. If there is a list already, remember keeps it until
// replaceAfter maps have missed it. It ignores maps with more than mostKnown entries or more than knownBytes bytes of
// keys.
func (k *keyOrders) remember(s *mapScratch, first int) {
	order := s.order[first:]
	count := len(order)
	if count > mostKnown || k.lists[count].Load() != nil && k.misses[count].Add(1) < replaceAfter {
		return
	}
	length := 0
	for _, key := range s.keys[first:] {
		length += len(key)
	}
	if length > knownBytes {
		return
	}
	k.misses[count].Store(0)
	var text strings.Builder
	text.Grow(length)
	for _, o := range order {
		text.WriteString(s.keys[first+o.index])
	}
	all, list := text.String(), knownList{make([]encodedKey, count), true}
	for i, o := range order {
		n := len(s.keys[first+o.index])
		list.utf8 = list.utf8 && isUTF8(all[:n])
		list.keys[i], all = newEncodedKey(all[:n]), all[n:]
	}
	k.lists[count].Store(&list)
}
