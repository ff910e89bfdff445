package polypack

// Plan of the file: the inline map of a struct, which holds the entries without a field. The entries are written after
// the fields, in the order in which a map is written. An entry that would be read into a field isn't written, for
// example an entry with the name or an alias of a field.

import (
	"reflect"
	"slices"

	"github.com/polypack/polypack/go/internal/format"
)

type restPlan struct {
	field *field // the inline map
	*mapWriter
}

func newRestPlan(f *field, key, elem *plan) *restPlan {
	return &restPlan{f, &mapWriter{f.typ, key, elem}}
}

// encodeWithRest encodes a struct with an inline map. It doesn't write records, because the names differ from value to
// value.
func (s *structPlan) encodeWithRest(e *Encoder, v reflect.Value) error {
	count := 0
	for i := range s.fields {
		if _, present := s.fields[i].get(v); present {
			count++
		}
	}
	var entries []textEntry
	var b mapBoxes
	if m, present := s.rest.field.reach(v); present && m.Len() > 0 {
		entries, b = s.rest.textEntries(e, m)
		entries = slices.DeleteFunc(entries, func(entry textEntry) bool {
			return s.find([]byte(entry.key), len(s.fields)) >= 0
		})
	}
	if err := e.enter("struct", count+len(entries)); err != nil {
		return err
	}
	start := len(e.buf)
	e.buf = appendMapHead(e.buf, count+len(entries))
	written, err := s.encodeFields(e, v)
	if err != nil {
		return err
	}
	if written != count {
		if len(s.fields)+len(entries) > format.MaxFixcontainer {
			return fieldsChanged(v.Type())
		}
		e.buf[start] = format.Fixmap | byte(written+len(entries))
	}
	if err := s.rest.encodeTextEntries(e, entries, b); err != nil {
		return err
	}
	e.leave()
	return nil
}

// decode reads one value and stores it under the key in the inline map of the struct v.
func (r *restPlan) decode(d *Decoder, v reflect.Value, key string) error {
	m, ok := r.field.set(v)
	if !ok {
		return d.failHiddenPointer(d.offset, r.field.name, "is nil and not exported")
	}
	k, value := reflect.New(r.typ.Key()).Elem(), reflect.New(r.typ.Elem()).Elem()
	k.SetString(key)
	if value.Kind() == reflect.Interface {
		setExisting(value, m, k)
	}
	if err := r.elem.decode(d, value); err != nil {
		return err
	}
	setEntry(m, k, value)
	return nil
}
