package polypack

// Plan of the file: recordWriter, which gives ids to the shapes that an Encoder meets; then writing a struct as a
// record (spec/05-records.md). Only structs become records, because their type fixes the names and the order of their
// fields. Maps and Objects stay maps. The option Records says which structs stay maps, too.
//
// The recordWriter finds the shape of a struct by its shapeKey. It compares names only for a new shapeKey, and for
// structs with optional fields that have more fields than a shapeKey has bits. Shapes are kept from message to message,
// but an id that a message declares is valid only in that message.

import (
	"reflect"
	"sync"

	"github.com/polypack/polypack/go/internal/format"
)

const (
	ownRecordIDs  = lastRecordID - firstRecordID + 1 // number of one-byte ids
	fewShapes     = 4                                // number of shapes found by linear search; others are in a map
	maxKeptShapes = 4096                             // a recordWriter with more entries in its maps is dropped
	maxMarked     = 64                               // largest number of fields for which a shapeKey has bits
)

// A writtenShape is a shape that an Encoder writes, with its id.
type writtenShape struct {
	names   string // the names as encoded strs, one after the other
	count   int
	shared  bool   // the id is from the dictionary
	message uint64 // number of the message that declared the id; 0 if no message did
	id      recordID
}

// A recordID is an id of one byte, lo, or a pair of two bytes, lo and hi.
type recordID struct {
	lo, hi byte
	pair   bool
}

// A shapeKey identifies a struct type and the set of its fields that are present. Bit i of present is set if field i is
// present. For a plain struct, whose fields are always present, no bit is set.
type shapeKey struct {
	plan    *structPlan
	present uint64
}

// A recordWriter gives ids to the shapes that one Encoder writes, in ascending order. When a message has used all ids,
// the id that was declared first is declared again for another shape, as in msgpackr.
type recordWriter struct {
	dictionary *Dictionary // nil without shared records
	message    uint64      // number of the current message; a declared id is valid in one message only
	declared   int         // number of declarations in this message
	holders    []*writtenShape

	last       shapeKey // key of the latest record; the next record usually has the same key
	lastShape  *writtenShape
	order      []*writtenShape // if keepsOrder is set: shapes that the dictionary lacks, in order of first use
	keepsOrder bool
	byKey      map[shapeKey]*writtenShape // shapes of the keys that don't fit in few
	byNames    map[string]*writtenShape

	// Memory for the first shapes and keys. It is part of the recordWriter, so a message with few shapes needs only one
	// allocation.
	few struct {
		keys    [fewShapes]shapeKey
		known   int                      // number of keys
		found   [fewShapes]*writtenShape // the shape of each key
		shapes  [fewShapes]writtenShape
		count   int // number of shapes
		holders [fewShapes]*writtenShape
	}
}

// recordWriters pools recordWriters, so that later Encoders can use their shapes.
var recordWriters sync.Pool

func newRecordWriter(dictionary *Dictionary) *recordWriter {
	w := &recordWriter{dictionary: dictionary}
	w.holders = w.few.holders[:0]
	w.newMessage()
	return w
}

// recordWriter returns the recordWriter of e. At the first record, e takes one from the pool or makes one.
func (e *Encoder) recordWriter() *recordWriter {
	if e.shapes == nil {
		e.findShapes()
	}
	return e.shapes
}

func (e *Encoder) findShapes() {
	w, _ := recordWriters.Get().(*recordWriter)
	if w == nil || w.dictionary != e.dictionary {
		e.shapes = newRecordWriter(e.dictionary)
		return
	}
	w.newMessage()
	e.shapes = w
}

// releaseShapes puts the recordWriter back into the pool once the Encoder has finished. A large recordWriter is dropped
// instead.
func (e *Encoder) releaseShapes() {
	if w := e.shapes; w != nil && !w.isLarge() {
		recordWriters.Put(w)
	}
	e.shapes = nil
}

// newMessage forgets the declarations, because a reader of the next message doesn't know them.
func (e *Encoder) newMessage() {
	if w := e.shapes; w != nil && w.isLarge() {
		e.shapes = nil
	} else if w != nil {
		w.newMessage()
	}
}

func (w *recordWriter) newMessage() {
	w.message++
	w.declared = 0
}

// isLarge reports whether a recordWriter has so many shapes that a new one should replace it.
func (w *recordWriter) isLarge() bool {
	return len(w.byNames) > maxKeptShapes || len(w.byKey) > maxKeptShapes
}

func (w *recordWriter) shape(key shapeKey) *writtenShape {
	if w.last == key {
		return w.lastShape
	}
	s := w.find(key)
	if s == nil {
		names, count := key.names()
		s = w.named(names, count)
		if f := &w.few; f.known < fewShapes {
			f.keys[f.known], f.found[f.known] = key, s
			f.known++
		} else {
			if w.byKey == nil {
				w.byKey = make(map[shapeKey]*writtenShape)
			}
			w.byKey[key] = s
		}
	}
	w.last, w.lastShape = key, s
	return s
}

func (w *recordWriter) find(key shapeKey) *writtenShape {
	for i := range w.few.known {
		if w.few.keys[i] == key {
			return w.few.found[i]
		}
	}
	return w.byKey[key]
}

// names returns the encoded names of the fields that are present, and their number.
func (k shapeKey) names() (names string, count int) {
	if k.plan.plain {
		return k.plan.names, len(k.plan.fields)
	}
	var encoded []byte
	for i := range k.plan.fields {
		if k.present>>i&1 == 1 {
			encoded = append(encoded, k.plan.fields[i].head...)
			count++
		}
	}
	return string(encoded), count
}

// named returns the shape with the encoded names. Struct types whose present fields have the same names in the same
// order share a shape.
func (w *recordWriter) named(names string, count int) *writtenShape {
	for i := range w.few.count {
		if s := &w.few.shapes[i]; s.names == names {
			return s
		}
	}
	if s, ok := w.byNames[names]; ok {
		return s
	}
	var s *writtenShape
	if w.few.count < fewShapes {
		s = &w.few.shapes[w.few.count]
		w.few.count++
	} else {
		s = new(writtenShape)
		if w.byNames == nil {
			w.byNames = make(map[string]*writtenShape)
		}
		w.byNames[names] = s
	}
	s.names, s.count = names, count
	if w.dictionary != nil {
		s.id, s.shared = w.dictionary.idOf(names)
	}
	if w.keepsOrder && !s.shared {
		w.order = append(w.order, s)
	}
	return s
}

// append appends the id of a shape, or a declaration if the shape has no id in this message yet.
func (w *recordWriter) append(dst []byte, s *writtenShape) []byte {
	if !s.shared && s.message != w.message {
		return w.declare(dst, s)
	}
	if s.id.pair {
		return append(dst, s.id.lo, s.id.hi)
	}
	return append(dst, s.id.lo)
}

func (w *recordWriter) declare(dst []byte, s *writtenShape) []byte {
	first, count := w.dictionary.ownIDs()
	turn := w.declared % count
	switch {
	case w.declared >= count:
		w.holders[turn].message = 0
		w.holders[turn] = s
	case turn < len(w.holders):
		w.holders[turn] = s
	default:
		w.holders = append(w.holders, s)
	}
	w.declared++
	s.message, s.id = w.message, w.dictionary.id(first+turn)
	if s.id.pair {
		dst = append(dst, format.Fixext2, format.RecordType, s.id.lo, s.id.hi)
	} else {
		dst = append(dst, format.Fixext1, format.RecordType, s.id.lo)
	}
	return append(appendArrayHead(dst, s.count), s.names...)
}

// writesRecords reports whether the next struct may become a record. Structs in a map key stay maps. Structs in the
// output of MarshalMsgpackTo also stay maps, because that output is checked on its own, without earlier declarations.
func (e *Encoder) writesRecords() bool { return e.inline() && e.keys == 0 && e.calls == 0 }

// encodeRecord encodes a struct as a record of the fields that are present, even if there are none.
func (s *structPlan) encodeRecord(e *Encoder, v reflect.Value) error {
	w := e.recordWriter()
	if s.plain {
		return s.encodeInstance(e, v, w.shape(shapeKey{plan: s}), ^uint64(0), nil)
	}
	if len(s.fields) > maxMarked {
		return s.encodeWideRecord(e, w, v)
	}
	present := uint64(0)
	for i := range s.fields {
		if _, ok := s.fields[i].get(v); ok {
			present |= 1 << i
		}
	}
	return s.encodeInstance(e, v, w.shape(shapeKey{s, present}), present, nil)
}

// encodeWideRecord is encodeRecord for more fields than a shapeKey has bits.
func (s *structPlan) encodeWideRecord(e *Encoder, w *recordWriter, v reflect.Value) error {
	var names []byte
	count := 0
	marks := make([]bool, len(s.fields))
	for i := range s.fields {
		if _, marks[i] = s.fields[i].get(v); marks[i] {
			names = append(names, s.fields[i].head...)
			count++
		}
	}
	return s.encodeInstance(e, v, w.named(string(names), count), 0, marks)
}

// encodeInstance encodes v as a record of the given shape. It writes the fields that are set in marks or, if marks is
// nil, in the bits of present. For a plain struct, it writes all fields. The caller has already evaluated omitempty and
// omitzero, so that no field is tested twice.
func (s *structPlan) encodeInstance(e *Encoder, v reflect.Value, shape *writtenShape, present uint64, marks []bool) error {
	if err := e.enter("struct", shape.count); err != nil {
		return err
	}
	e.buf = e.shapes.append(e.buf, shape)
	for i := range s.fields {
		if marks != nil && !marks[i] || marks == nil && !s.plain && present>>i&1 == 0 {
			continue
		}
		f := &s.fields[i]
		value, reached := f.reach(v)
		if !reached { // a method has meanwhile set an embedded pointer to nil
			e.buf = append(e.buf, format.Nil)
			continue
		}
		if err := f.plan.encode(e, value); err != nil {
			return within(err, f.name)
		}
	}
	e.leave()
	return nil
}
