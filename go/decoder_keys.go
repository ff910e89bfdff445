package polypack

// Plan of the file: keySet, which notices equal keys by their canonical bytes (spec/01-data-model.md#map), and the
// check of a key's kind against those its target can hold, before the rest of the key is read.

import (
	"bytes"
	"hash/maphash"
	"reflect"
	"slices"

	"github.com/polypack/polypack/go/internal/format"
)

// A keySet holds keys as spans of a buffer that the caller keeps. A few keys are compared one by one; more go through
// an open-addressing table of indexes, seeded at random so that no input can choose collisions. 12 to 24 bytes per key.
type keySet struct {
	spans []keySpan
	table []uint32 // 1 + index of a span, 0 is free; the length is a power of two, at most half is taken
	seed  maphash.Seed
}

// A keySpan is where a key's canonical bytes start and end.
type keySpan struct{ start, end int }

// fewKeys is the largest number of keys that are compared one by one.
const fewKeys = 8

// add adds the key buf[start:end] if it is not in the set yet, and returns its index in the order of adding.
func (s *keySet) add(buf []byte, start, end int) (index int, added bool) {
	key := buf[start:end]
	if len(s.spans) < fewKeys {
		for i, span := range s.spans {
			if bytes.Equal(buf[span.start:span.end], key) {
				return i, false
			}
		}
		s.spans = append(s.spans, keySpan{start, end})
		return len(s.spans) - 1, true
	}
	if 2*len(s.spans) >= len(s.table) {
		s.grow(buf)
	}
	mask := uint64(len(s.table) - 1)
	slot := maphash.Bytes(s.seed, key) & mask
	for s.table[slot] != 0 {
		i := int(s.table[slot] - 1)
		if bytes.Equal(buf[s.spans[i].start:s.spans[i].end], key) {
			return i, false
		}
		slot = (slot + 1) & mask
	}
	if n := len(s.spans); n == cap(s.spans) {
		s.spans = slices.Grow(s.spans, 3*n) // see growth; the count isn't known here
	}
	s.spans = append(s.spans, keySpan{start, end})
	s.table[slot] = uint32(len(s.spans))
	return len(s.spans) - 1, true
}

// grow doubles the table and enters every key again.
func (s *keySet) grow(buf []byte) {
	if len(s.table) == 0 {
		s.seed = maphash.MakeSeed()
	}
	s.table = make([]uint32, max(4*fewKeys, 2*len(s.table)))
	mask := uint64(len(s.table) - 1)
	for i, span := range s.spans {
		slot := maphash.Bytes(s.seed, buf[span.start:span.end]) & mask
		for s.table[slot] != 0 {
			slot = (slot + 1) & mask
		}
		s.table[slot] = uint32(i + 1)
	}
}

// scalarKeys are the kinds a Go map with keys of type any can hold, besides nil, undefined and timestamps.
const scalarKeys = familyNil | familyBool | familyInt | familyFloat | familyStr

// keyFamilies returns the families whose values a key of type t can hold. Ext stands for timestamps; map includes
// records.
func keyFamilies(t reflect.Type) family {
	if t.Kind() == reflect.Pointer && t.Elem().Kind() != reflect.Pointer {
		return keyFamilies(t.Elem()) | familyNil
	}
	if t == timeType || t == timestampType {
		return familyExt
	}
	if readsText(t) {
		return familyStr
	}
	switch t.Kind() {
	case reflect.Bool:
		return familyBool
	case reflect.String:
		return familyStr
	case reflect.Interface:
		return scalarKeys | familyExt
	case reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 && !hasMethods(t.Elem()) {
			return familyBin
		}
		return familyArray
	case reflect.Struct:
		return familyMap
	}
	return familyInt | familyFloat // types of other kinds can't be keys or have no encoding
}

// checkKey refuses a key whose kind isn't in holds, before the rest of the key is read. The kind of an ext depends on
// its type; see checkExtensionKey.
func (d *Decoder) checkKey(holds family, target string) error {
	if d.offset >= len(d.data) {
		return d.failEnd()
	}
	start := d.offset
	switch f := families[d.data[start]]; {
	case f == familyReserved:
		return d.failReserved(start)
	case f == familyInt && d.inline():
		s, _, err := d.instanceAt(start)
		if err != nil {
			return err
		}
		if s != nil && holds&familyMap == 0 {
			return d.failKey(start, "a record as key does not fit "+target)
		}
		if s == nil && holds&familyInt == 0 {
			return d.failKey(start, "int as key does not fit "+target)
		}
		return nil
	case f == familyExt:
		return d.checkExtensionKey(holds, target)
	case f&holds == 0:
		return d.failKey(start, formatName(d.data[start])+" as key does not fit "+target)
	}
	return nil
}

// checkExtensionKey refuses an ext as key unless the target can hold it: a timestamp needs ext in holds, a record needs
// map, and undefined needs nil. Only undefined and records need more than the type.
func (d *Decoder) checkExtensionKey(holds family, target string) error {
	start := d.offset
	typ, length, body, err := d.extensionHead("a key")
	if err != nil {
		return err
	}
	switch {
	case typ == format.TimestampType && holds&familyExt != 0:
		return nil
	case typ == format.UndefinedType && length == 1 && holds&familyNil != 0:
		if body >= len(d.data) {
			return d.failBody(start, body, length)
		}
		if d.data[body] == 0 {
			return nil
		}
	case typ == format.RecordType && (length == 1 || length == 2):
		if length > int64(len(d.data)-body) {
			return d.failBody(start, body, length)
		}
		if !d.inline() {
			return d.failRecordsOff(start)
		}
		if holds&familyMap != 0 {
			return nil
		}
	}
	return d.failKey(start, "an ext as key does not fit "+target)
}
