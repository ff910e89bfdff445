package polypack

// Plan of the file: encoding maps. The keys are collected first. Then they are sorted by their canonical forms
// (spec/08-canonical.md); SortMaps(false) leaves out the sorting. Strings and integers without methods can be sorted
// before they are encoded, and need no search for duplicates. All other keys are encoded before they are sorted and
// compared.
//
// Keys and values are copied out of the map into memory that is allocated once per map, not once per entry.

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"

	"github.com/polypack/polypack/go/internal/format"
)

// A mapWriter encodes maps of one type.
type mapWriter struct {
	typ       reflect.Type
	key, elem *plan
}

func mapEncoder(t reflect.Type, key, elem *plan) encodeFunc {
	p := &mapWriter{t, key, elem}
	encode := p.encodeOther
	if !key.custom {
		switch t.Key().Kind() {
		case reflect.String:
			encode = p.encodeText
		case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
			reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
			encode = p.encodeNumbers
		}
	}
	return func(e *Encoder, v reflect.Value) error {
		if v.IsNil() && !e.nilAsEmpty {
			e.buf = append(e.buf, format.Nil)
			return nil
		}
		return encode(e, v)
	}
}

// A mapBoxes holds copies of the n values of a map, and of one key at a time.
type mapBoxes struct {
	key, values reflect.Value
	n           int
}

func (p *mapWriter) boxes(n int) mapBoxes {
	return mapBoxes{reflect.New(p.typ.Key()).Elem(), reflect.MakeSlice(reflect.SliceOf(p.typ.Elem()), n, n), n}
}

// take copies the current entry of the iterator: the key to b.key, and the value to b.values at index i.
func (b *mapBoxes) take(it *reflect.MapIter, i int) {
	b.key.SetIterKey(it)
	b.values.Index(i).SetIterValue(it)
}

// A textEntry is a string key and the index of its value in the mapBoxes.
type textEntry struct {
	key   string
	index int
}

func compareEntries(a, b textEntry) int { return compareText(a.key, b.key) }

// textEntries returns the entries of v in the order in which they are written, and the mapBoxes with their values.
func (p *mapWriter) textEntries(e *Encoder, v reflect.Value) ([]textEntry, mapBoxes) {
	b := p.boxes(v.Len())
	entries := make([]textEntry, 0, b.n)
	for it := v.MapRange(); len(entries) < b.n && it.Next(); {
		b.take(it, len(entries))
		entries = append(entries, textEntry{b.key.String(), len(entries)})
	}
	if !e.unsorted {
		slices.SortFunc(entries, compareEntries)
	}
	return entries, b
}

func (p *mapWriter) encodeText(e *Encoder, v reflect.Value) error {
	if err := e.enter("map", v.Len()); err != nil {
		return err
	}
	entries, b := p.textEntries(e, v)
	e.buf = appendMapHead(e.buf, len(entries))
	if err := p.encodeTextEntries(e, entries, b); err != nil {
		return err
	}
	e.leave()
	return nil
}

func (p *mapWriter) encodeTextEntries(e *Encoder, entries []textEntry, b mapBoxes) error {
	for _, entry := range entries {
		if err := e.string(entry.key); err != nil {
			return err
		}
		if err := p.elem.encode(e, b.values.Index(entry.index)); err != nil {
			return within(err, entry.key)
		}
	}
	return nil
}

// A numberEntry is an integer key and the index of its value in the mapBoxes. head is the head byte of the encoded key.
// Sorting by head and then by bits gives the order of canonical keys.
type numberEntry struct {
	head     byte
	negative bool
	bits     uint64
	index    int
}

func compareNumbers(a, b numberEntry) int {
	return cmp.Or(cmp.Compare(a.head, b.head), cmp.Compare(a.bits, b.bits))
}

func (p *mapWriter) encodeNumbers(e *Encoder, v reflect.Value) error {
	if err := e.enter("map", v.Len()); err != nil {
		return err
	}
	b := p.boxes(v.Len())
	entries := make([]numberEntry, 0, b.n)
	signed := b.key.CanInt()
	for it := v.MapRange(); len(entries) < b.n && it.Next(); {
		b.take(it, len(entries))
		entry := numberEntry{index: len(entries)}
		var head [16]byte
		if signed {
			entry.bits, entry.negative = uint64(b.key.Int()), b.key.Int() < 0
			entry.head = appendInt(head[:0], b.key.Int())[0]
		} else {
			entry.bits = b.key.Uint()
			entry.head = appendUint(head[:0], entry.bits)[0]
		}
		entries = append(entries, entry)
	}
	if !e.unsorted {
		slices.SortFunc(entries, compareNumbers)
	}
	e.buf = appendMapHead(e.buf, len(entries))
	for i, entry := range entries {
		start := len(e.buf)
		if entry.negative {
			e.int(int64(entry.bits))
		} else {
			e.uint(entry.bits)
		}
		if err := p.elem.encode(e, b.values.Index(entry.index)); err != nil {
			return within(err, keySegment(e.buf, keyPlace{offset: start}, i))
		}
	}
	e.leave()
	return nil
}

// encodeOther encodes a map with keys of any type. It encodes all keys first, to sort and compare them.
func (p *mapWriter) encodeOther(e *Encoder, v reflect.Value) error {
	if err := e.enter("map", v.Len()); err != nil {
		return err
	}
	type entry struct {
		encoded, canonical []byte
		index              int
	}
	entries := make([]entry, 0, v.Len())
	var known objectKeys // only if entries aren't sorted; sorting makes equal keys neighbours
	before := len(e.buf)
	b := p.boxes(v.Len())
	for it := v.MapRange(); len(entries) < b.n && it.Next(); {
		b.take(it, len(entries))
		e.keys++
		if err := p.key.encode(e, b.key); err != nil {
			return inKey(err)
		}
		e.keys--
		encoded := bytes.Clone(e.buf[before:])
		e.buf = e.buf[:before]
		canonical, err := e.comparable(encoded)
		if err != nil {
			return err
		}
		if e.unsorted && !known.addCanonical(canonical) {
			return within(duplicateKey(), keySegment(encoded, keyPlace{}, len(entries)))
		}
		entries = append(entries, entry{encoded, canonical, len(entries)})
	}
	if !e.unsorted {
		slices.SortFunc(entries, func(a, b entry) int {
			return cmp.Or(bytes.Compare(a.canonical, b.canonical), bytes.Compare(a.encoded, b.encoded))
		})
	}
	e.buf = appendMapHead(e.buf, len(entries))
	for i, entry := range entries {
		if i > 0 && e.keys == 0 && !e.unsorted && bytes.Equal(entries[i-1].canonical, entry.canonical) {
			return within(duplicateKey(), keySegment(entry.encoded, keyPlace{}, i))
		}
		e.buf = append(e.buf, entry.encoded...)
		if err := p.elem.encode(e, b.values.Index(entry.index)); err != nil {
			return within(err, keySegment(entry.encoded, keyPlace{}, i))
		}
	}
	e.leave()
	return nil
}
