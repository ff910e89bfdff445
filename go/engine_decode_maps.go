//go:build !purego

package polypack

// Plan of the file: maps. Those of strings to the commonest types need no reflection; others go through it with one key
// and one value that are used again and again, and the engine reads into them.

import (
	"reflect"
	"unsafe"
)

// mapOf reads a map into the map[string]V at q.
func mapOf[V any](e *decoding, n *node, q unsafe.Pointer, i int) int {
	start := i
	count, i := e.openMap(i)
	if i < 0 {
		return e.handToPlan(n, q, start)
	}
	m := *(*map[string]V)(q)
	promised := 0
	if m == nil {
		promised = e.promise(count, n.entryBytes())
		m = make(map[string]V, promised)
		*(*map[string]V)(q) = m
	}
	owed := e.owed
	for k := range count {
		place := i
		name, at := e.keyAt(i)
		if at < 0 {
			e.owed = owed + 2*(count-k) - 1
			return e.failKey(n, i)
		}
		var v V
		e.owed = owed + 2*(count-k) - 2
		if i = e.entry(n.op, unsafe.Pointer(&v), at); i < 0 {
			if e.err == nil {
				box := new(V)
				if i = e.handToPlan(n.elem, unsafe.Pointer(box), at); i >= 0 {
					m[name] = *box
					continue
				}
			}
			return e.withinEntry(place, k)
		}
		m[name] = v
	}
	e.kept(promised, n.entryBytes())
	e.owed = owed
	e.depth--
	return i
}

// entry reads the value of an entry of a map with the op into the memory at q. It returns -1 without an error when that
// is for the plan.
func (e *decoding) entry(of op, q unsafe.Pointer, i int) int {
	switch of {
	case opMapStringString:
		*(*string)(q), i = e.string(i)
	case opMapStringAny:
		*(*any)(q), i = e.any(i)
	case opMapStringInt:
		*(*int)(q), i = e.intOf(i)
	case opMapStringInt64:
		*(*int64)(q), i = e.int(i)
	case opMapStringFloat64:
		*(*float64)(q), i = e.float(i)
	case opMapStringBool:
		*(*bool)(q), i = e.bool(i)
	}
	return i
}

// entryBytes is what an entry of a map takes.
func (n *node) entryBytes() uintptr { return mapEntryBytes(n.key.size, n.elem.size) }

// failKey lets the plan word what is wrong with the key at i.
//
//go:noinline
func (e *decoding) failKey(n *node, i int) int {
	return e.keyByPlan(n, reflect.New(n.key.typ).Elem(), i)
}

// keyByPlan lets the plan read the key at i of a map of n's type.
//
//go:noinline
func (e *decoding) keyByPlan(n *node, key reflect.Value, i int) int {
	d := e.planAt(i)
	err := d.checkKey(keyFamilies(n.key.typ), n.typ.String())
	if err == nil {
		err = n.key.plan.decode(d, key)
	}
	if err != nil {
		return e.failed(inKey(err))
	}
	return d.offset
}

// plainKey reports whether a key with this op never needs a second look: no two are equal that Go holds apart, each can
// be hashed, and bytes of other families are refused.
func plainKey(o op) bool { return opInt8 <= o && o <= opUint64 || o == opString }

// mapping reads a map into the map at q.
func (e *decoding) mapping(n *node, q unsafe.Pointer, i int) int {
	start := i
	if !plainKey(n.key.op) {
		return e.handToPlan(n, q, i)
	}
	count, i := e.openMap(i)
	if i < 0 {
		return e.handToPlan(n, q, start)
	}
	m := reflect.NewAt(n.typ, q).Elem()
	promised := 0
	if m.IsNil() {
		promised = e.promise(count, n.entryBytes())
		m.Set(reflect.MakeMapWithSize(n.typ, promised))
	}
	key, value := reflect.New(n.key.typ), reflect.New(n.elem.typ)
	keyElem, valueElem := key.Elem(), value.Elem()
	keyAt, valueAt := key.UnsafePointer(), value.UnsafePointer()
	owed := e.owed
	for k := range count {
		place := i
		e.owed = owed + 2*(count-k) - 1
		if i = e.plainKey(n, keyAt, keyElem, i); i < 0 {
			return i
		}
		if k > 0 {
			valueElem.SetZero()
		}
		e.owed = owed + 2*(count-k) - 2
		if i = e.value(n.elem, valueAt, i); i < 0 {
			return e.withinEntry(place, k)
		}
		setEntry(m, keyElem, valueElem)
	}
	e.kept(promised, n.entryBytes())
	e.owed = owed
	e.depth--
	return i
}

// plainKey reads the key at i into the memory at q, which is that of key.
func (e *decoding) plainKey(n *node, q unsafe.Pointer, key reflect.Value, i int) int {
	if n.key.op == opString {
		if l, at := e.textHead(i); at >= 0 {
			*(*string)(q) = e.key(at, l)
			return at + l
		}
		return e.keyByPlan(n, key, i)
	}
	if i < e.n && families[byteAt(e.base, i)] == familyInt {
		if j := e.value(n.key, q, i); j >= 0 {
			return j
		}
		e.err = inKey(e.err)
		return -1
	}
	return e.keyByPlan(n, key, i)
}
