//go:build !purego

package polypack

// Plan of the file: maps with keys of type string that the engine ranges over without reflection (mapOps). Entries are
// written in the order of canonical keys, unless SortMaps is off. In most programs the same keys come again and again,
// for example in rows and documents. So the engine remembers the sorted keys of a map, and looks up the elements by
// these keys in the next map. This takes no sorting and no loop over the map. If the keys differ, they are sorted in a
// mapScratch, see engine_encode_keys.go.

import (
	"unsafe"

	"github.com/polypack/polypack/go/internal/format"
	"github.com/polypack/polypack/go/internal/wire"
)

// missing is what knownEntries returns instead of a position if the map has other keys than expected.
const missing = -2

// textMap encodes the map m of the node's type.
func (e *engineEncoder) textMap(nd *node, n int, m unsafe.Pointer) int {
	e.Reserve(n, wire.Scalar)
	if m == nil && !e.settings.nilAsEmpty {
		return e.Nil(n)
	}
	if e.depth >= e.maxDepth {
		return e.planMap(nd, n, m)
	}
	e.depth++
	switch p := unsafe.Pointer(&m); nd.op {
	case opMapStringString:
		n = e.stringEntries(nd, n, *(*map[string]string)(p))
	case opMapStringAny:
		n = e.anyEntries(nd, n, *(*map[string]any)(p))
	case opMapStringInt:
		n = entries(e, nd, n, *(*map[string]int)(p), intOp)
	case opMapStringInt64:
		n = entries(e, nd, n, *(*map[string]int64)(p), opInt64)
	case opMapStringFloat64:
		n = entries(e, nd, n, *(*map[string]float64)(p), opFloat64)
	case opMapStringBool:
		n = entries(e, nd, n, *(*map[string]bool)(p), opBool)
	}
	e.depth--
	if n < 0 && e.err == nil { // something is too long, so the plan makes the error
		return e.planMap(nd, 0, m)
	}
	return n
}

// planMap encodes the map m of the node's type with the plan.
//
//go:noinline
func (e *engineEncoder) planMap(nd *node, n int, m unsafe.Pointer) int {
	held := eface{typePointer(nd.typ), m}
	return e.planHeld(nd, n, *(*any)(unsafe.Pointer(&held)))
}

// entries encodes a map whose elements are scalars or strings. elem is their op.
func entries[V any](e *engineEncoder, nd *node, n int, m map[string]V, elem op) int {
	if e.settings.unsorted {
		n = e.MapHead(n, len(m))
		for key, v := range m {
			e.ReserveFor(n, len(key), wire.Scalar)
			if n = e.text(n, key); n < 0 {
				break
			}
			if n = e.element(elem, n, unsafe.Pointer(&v)); n < 0 {
				return e.withinElement(key)
			}
		}
		return n
	}
	if keys := nd.known.keys(len(m), e.checked); keys != nil {
		if n := knownEntries(e, n, m, elem, keys); n != missing {
			return n
		}
	}
	return sortedEntries(e, nd, n, m, elem)
}

// knownEntries encodes a map with these keys. If the map has other keys, it returns missing, and the caller encodes the
// map again from the same position.
func knownEntries[V any](e *engineEncoder, n int, m map[string]V, elem op, keys []encodedKey) int {
	n = e.MapHead(n, len(m))
	for i := range keys {
		key := &keys[i]
		v, ok := m[key.text]
		if !ok {
			return missing
		}
		if n = e.element(elem, e.encodedKey(n, key), unsafe.Pointer(&v)); n < 0 {
			return e.withinElement(key.text)
		}
	}
	return n
}

// encodedKey writes a key, and reserves wire.Scalar bytes after it.
func (e *engineEncoder) encodedKey(n int, key *encodedKey) int {
	e.Reserve(n, key.length+wire.Scalar)
	e.Word(n, key.word0)
	e.Word(n+8, key.word1)
	if key.length > longKey {
		wire.PutString(e.Base(), n, key.text)
	}
	return n + key.length
}

// stringEntries is entries for a map of strings, with a faster loop if the keys are remembered.
func (e *engineEncoder) stringEntries(nd *node, n int, m map[string]string) int {
	keys := nd.known.keys(len(m), e.checked)
	if keys == nil || e.settings.unsorted {
		return entries(e, nd, n, m, opString)
	}
	at := n
	n = e.MapHead(n, len(m))
	for i := range keys {
		key := &keys[i]
		s, ok := m[key.text]
		if !ok {
			return sortedEntries(e, nd, at, m, opString)
		}
		if e.checked && !isUTF8(s) {
			e.notUTF8(s)
			return e.within(key.text)
		}
		if len(s) <= format.MaxFixstr {
			e.Reserve(n, max(key.length+1+len(s), longKey))
		} else {
			e.ReserveFor(n, len(s), key.length+wire.Scalar)
		}
		e.Word(n, key.word0)
		e.Word(n+8, key.word1)
		if key.length > longKey {
			wire.PutString(e.Base(), n, key.text)
		}
		n += key.length
		switch {
		case !wire.IsShort(s):
			if n = wire.PutString(e.Base(), n, s); n < 0 {
				return n
			}
		case len(s) >= 8:
			n = wire.PutWords(e.Base(), n, s)
		default:
			n = wire.PutHalves(e.Base(), n, s)
		}
	}
	return n
}

// sortedEntries encodes a map after sorting its keys.
func sortedEntries[V any](e *engineEncoder, nd *node, n int, m map[string]V, elem op) int {
	s := e.mapScratch()
	first := len(s.keys)
	for key := range m {
		s.push(key)
	}
	s.sort(first)
	nd.known.remember(s, first)
	n = e.MapHead(n, len(s.keys)-first)
	for i := first; i < len(s.keys) && n >= 0; i++ {
		key := s.keys[first+s.order[i].index]
		v := m[key]
		e.ReserveFor(n, len(key), wire.Scalar)
		if n = e.text(n, key); n < 0 {
			break
		}
		if n = e.element(elem, n, unsafe.Pointer(&v)); n < 0 {
			n = e.withinElement(key)
		}
	}
	s.cut(first)
	return n
}

// withinElement ends a map after a failed element. If there is an error, it adds the key to the path. Otherwise the
// element is too long, and the plan makes the error later.
//
//go:noinline
func (e *engineEncoder) withinElement(key string) int {
	if e.err != nil {
		return e.within(key)
	}
	return failed
}

// element encodes an element, a scalar or a string, after its key. The caller has reserved wire.Scalar bytes.
func (e *engineEncoder) element(op op, n int, p unsafe.Pointer) int {
	switch op {
	case opString:
		s := *(*string)(p)
		e.ReserveFor(n, len(s), wire.TextHead)
		return e.text(n, s)
	case opInt32:
		return e.Int(n, int64(*(*int32)(p)))
	case opInt64:
		return e.Int(n, *(*int64)(p))
	case opFloat64:
		return e.Float64(n, *(*float64)(p))
	}
	return e.Bool(n, *(*bool)(p))
}

// anyEntries encodes a map[string]any.
func (e *engineEncoder) anyEntries(nd *node, n int, m map[string]any) int {
	if e.settings.unsorted {
		return e.unsortedAnyEntries(n, m)
	}
	if keys := nd.known.keys(len(m), e.checked); keys != nil && len(keys) <= fewEntries {
		// Fetch all elements before encoding the first one. Encoding may run methods, whose effects can't be undone
		// when a key turns out to be missing.
		var values [fewEntries]any
		found := 0
		for i := range keys {
			v, ok := m[keys[i].text]
			if !ok {
				break
			}
			values[i&(fewEntries-1)] = v
			found++
		}
		if found == len(m) {
			n = e.MapHead(n, len(m))
			for i := range keys {
				key := &keys[i]
				if n = e.anyBehind(e.encodedKey(n, key), key.text, values[i&(fewEntries-1)]); n < 0 {
					break
				}
			}
			return n
		}
	}
	return e.sortedAnyEntries(nd, n, m)
}

// sortedAnyEntries encodes a map[string]any after sorting its keys.
//
//go:noinline
func (e *engineEncoder) sortedAnyEntries(nd *node, n int, m map[string]any) int {
	s := e.mapScratch()
	first := len(s.keys)
	for key := range m {
		s.push(key)
	}
	s.sort(first)
	last := len(s.keys)
	if last-first <= fewEntries {
		nd.known.remember(s, first)
	}
	n = e.MapHead(n, last-first)
	for i := first; i < last; i++ { // maps inside this one push their keys after last
		key := s.keys[first+s.order[i].index]
		if n = e.anyElement(n, key, m[key]); n < 0 {
			break
		}
	}
	s.cut(first)
	return n
}

// unsortedAnyEntries encodes a map[string]any in the order of iteration.
func (e *engineEncoder) unsortedAnyEntries(n int, m map[string]any) int {
	start, rest := n, len(m)
	n = e.MapHead(n, rest)
	for key, v := range m {
		if n = e.anyElement(n, key, v); n < 0 {
			return n
		}
		rest--
	}
	if rest != 0 {
		return e.changingAnyEntries(start, m)
	}
	return n
}

// changingAnyEntries encodes a map whose number of entries has changed during iteration, for example by a method of an
// element. It fetches all keys before it encodes the first entry.
//
//go:noinline
func (e *engineEncoder) changingAnyEntries(n int, m map[string]any) int {
	s := e.mapScratch()
	first := len(s.keys)
	for key := range m {
		s.push(key)
	}
	last := len(s.keys)
	n = e.MapHead(n, last-first)
	for i := first; i < last; i++ {
		if n = e.anyElement(n, s.keys[i], m[s.keys[i]]); n < 0 {
			break
		}
	}
	s.cut(first)
	return n
}

// anyElement encodes a key and its element.
func (e *engineEncoder) anyElement(n int, key string, v any) int {
	e.ReserveFor(n, len(key), wire.Scalar)
	if n = e.text(n, key); n < 0 {
		return n
	}
	return e.anyBehind(n, key, v)
}

// anyBehind encodes the element after a key. The caller has reserved wire.Scalar bytes.
func (e *engineEncoder) anyBehind(n int, key string, v any) int {
	switch v := v.(type) {
	case string:
		e.ReserveFor(n, len(v), wire.TextHead)
		if n = e.text(n, v); n < 0 {
			return e.withinElement(key)
		}
		return n
	case int:
		return e.Int(n, int64(v))
	case int64:
		return e.Int(n, v)
	case float64:
		return e.Float64(n, v)
	case bool:
		return e.Bool(n, v)
	}
	if n = e.any(n, v); n < 0 && e.err != nil {
		return e.within(key)
	}
	return n
}
