//go:build !purego

package polypack

// Plan of the file: memory for sorting the keys of maps, the order of text as words, and the keys that are remembered.

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sync"
	"unsafe"
)

// A mapScratch is memory for the entries of maps while they are sorted. Its slices are stacks, because maps nest: whoever pushes
// onto one cuts it back.
type mapScratch struct {
	keys    []string
	order   []textOrder
	anys    []any
	strings []string
	ints    []int
	int64s  []int64
	floats  []float64
	bools   []bool
	highest int // the most that any of them has held since the scratch was taken
	known   [knownEntries + 1]keyList
}

const (
	knownEntries = 32   // of the largest map whose keys are remembered
	knownBytes   = 1024 // of all its keys
	keptEntries  = 1024 // up to how many entries the memory is kept for the next message
)

var mapScratches = sync.Pool{New: func() any { return new(mapScratch) }}

// note notes that a stack holds n entries.
func (s *mapScratch) note(n int) { s.highest = max(s.highest, n) }

// release gives the scratch back to the pool. Nothing of the caller's is left in it.
func (s *mapScratch) release() {
	n := s.highest
	if n > keptEntries {
		s.keys, s.order, s.anys, s.strings, s.ints, s.int64s, s.floats, s.bools = nil, nil, nil, nil, nil, nil, nil, nil
	}
	clear(s.keys[:min(n, cap(s.keys))])
	clear(s.anys[:min(n, cap(s.anys))])
	clear(s.strings[:min(n, cap(s.strings))])
	s.keys, s.order, s.highest = s.keys[:0], s.order[:0], 0
	s.anys, s.strings, s.ints, s.int64s, s.floats, s.bools = s.anys[:0], s.strings[:0], s.ints[:0], s.int64s[:0], s.floats[:0], s.bools[:0]
	mapScratches.Put(s)
}

// A textOrder is the index of a key and a word that decides its place, most of the time.
type textOrder struct {
	word  uint64
	index int
}

// textWord returns a word that orders keys as compareText does where the words differ: the length, up to 255, and the first
// seven bytes. Keys of up to seven bytes are equal when their words are.
func textWord(s string) uint64 {
	n := len(s)
	word := uint64(min(n, math.MaxUint8)) << 56
	p := unsafe.Pointer(unsafe.StringData(s))
	switch { // among keys of one length, bytes that are read twice do no harm
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

// fewEntries is up to how many entries are sorted by insertion.
const fewEntries = 16

// sort sorts the keys from first on, by their order.
func (s *mapScratch) sort(first int) {
	order, keys := s.order[first:], s.keys[first:]
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

// A keyList is the sorted keys of a map that has been encoded, in memory of its own: a scratch outlives the message, and must not
// keep the caller's strings alive.
type keyList struct {
	ends    []int // of the keys in text
	text    []byte
	readers int // maps being encoded from the list, which must not change meanwhile
}

// knownList returns the list for maps of count entries, or nil.
func (s *mapScratch) knownList(count int) *keyList {
	if count == 0 || count > knownEntries {
		return nil
	}
	return &s.known[count]
}

func (l *keyList) count() int { return len(l.ends) }

// keys returns the text of all keys. It changes when the list does.
func (l *keyList) keys() string { return unsafe.String(unsafe.SliceData(l.text), len(l.text)) }

// remember makes a list of the sorted keys from first on, unless they are too many or too long.
func (s *mapScratch) remember(first int) {
	order := s.order[first:]
	list := s.knownList(len(order))
	if list == nil || list.readers > 0 {
		return
	}
	list.ends, list.text = list.ends[:0], list.text[:0]
	for _, o := range order {
		key := s.keys[first+o.index]
		if len(list.text)+len(key) > knownBytes {
			list.ends = list.ends[:0]
			return
		}
		list.text = append(list.text, key...)
		list.ends = append(list.ends, len(list.text))
	}
}
