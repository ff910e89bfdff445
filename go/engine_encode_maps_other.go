//go:build !purego

package polypack

// Plan of the file: maps that Go cannot range over without reflection. Reflection fetches the entries, the engine encodes them:
// elements are copied into a slice, keys of string and integer kinds are sorted as words. Maps with other keys, and those whose
// elements only the plan knows, are left to the plan.

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strconv"
	"unsafe"

	"github.com/polypack/polypack/go/wire"
)

// otherMap encodes the map at p; there is room for a scalar.
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
	if n < 0 && e.err == nil { // something is too long: the plan says what
		return e.plan(nd, 0, p)
	}
	return n
}

// otherTextMap encodes a map with keys of a string kind.
func (e *engineEncoder) otherTextMap(nd *node, n int, m reflect.Value) int {
	s, elem := e.mapScratch(), nd.elem
	first, count := len(s.keys), 0
	elements := reflect.MakeSlice(nd.elements, m.Len(), m.Len())
	for entry := m.MapRange(); count < elements.Len() && entry.Next(); count++ {
		s.keys = append(s.keys, "")
		key := &s.keys[first+count]
		reflect.NewAt(nd.key.typ, unsafe.Pointer(key)).Elem().SetIterKey(entry)
		s.order = append(s.order, textOrder{textWord(*key), count})
		elements.Index(count).SetIterValue(entry)
	}
	if !e.settings.unsorted {
		s.sort(first)
	}
	base := elements.UnsafePointer()
	n = e.MapHead(n, count)
	for i := range count {
		at := s.order[first+i].index
		key := s.keys[first+at]
		if n = e.String(n, key, wire.Scalar); n < 0 {
			break
		}
		if n = e.value(elem, n, unsafe.Add(base, uintptr(at)*elem.size)); n < 0 {
			if e.err != nil {
				e.withinText(key)
			}
			break
		}
	}
	s.cut(first)
	return n
}

// integerMap encodes a map with keys of an integer kind.
func (e *engineEncoder) integerMap(nd *node, n int, m reflect.Value) int {
	elem, count := nd.elem, 0
	elements, keys := reflect.MakeSlice(nd.elements, m.Len(), m.Len()), make([]integerKey, m.Len())
	key := reflect.New(nd.key.typ).Elem()
	signed := key.CanInt()
	for entry := m.MapRange(); count < len(keys) && entry.Next(); count++ {
		key.SetIterKey(entry)
		if signed {
			keys[count] = integerKey{integerWord(key.Int()), uint64(key.Int()), count}
		} else {
			keys[count] = integerKey{key.Uint(), key.Uint(), count}
		}
		elements.Index(count).SetIterValue(entry)
	}
	keys = keys[:count]
	if !e.settings.unsorted {
		slices.SortFunc(keys, func(a, b integerKey) int { return cmp.Compare(a.word, b.word) })
	}
	base := elements.UnsafePointer()
	n = e.MapHead(n, count)
	for _, key := range keys {
		e.Room(n, wire.Scalar)
		if signed {
			n = e.Int(n, int64(key.value))
		} else {
			n = e.Uint(n, key.value)
		}
		if n = e.value(elem, n, unsafe.Add(base, uintptr(key.index)*elem.size)); n < 0 {
			if e.err != nil && signed {
				return e.within(strconv.FormatInt(int64(key.value), 10))
			}
			if e.err != nil {
				return e.within(strconv.FormatUint(key.value, 10))
			}
			break
		}
	}
	return n
}

// An integerKey is a key of an integer kind, where it stands among the canonical keys, and the index of its element.
type integerKey struct {
	word, value uint64
	index       int
}

// integerWord returns a word that orders integers as their encodings are ordered: 0 and up, then by the heads d0 to d3 the
// negative ones of one, two, four and eight bytes, then -32 to -1, which are heads themselves.
func integerWord(v int64) uint64 {
	const (
		negative = 1 << 63
		bytes1   = -math.MinInt8 - 32 // how many numbers each head is for
		bytes2   = -math.MinInt16 + math.MinInt8
		bytes4   = -math.MinInt32 + math.MinInt16
	)
	switch {
	case v >= -32: // as they are, at the very beginning or end
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
