//go:build !purego

package polypack

// Plan of the file: maps that the engine can't range over without reflection. Reflection fetches the keys, and copies
// the elements into a slice. The engine then sorts the keys, unless SortMaps is off, and encodes the entries. Maps
// whose keys are neither strings nor integers are left to the plan. So are maps with elements that only the plan can
// encode.

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strconv"
	"unsafe"

	"github.com/polypack/polypack/go/internal/wire"
)

// otherMap encodes the map at p. The caller has reserved wire.Scalar bytes.
func (e *engineEncoder) otherMap(nd *node, n int, p unsafe.Pointer) int {
	m := reflect.NewAt(nd.typ, p).Elem()
	if m.IsNil() && !e.settings.nilAsEmpty {
		return e.Nil(n)
	}
	isText := nd.key.op == opString
	if e.depth >= e.maxDepth || nd.elem.op == opPlan || !isText && (nd.key.op < opInt8 || nd.key.op > opUint64) {
		return e.plan(nd, n, p)
	}
	e.depth++
	if isText {
		n = e.otherTextMap(nd, n, m)
	} else {
		n = e.integerMap(nd, n, m)
	}
	e.depth--
	if n < 0 && e.err == nil { // something is too long, so the plan makes the error
		return e.plan(nd, 0, p)
	}
	return n
}

// otherTextMap encodes a map with keys of a string kind.
func (e *engineEncoder) otherTextMap(nd *node, n int, m reflect.Value) int {
	s, elem, box := e.mapScratch(), nd.elem, nd.takeBox(m.Len())
	first, count := len(s.keys), 0
	for entry := m.MapRange(); count < box.elements.Len() && entry.Next(); count++ {
		s.keys = append(s.keys, "")
		key := &s.keys[first+count]
		reflect.NewAt(nd.key.typ, unsafe.Pointer(key)).Elem().SetIterKey(entry)
		s.order = append(s.order, textOrder{textWord(*key), count})
		box.elements.Index(count).SetIterValue(entry)
	}
	if !e.settings.unsorted {
		s.sort(first)
	}
	n = e.MapHead(n, count)
	for i := range count {
		at := s.order[first+i].index
		key := s.keys[first+at]
		e.ReserveFor(n, len(key), wire.Scalar)
		if n = e.text(n, key); n < 0 {
			break
		}
		if n = e.value(elem, n, unsafe.Add(box.base, uintptr(at)*elem.size)); n < 0 {
			if e.err != nil {
				e.within(key)
			}
			break
		}
	}
	s.cut(first)
	nd.giveBack(box, count)
	return n
}

// integerMap encodes a map with keys of an integer kind.
func (e *engineEncoder) integerMap(nd *node, n int, m reflect.Value) int {
	elem, box, count := nd.elem, nd.takeBox(m.Len()), 0
	signed := box.key.CanInt()
	keys := box.keys[:0]
	for entry := m.MapRange(); count < box.elements.Len() && entry.Next(); count++ {
		box.key.SetIterKey(entry)
		if signed {
			keys = append(keys, integerKey{integerWord(box.key.Int()), uint64(box.key.Int()), count})
		} else {
			keys = append(keys, integerKey{box.key.Uint(), box.key.Uint(), count})
		}
		box.elements.Index(count).SetIterValue(entry)
	}
	box.keys = keys
	if !e.settings.unsorted {
		slices.SortFunc(keys, func(a, b integerKey) int { return cmp.Compare(a.word, b.word) })
	}
	n = e.MapHead(n, count)
	for _, key := range keys {
		e.Reserve(n, wire.Scalar)
		if signed {
			n = e.Int(n, int64(key.value))
		} else {
			n = e.Uint(n, key.value)
		}
		if n = e.value(elem, n, unsafe.Add(box.base, uintptr(key.index)*elem.size)); n < 0 {
			if e.err != nil && signed {
				return e.within(strconv.FormatInt(int64(key.value), 10))
			}
			if e.err != nil {
				return e.within(strconv.FormatUint(key.value, 10))
			}
			break
		}
	}
	nd.giveBack(box, count)
	return n
}

// An elementBox is memory for the elements of maps of a type, and for their keys if the keys are integers.
type elementBox struct {
	elements reflect.Value // a slice
	base     unsafe.Pointer
	key      reflect.Value
	keys     []integerKey
}

// An elementBox doesn't go back to the pool if it has memory for more than keptEntries elements or more than
// keptElements bytes.
const keptElements = 32 << 10

// takeBox returns a box for count elements. It reuses a box from the pool if that is large enough.
func (nd *node) takeBox(count int) *elementBox {
	box, _ := nd.boxes.Get().(*elementBox)
	if box == nil || box.elements.Len() < count {
		elements := reflect.MakeSlice(reflect.SliceOf(nd.elem.typ), count, count)
		box = &elementBox{elements: elements, base: elements.UnsafePointer(), key: reflect.New(nd.key.typ).Elem()}
	}
	return box
}

// giveBack clears the count elements that were used in a box, and returns the box to the pool. It drops a box that is
// too large to keep. It also drops a box if methods may have run on its elements, because a method with a pointer
// receiver may have kept the pointer.
func (nd *node) giveBack(box *elementBox, count int) {
	if nd.elem.holdsPlan || box.elements.Len() > keptEntries || uintptr(box.elements.Len())*nd.elem.size > keptElements {
		return
	}
	for i := range count {
		box.elements.Index(i).SetZero()
	}
	nd.boxes.Put(box)
}

// An integerKey has the value of a key of an integer kind, a word that sorts in canonical order, and the index of the
// key's element.
type integerKey struct {
	word, value uint64
	index       int
}

// integerWord returns a word for an integer key. Comparing words gives the same order as comparing the encoded
// integers. First come 0 and above. Then come the negative integers with the head bytes d0, d1, d2 and d3, which have
// one, two, four and eight bytes after the head byte. Last come -32 to -1, which are a head byte alone.
func integerWord(v int64) uint64 {
	const (
		negative = 1 << 63
		bytes1   = -math.MinInt8 - 32 // bytesN is how many negative integers have N bytes after the head byte
		bytes2   = -math.MinInt16 + math.MinInt8
		bytes4   = -math.MinInt32 + math.MinInt16
	)
	switch {
	case v >= -32: // as uint64, 0 and above come first, and -32 to -1 last
		return uint64(v)
	case v >= math.MinInt8:
		return negative + uint64(v-math.MinInt8)
	case v >= math.MinInt16:
		return negative + bytes1 + uint64(v-math.MinInt16)
	case v >= math.MinInt32:
		return negative + bytes1 + bytes2 + uint64(v-math.MinInt32)
	}
	return negative + bytes1 + bytes2 + bytes4 + uint64(v-math.MinInt64)
}
