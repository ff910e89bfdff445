package polypack

// Plan of the file: value, which reads a value of any kind into the Go type that the mode chooses (spec/09-modes.md). A
// map starts as map[string]any. At its first key that isn't a str, it turns into a map[any]any, or in lossless mode
// into an Object. In default mode a bin as key counts as a str.

import (
	"math"

	"github.com/polypack/polypack/go/internal/format"
)

const anyBytes, stringBytes = 16, 16

func (d *Decoder) value() (any, error) {
	start := d.offset
	if start >= len(d.data) {
		return nil, d.failEnd()
	}
	c := d.data[start]
	switch families[c] {
	case familyNil:
		d.offset++
		return nil, nil
	case familyBool:
		d.offset++
		return c == format.True, nil
	case familyInt:
		if c >= firstRecordID && c <= lastRecordID && d.inline() {
			start := d.offset
			s, err := d.record()
			if err != nil {
				return nil, err
			}
			if s != nil {
				return d.anyRecord(start, s)
			}
		}
		return d.anyNumber()
	case familyFloat:
		return d.anyNumber()
	case familyStr:
		text, err := d.text()
		if err != nil {
			return nil, err
		}
		return d.keep(text), nil
	case familyBin:
		b, err := d.bin()
		if err != nil {
			return nil, err
		}
		return d.keepBytes(b), nil
	case familyArray:
		return d.anyArray()
	case familyMap:
		return d.anyMap()
	case familyExt:
		return d.anyExtension()
	}
	return nil, d.failReserved(start)
}

func (d *Decoder) anyNumber() (any, error) {
	bits, form, err := d.number()
	if err != nil {
		return nil, err
	}
	switch {
	case form == formFloat64:
		return math.Float64frombits(bits), nil
	case form == formFloat32:
		return float32(math.Float64frombits(bits)), nil
	case form == formUnsigned && bits > math.MaxInt64:
		return bits, nil
	}
	return int64(bits), nil
}

func (d *Decoder) anyArray() (any, error) {
	n, err := d.openArray()
	if err != nil {
		return nil, err
	}
	elements, promised := make([]any, 0, d.preallocate(n, anyBytes)), 0
	for i := range n {
		d.owed--
		element, err := d.value()
		if err != nil {
			return nil, withinIndex(err, i)
		}
		elements = append(grown(d, elements, n, &promised), element)
	}
	d.arrived(promised)
	d.close()
	return elements, nil
}

func (d *Decoder) anyExtension() (any, error) {
	start := d.offset
	typ, data, end, err := d.extension("a value")
	if err != nil {
		return nil, err
	}
	switch {
	case typ == format.TimestampType:
		ts, err := d.timestamp()
		if err != nil {
			return nil, err
		}
		if ts.fitsTime() {
			return ts.time(), nil
		}
		if d.mode != Lossless {
			return nil, d.fail(CodeOutOfRange, start, timeRangeText(ts), timeRangeMend)
		}
		return ts, nil
	case isDeclaration(typ, data):
		s, err := d.declaration()
		if err != nil {
			return nil, err
		}
		return d.anyRecord(start, s)
	case d.registeredFor(typ, data) != nil:
		return d.registeredAny(d.registeredFor(typ, data), start, end, data)
	case isUndefined(typ, data) && d.mode != Lossless:
		d.offset = end
		return nil, nil
	}
	d.offset = end
	return Ext{Type: typ, Data: copyBytes(data)}, nil
}

func (d *Decoder) anyRecord(start int, s *shape) (any, error) {
	if err := d.countHashed(start, s); err != nil {
		return nil, err
	}
	m := make(map[string]any, d.preallocate(len(s.names), mapEntryBytes(stringBytes, anyBytes)))
	for _, name := range s.names {
		d.owed--
		value, err := d.value()
		if err != nil {
			return nil, within(err, name)
		}
		m[name] = value
	}
	d.close()
	return m, nil
}

func (d *Decoder) anyMap() (any, error) {
	n, err := d.openMap()
	if err != nil {
		return nil, err
	}
	if n > 0 && !d.isName() {
		return d.anyEntries(nil, nil, 0, n)
	}
	capacity := d.preallocate(n, mapEntryBytes(stringBytes, anyBytes))
	m := make(map[string]any, capacity)
	var order []string // the keys in order, in case the map turns into an Object
	var promised, promisedOrder int
	if d.mode == Lossless {
		order = make([]string, 0, d.preallocate(n, stringBytes))
	}
	for i := range n {
		if !d.isName() {
			v, err := d.anyEntries(m, order, i, n)
			d.arrived(promised + promisedOrder)
			return v, err
		}
		place := d.keyPlace()
		d.owed--
		text, err := d.name()
		if err != nil {
			return nil, err
		}
		key := d.keep(text)
		if d.checked() {
			if _, twice := m[key]; twice {
				return nil, d.withinEntry(d.failDuplicate(place.offset), place, i)
			}
		}
		if d.mode == Lossless {
			order = append(grown(d, order, n, &promisedOrder), key)
		}
		d.owed--
		value, err := d.value()
		if err != nil {
			return nil, d.withinEntry(err, place, i)
		}
		if len(m) == capacity {
			m, capacity = grownMap(d, m, n, &promised)
		}
		m[key] = value
	}
	d.arrived(promised + promisedOrder)
	d.close()
	return m, nil
}

// anyEntries continues a map whose next key isn't a str, by the rules of the mode. first is the number of entries that
// have been read. m has these entries, and order has their keys in lossless mode.
func (d *Decoder) anyEntries(m map[string]any, order []string, first, count int) (any, error) {
	if d.mode == Lossless {
		return d.anyObject(m, order, count)
	}
	return d.mixedMap(m, first, count)
}

// anyObject continues a map whose next key isn't a str. m holds the entries that have been read, and order their keys.
func (d *Decoder) anyObject(m map[string]any, order []string, count int) (any, error) {
	known := new(objectKeys)
	o := make(Object, 0, max(len(order), d.preallocate(count, entryBytes)))
	for _, key := range order {
		known.add([]byte(key))
		o = append(o, Entry{key, m[key]})
	}
	o, err := d.objectEntries(o, known, len(order), count)
	if err != nil {
		return nil, err
	}
	return o, nil
}

// mixedMap continues a map whose next key isn't a str. first is the number of entries that have been read, and text has
// these entries.
//
// A Go map can't find a NaN key again. The data model has only one NaN, so the entry with the key NaN is kept outside
// the map until the end.
func (d *Decoder) mixedMap(text map[string]any, first, count int) (any, error) {
	capacity, promised := max(len(text), d.preallocate(count, mapEntryBytes(anyBytes, anyBytes))), 0
	m := make(map[any]any, capacity)
	for key, value := range text {
		m[key] = value
	}
	var ofNaN any
	hasNaN := false
	for i := first; i < count; i++ {
		d.owed--
		place := d.keyPlace()
		key, err := d.hashableKey("a map[any]any")
		if err != nil {
			return nil, err
		}
		f, isFloat := key.(float64)
		isNaN := isFloat && f != f
		if d.checked() {
			if _, twice := m[key]; twice || isNaN && hasNaN {
				return nil, d.withinEntry(d.failDuplicate(place.offset), place, i)
			}
		}
		d.owed--
		value, err := d.value()
		if err != nil {
			return nil, d.withinEntry(err, place, i)
		}
		if isNaN {
			ofNaN, hasNaN = value, true
			continue
		}
		if len(m) == capacity {
			m, capacity = grownMap(d, m, count, &promised)
		}
		m[key] = value
	}
	if hasNaN {
		m[math.NaN()] = ofNaN
	}
	d.arrived(promised)
	d.close()
	return m, nil
}
