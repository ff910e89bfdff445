package polypack

// Plan of the file: decoding maps and records into Go maps. hashableKey in decoder_keys.go reads keys of type any, and
// refuses keys that Go can't hash. The plan of the key type reads all other keys. The code below refuses those that Go
// can't hash, and handles equal keys.

import (
	"math"
	"reflect"
)

// A mapPlan decodes maps of one type.
type mapPlan struct {
	typ        reflect.Type
	key, elem  *plan
	kinds      keyKinds // kinds of the values that a key can hold
	entryBytes uintptr
	// hidden means that an interface in a key may hold a value that Go can't hash.
	hidden bool
	// follows means that the elements are interfaces. If the map already has a pointer for a key, the new element is
	// decoded into the value that the pointer points to.
	follows bool
}

func mapDecoder(ts *types, t reflect.Type, key, elem *plan) decodeFunc {
	p := &mapPlan{typ: t, key: key, elem: elem, kinds: ts.keyKinds(t.Key()), entryBytes: mapEntryBytes(t.Key().Size(), t.Elem().Size())}
	switch t.Key().Kind() {
	case reflect.Struct, reflect.Array, reflect.Interface:
		p.hidden = true
	}
	p.follows = t.Elem().Kind() == reflect.Interface
	return p.decode
}

func (p *mapPlan) decode(d *Decoder, v reflect.Value) error {
	if d.skipNil() {
		v.SetZero()
		return nil
	}
	if skipped, err := d.skipEmptyArray(); err != nil {
		return err
	} else if skipped {
		if v.IsNil() {
			v.Set(reflect.MakeMap(p.typ))
		}
		return nil
	}
	start := d.offset
	s, err := d.record()
	if err != nil {
		return err
	}
	if s != nil {
		return p.decodeRecord(d, v, start, s)
	}
	n, err := d.openMap()
	if err != nil {
		return err
	}
	if v.IsNil() {
		v.Set(reflect.MakeMapWithSize(p.typ, d.preallocate(n, p.entryBytes)))
	}
	return p.entries(d, v, n)
}

// setEntry is m.SetMapIndex, but also works if a method has meanwhile set m to nil.
func setEntry(m, key, value reflect.Value) {
	if m.IsNil() {
		m.Set(reflect.MakeMap(m.Type()))
	}
	m.SetMapIndex(key, value)
}

// addEntries adds the entries of a map to v, unless they are the same map.
func addEntries(v, entries reflect.Value) {
	if entries == v {
		return
	}
	for it := entries.MapRange(); it.Next(); {
		setEntry(v, it.Key(), it.Value())
	}
}

// setExisting sets value to the element of the map m at key, if m has that key.
func setExisting(value, m, key reflect.Value) {
	if existing := m.MapIndex(key); existing.IsValid() {
		value.Set(existing)
	}
}

// entries reads the n entries of an open map into v.
//
// Go can't find NaN keys again, so the value of the last NaN key is kept outside the map until the end.
//
// In strict and lossless mode, equal keys are found in two ways: by their canonical bytes, and by Go's comparison. In a
// map[float64]T, Go's comparison also finds −0 and 0 equal, and the int 1 and the float 1.0. Entries from before the
// call must not count as duplicates. So if v has entries, a separate map collects the new ones until the end.
func (p *mapPlan) entries(d *Decoder, v reflect.Value, n int) error {
	into, follows := v, p.follows && v.Len() > 0
	if d.checked() && v.Len() > 0 {
		into = reflect.MakeMapWithSize(p.typ, d.preallocate(n, p.entryBytes))
	}
	key, value := reflect.New(p.typ.Key()).Elem(), reflect.New(p.typ.Elem()).Elem()
	var ofNaN reflect.Value
	var known objectKeys
	for i := range n {
		d.owed--
		place := d.keyPlace()
		place.asText = key.Kind() == reflect.String
		added, err := p.readKey(d, key, &known)
		if err != nil {
			return inKey(err)
		}
		isNaN := isNaNKey(key)
		if d.checked() && (!added || into.MapIndex(key).IsValid() || isNaN && ofNaN.IsValid()) {
			return d.withinEntry(d.failDuplicate(place.offset), place, i)
		}
		d.owed--
		value.SetZero()
		if follows {
			setExisting(value, v, key)
		}
		if err := p.elem.decode(d, value); err != nil {
			return d.withinEntry(err, place, i)
		}
		if isNaN {
			ofNaN = reflect.New(p.typ.Elem()).Elem()
			ofNaN.Set(value)
		} else {
			setEntry(into, key, value)
		}
	}
	if ofNaN.IsValid() {
		setNaN(key)
		setEntry(into, key, ofNaN)
	}
	addEntries(v, into)
	d.close()
	return nil
}

// readKey reads a key. added is false if the key is a duplicate. Duplicates are found only in strict and lossless mode,
// and only if d.trusted isn't set.
func (p *mapPlan) readKey(d *Decoder, key reflect.Value, known *objectKeys) (added bool, err error) {
	if err := d.checkKey(p.kinds, p.typ.String()); err != nil {
		return false, err
	}
	start := d.offset
	key.SetZero()
	if !d.checked() || d.trusted {
		if err := p.decodeKey(d, key); err != nil {
			return false, err
		}
		added = true
	} else {
		_, added, err = d.uniqueKey(known, func(again *Decoder) error { return p.decodeKey(again, key) })
		if err != nil || !added {
			return false, err
		}
	}
	if p.hidden && !key.Comparable() {
		return false, d.failKey(start, formatName(d.data[start])+" as key does not fit "+p.typ.String())
	}
	return added, nil
}

func (p *mapPlan) decodeKey(d *Decoder, key reflect.Value) error {
	if p.typ.Key() != anyType {
		return p.key.decode(d, key)
	}
	k, err := d.hashableKey(p.typ.String())
	if err == nil && k != nil {
		key.Set(reflect.ValueOf(k))
	}
	return err
}

func isNaNKey(key reflect.Value) bool {
	if key.Kind() == reflect.Interface {
		key = key.Elem()
	}
	return key.IsValid() && key.CanFloat() && math.IsNaN(key.Float())
}

func setNaN(key reflect.Value) {
	if key.Kind() == reflect.Interface {
		key.Set(reflect.ValueOf(math.NaN()))
	} else {
		key.SetFloat(math.NaN())
	}
}

func (p *mapPlan) decodeRecord(d *Decoder, v reflect.Value, start int, s *shape) error {
	if p.kinds.in(d)&familyStr == 0 {
		return d.failKey(start, "a record with str as keys does not fit "+p.typ.String())
	}
	if err := d.countHashed(start, s); err != nil {
		return err
	}
	if v.IsNil() {
		v.Set(reflect.MakeMapWithSize(p.typ, d.preallocate(len(s.names), p.entryBytes)))
	}
	into, mayFold := v, d.checked() && p.key.custom // the names differ, but a method may make equal keys of them
	if mayFold && v.Len() > 0 {
		into = reflect.MakeMapWithSize(p.typ, d.preallocate(len(s.names), p.entryBytes))
	}
	key, value := reflect.New(p.typ.Key()).Elem(), reflect.New(p.typ.Elem()).Elem()
	follows := p.follows && v.Len() > 0
	for _, name := range s.names {
		d.owed--
		if err := p.nameKey(d, key, name); err != nil {
			return d.nameFault(start, err)
		}
		if p.hidden && !key.Comparable() {
			return d.failKey(start, "the name "+quote(name)+" as key does not fit "+p.typ.String())
		}
		if mayFold && into.MapIndex(key).IsValid() {
			return within(d.failDuplicate(start), name)
		}
		value.SetZero()
		if follows {
			setExisting(value, v, key)
		}
		if err := p.elem.decode(d, value); err != nil {
			return within(err, name)
		}
		setEntry(into, key, value)
	}
	addEntries(v, into)
	d.close()
	return nil
}

// nameKey sets key to the name of a record's field.
func (p *mapPlan) nameKey(d *Decoder, key reflect.Value, name string) error {
	if key.Kind() == reflect.String && !p.key.custom {
		key.SetString(name)
		return nil
	}
	key.SetZero()
	return p.key.decode(&Decoder{data: appendString(nil, name), settings: d.settings}, key)
}
