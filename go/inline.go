package polypack

// Plan of the file: the inline map of a struct, which takes the entries that no field is for. They are written behind the fields,
// in the order of maps. An entry under the name of a field is shadowed by it, as a field of an embedded struct would be.

import (
	"reflect"
	"slices"
)

type restPlan struct {
	field *field // the map
	elem  *plan
	typ   reflect.Type
}

func newRestPlan(f *field, elem *plan) *restPlan {
	return &restPlan{field: f, elem: elem, typ: f.typ}
}

// encodeWithRest encodes a struct with an inline map; as it has no names of its own to declare, always as a map.
func (s *structPlan) encodeWithRest(e *Encoder, v reflect.Value) error {
	count := 0
	for i := range s.fields {
		if _, present := s.fields[i].get(v); present {
			count++
		}
	}
	entries := s.restEntries(e, v)
	if err := e.enter("struct", count+len(entries)); err != nil {
		return err
	}
	e.buf = appendMapHead(e.buf, count+len(entries))
	if err := s.encodeFields(e, v); err != nil {
		return err
	}
	for _, entry := range entries {
		if err := e.string(entry.key); err != nil {
			return err
		}
		if err := s.rest.elem.encode(e, entry.value); err != nil {
			return within(err, readable([]byte(entry.key)))
		}
	}
	e.leave()
	return nil
}

// restEntries returns the entries of the inline map that are written.
func (s *structPlan) restEntries(e *Encoder, v reflect.Value) []textEntry {
	m, present := s.rest.field.reach(v)
	if !present || m.Len() == 0 {
		return nil
	}
	entries := make([]textEntry, 0, m.Len())
	for it := m.MapRange(); it.Next(); {
		key := it.Key().String()
		if _, shadowed := s.byName[key]; !shadowed {
			entries = append(entries, textEntry{key, it.Value()})
		}
	}
	if !e.unsorted {
		slices.SortFunc(entries, compareEntries)
	}
	return entries
}

// decode reads one value into the entry of the inline map with the key.
func (r *restPlan) decode(d *Decoder, v reflect.Value, key string) error {
	m, ok := r.field.set(v)
	if !ok {
		return d.failHiddenPointer(r.field)
	}
	value := reflect.New(r.typ.Elem()).Elem()
	if err := r.elem.decode(d, value); err != nil {
		return err
	}
	if m.IsNil() {
		m.Set(reflect.MakeMap(r.typ))
	}
	k := reflect.New(r.typ.Key()).Elem()
	k.SetString(key)
	m.SetMapIndex(k, value)
	return nil
}
