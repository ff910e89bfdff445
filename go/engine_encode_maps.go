//go:build !purego

package polypack

// Plan of the file: maps with keys of type string whose elements Go can range over without reflection. Entries are written in the
// order of canonical keys. Sorting is made cheap by comparing words; where many maps of a message have the same keys, as rows do,
// the order of the last one is tried first, and the map is neither ranged over nor sorted.

import (
	"unsafe"

	"github.com/polypack/polypack/go/wire"
)

// textMap encodes the map m of the node's type.
func (e *engineEncoder) textMap(nd *node, n int, m unsafe.Pointer) int {
	e.Room(n, wire.Scalar)
	if m == nil && !e.settings.nilAsEmpty {
		return e.Nil(n)
	}
	if e.depth >= e.maxDepth {
		return e.planMap(nd, n, m)
	}
	if e.scratch == nil {
		e.scratch = mapScratches.Get().(*mapScratch)
	}
	e.depth++
	switch s, p := e.scratch, unsafe.Pointer(&m); nd.op {
	case opMapStringString:
		n = entries(e, n, *(*map[string]string)(p), opString, &s.strings)
	case opMapStringAny:
		n = entries(e, n, *(*map[string]any)(p), opAny, &s.anys)
	case opMapStringInt:
		n = entries(e, n, *(*map[string]int)(p), intOp, &s.ints)
	case opMapStringInt64:
		n = entries(e, n, *(*map[string]int64)(p), opInt64, &s.int64s)
	case opMapStringFloat64:
		n = entries(e, n, *(*map[string]float64)(p), opFloat64, &s.floats)
	case opMapStringBool:
		n = entries(e, n, *(*map[string]bool)(p), opBool, &s.bools)
	}
	e.depth--
	if n < 0 && e.err == nil { // something is too long: the plan says what
		return e.planMap(nd, 0, m)
	}
	return n
}

// planMap encodes the map m of the node's type by the plan.
//
//go:noinline
func (e *engineEncoder) planMap(nd *node, n int, m unsafe.Pointer) int {
	held := eface{typePointer(nd.typ), m}
	return e.planHeld(nd, n, *(*any)(unsafe.Pointer(&held)))
}

// entries encodes a map. The elements are of the node op elem; values is where the scratch keeps elements of their type.
func entries[V any](e *engineEncoder, n int, m map[string]V, elem op, values *[]V) int {
	s := e.scratch
	if e.settings.unsorted {
		return unsortedEntries(e, n, m, elem)
	}
	if list := s.knownList(len(m)); list != nil && list.count() == len(m) {
		// The order of the last such map, if all its keys are in this one. Elements are fetched first: what a method has
		// written could not be taken back.
		base := len(*values)
		all := list.keys()
		start := 0
		for _, end := range list.ends {
			v, ok := m[all[start:end]]
			if !ok {
				break
			}
			*values = append(*values, v)
			start = end
		}
		if len(*values)-base == len(m) {
			n = e.MapHead(n, len(m))
			list.readers++
			start = 0
			for i, end := range list.ends {
				key := all[start:end]
				start = end
				n = e.String(n, key, wire.Scalar)
				if n = e.element(elem, n, unsafe.Pointer(&(*values)[base+i])); n < 0 && e.err != nil {
					e.withinText(key)
					break
				}
			}
			list.readers--
			s.note(base + len(m))
			*values = (*values)[:base]
			return n
		}
		s.note(len(*values))
		*values = (*values)[:base]
	}
	return unknownEntries(e, n, m, elem, values)
}

// unknownEntries encodes a map with keys that have not been sorted before.
func unknownEntries[V any](e *engineEncoder, n int, m map[string]V, elem op, values *[]V) int {
	s := e.scratch
	first, base, count := len(s.keys), len(*values), 0
	for key, v := range m {
		s.keys = append(s.keys, key)
		s.order = append(s.order, textOrder{textWord(key), count})
		*values = append(*values, v)
		count++
	}
	s.note(max(first, base) + count)
	s.sort(first)
	s.remember(first)
	n = e.MapHead(n, count)
	for i := range count {
		if n < 0 {
			break
		}
		at := s.order[first+i].index
		key := s.keys[first+at]
		if n = e.String(n, key, wire.Scalar); n < 0 {
			break
		}
		if n = e.element(elem, n, unsafe.Pointer(&(*values)[base+at])); n < 0 && e.err != nil {
			e.withinText(key)
		}
	}
	s.keys, s.order, *values = s.keys[:first], s.order[:first], (*values)[:base]
	return n
}

// unsortedEntries encodes a map in the order of iteration.
func unsortedEntries[V any](e *engineEncoder, n int, m map[string]V, elem op) int {
	n = e.MapHead(n, len(m))
	for key, v := range m {
		if n < 0 {
			break
		}
		if n = e.String(n, key, wire.Scalar); n < 0 {
			break
		}
		if n = e.element(elem, n, unsafe.Pointer(&v)); n < 0 && e.err != nil {
			e.withinText(key)
		}
	}
	return n
}

// element encodes an element of a map; there is room for a scalar.
func (e *engineEncoder) element(op op, n int, p unsafe.Pointer) int {
	switch op {
	case opString:
		return e.String(n, *(*string)(p), wire.Scalar)
	case opAny:
		return e.any(n, *(*any)(p))
	case opInt32:
		return e.Int(n, int64(*(*int32)(p)))
	case opInt64:
		return e.Int(n, *(*int64)(p))
	case opFloat64:
		return e.Float64(n, *(*float64)(p))
	}
	return e.Bool(n, *(*bool)(p))
}

// otherMap encodes the map at p, of a type that Go cannot range over without reflection.
func (e *engineEncoder) otherMap(nd *node, n int, p unsafe.Pointer) int { return e.plan(nd, n, p) }
