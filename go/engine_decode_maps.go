//go:build !purego

package polypack

// Plan of the file: maps. Maps with keys of type string and elements of the most common types need no reflection. For
// other maps, the engine reads each entry into two variables, a key and a value, which all entries share. Reflection
// then stores them in the map.

import (
	"reflect"
	"unsafe"
)

// mapOf reads a map into the map[string]V at q. In strict and lossless mode, it stores the value of an entry first. If
// the map hasn't become larger, the key is a duplicate. Then the plan reads the whole map again and reports the key. A
// map that already has entries is left to the plan in these modes. With e.careful, functions of extensions may run
// while a value is read. So mapOf then looks the key up before it reads the value.
func mapOf[V any](e *decoding, n *node, q unsafe.Pointer, i int) int {
	m := *(*map[string]V)(q)
	if e.strict && len(m) > 0 {
		return e.handToPlan(n, q, i)
	}
	start, allowed, fresh := i, e.allowed, m == nil
	count, i := e.openMap(i)
	if i < 0 {
		return e.handToPlan(n, q, start)
	}
	follows := n.elem.op == opAny && len(m) > 0
	promised := 0
	if fresh {
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
			if name, at = e.otherKey(n, i); at < 0 {
				return at
			}
		}
		if e.careful {
			if _, twice := m[name]; twice {
				return e.failTwice(place, k)
			}
		}
		var v V
		e.owed = owed + 2*(count-k) - 2
		if follows && any(m[name]) != nil {
			box := new(V)
			*box = m[name]
			i = e.value(n.elem, unsafe.Pointer(box), at)
			v = *box
		} else if i = e.entry(n.op, unsafe.Pointer(&v), at); i < 0 && e.err == nil {
			box := new(V)
			if i = e.handToPlan(n.elem, unsafe.Pointer(box), at); i >= 0 {
				v = *box
			}
		}
		if i < 0 {
			return failEntry(e, m, name, keyPlace{offset: place, asText: true}, k)
		}
		m[name] = v
		if e.strict && len(m) == k {
			clear(m)
			if fresh {
				*(*map[string]V)(q) = nil
			}
			e.reopen(owed, allowed)
			return e.handToPlan(n, q, start)
		}
	}
	e.kept(promised, n.entryBytes())
	e.owed = owed
	e.depth--
	return i
}

// reopen resets the counts of e to what they were at the head of a map.
func (e *decoding) reopen(owed int, allowed int64) {
	e.owed, e.allowed = owed, allowed
	e.depth--
}

// entry reads the value of a map entry into the memory at q. The parameter named of is the map's op. If the plan must
// read the value, entry returns -1 without an error.
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

// entryBytes estimates the most memory that one entry of a map takes, in bytes.
func (n *node) entryBytes() uintptr { return mapEntryBytes(n.key.size, n.elem.size) }

// otherKey lets the plan read the key at i, which keyAt couldn't read. In default mode the key may be a bin.
//
//go:noinline
func (e *decoding) otherKey(n *node, i int) (string, int) {
	key := reflect.New(n.key.typ).Elem()
	i = e.keyByPlan(n, key, i)
	return key.String(), i
}

// keyByPlan lets the plan read the key at i, of a map of n's type, into key.
//
//go:noinline
func (e *decoding) keyByPlan(n *node, key reflect.Value, i int) int {
	d := e.planAt(i)
	p := mapPlan{typ: n.typ, key: n.key.plan, kinds: d.types.keyKinds(n.key.typ)}
	// The plan starts with an empty set of keys, so it finds no duplicates. The caller must find them.
	if _, err := p.readKey(d, key, new(objectKeys)); err != nil {
		return e.failed(inKey(err))
	}
	return e.behind(d)
}

// plainKey reports whether the engine reads map keys with this op. The engine reads only integers and strings as keys.
// For these, Go and the data model agree on which keys are equal.
func plainKey(o op) bool { return opInt8 <= o && o <= opUint64 || o == opString }

// mapping reads a map into the map at q. In strict and lossless mode, it stores the value of an entry first. If the map
// hasn't become larger, the key is a duplicate. But if user code may run while a value is read, mapping looks the key
// up before it reads the value.
func (e *decoding) mapping(n *node, q unsafe.Pointer, i int) int {
	m := reflect.NewAt(n.typ, q).Elem()
	if !plainKey(n.key.op) || e.strict && m.Len() > 0 {
		return e.handToPlan(n, q, i)
	}
	start, allowed, fresh := i, e.allowed, m.IsNil()
	count, i := e.openMap(i)
	if i < 0 {
		return e.handToPlan(n, q, start)
	}
	lookUp := e.strict && (e.careful || n.elem.mayCall)
	promised := 0
	if fresh {
		promised = e.promise(count, n.entryBytes())
		m.Set(reflect.MakeMapWithSize(n.typ, promised))
	}
	follows := n.elem.typ.Kind() == reflect.Interface && m.Len() > 0
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
		if lookUp && m.MapIndex(keyElem).IsValid() {
			return e.failTwice(place, k)
		}
		if follows {
			setExisting(valueElem, m, keyElem)
		}
		e.owed = owed + 2*(count-k) - 2
		if i = e.value(n.elem, valueAt, i); i < 0 {
			if e.strict && !lookUp && m.MapIndex(keyElem).IsValid() {
				return e.failTwice(place, k)
			}
			return e.withinEntry(keyPlace{offset: place, asText: n.key.op == opString}, k)
		}
		setEntry(m, keyElem, valueElem)
		if e.strict && !lookUp && m.Len() == k {
			m.Clear()
			if fresh {
				m.SetZero()
			}
			e.reopen(owed, allowed)
			return e.handToPlan(n, q, start)
		}
	}
	e.kept(promised, n.entryBytes())
	e.owed = owed
	e.depth--
	return i
}

// plainKey reads the key at i into key, whose memory is at q.
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
