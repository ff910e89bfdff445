package polypack

// Plan of the file: encoding and decoding structs by the fields that marshal_fields.go found.

import (
	"reflect"

	"github.com/polypack/polypack/go/internal/format"
)

type structPlan struct {
	fields []field
	byName map[string]int
	names  string    // the names of all fields as encoded strs, one after the other
	others *others   // names by which fields are read besides their own; nil if there are none
	rest   *restPlan // for the inline map; nil if there is none
	// plain means that every field is always written: none has omitempty or omitzero, and none comes from an embedded
	// struct.
	plain bool
}

func newStructPlan(fields []field) *structPlan {
	s := &structPlan{fields: fields, byName: make(map[string]int, len(fields)), plain: true}
	var names []byte
	for i, f := range fields {
		s.byName[f.name] = i
		names = append(names, f.head...)
		// A nil embedded pointer leaves fields out. The index doesn't show whether an embedded struct is a pointer.
		if f.omitEmpty || f.omitZero || len(f.index) > 1 {
			s.plain = false
		}
	}
	s.names = string(names)
	return s
}

// get returns the field of v, or false if it must be left out.
func (f *field) get(v reflect.Value) (reflect.Value, bool) {
	v, ok := f.reach(v)
	return v, ok && !(f.omitEmpty && isEmpty(v) || f.omitZero && f.isZero(v))
}

// reach returns the field of v, or false if an embedded pointer that leads to it is nil.
func (f *field) reach(v reflect.Value) (reflect.Value, bool) {
	if f.hidden {
		v = addressOf(v).Elem()
	}
	for i, x := range f.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	if f.hidden {
		v = usable(v)
	}
	return v, true
}

// set returns the field of v to decode into, and allocates the embedded structs that lead to it. It fails if an
// embedded pointer is nil and its type isn't exported, because Go doesn't allow setting it.
func (f *field) set(v reflect.Value) (reflect.Value, bool) {
	for i, x := range f.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				if !v.CanSet() {
					return v, false
				}
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	if f.hidden {
		v = usable(v)
	}
	return v, true
}

// usable returns v without the restrictions of package reflect for unexported fields. v must be addressable.
func usable(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

// hiddenPointerPlan makes the plan of a field that is an embedded pointer to an unexported struct type. The parameter
// of is the plan of the pointer type. The new plan doesn't set the pointer, because Go doesn't allow setting it.
func hiddenPointerPlan(name string, of *plan) *plan {
	return &plan{
		custom: true,
		encode: func(e *Encoder, v reflect.Value) error { return of.encode(e, v) },
		decode: func(d *Decoder, v reflect.Value) error {
			start := d.offset
			isNil := d.skipNil()
			switch {
			case isNil && v.IsNil():
				return nil
			case v.IsNil():
				return d.failHiddenPointer(start, name, "is nil and not exported")
			case isNil:
				return d.failHiddenPointer(start, name, "can't become nil, because it is not exported")
			}
			return of.decode(d, v)
		},
	}
}

func (s *structPlan) encode(e *Encoder, v reflect.Value) error {
	if e.writesRecords() {
		return s.encodeRecord(e, v)
	}
	count := len(s.fields)
	if !s.plain {
		count = 0
		for i := range s.fields {
			if _, present := s.fields[i].get(v); present {
				count++
			}
		}
	}
	if err := e.enter("struct", count); err != nil {
		return err
	}
	start := len(e.buf)
	e.buf = appendMapHead(e.buf, count)
	written, err := s.encodeFields(e, v)
	if err != nil {
		return err
	}
	if written != count {
		if len(s.fields) > format.MaxFixcontainer {
			return fieldsChanged(v.Type())
		}
		e.buf[start] = format.Fixmap | byte(written)
	}
	e.leave()
	return nil
}

// encodeFields encodes the entries of the fields that are not left out, and returns how many there are. The number may
// differ from an earlier count, because a method may change later fields.
func (s *structPlan) encodeFields(e *Encoder, v reflect.Value) (written int, err error) {
	for i := range s.fields {
		f := &s.fields[i]
		value, present := f.get(v)
		if !present {
			continue
		}
		e.buf = append(e.buf, f.head...)
		if err := f.plan.encode(e, value); err != nil {
			return written, within(err, f.name)
		}
		written++
	}
	return written, nil
}

// fieldsChanged returns the error for a struct whose number of fields has changed since its head was written.
func fieldsChanged(t reflect.Type) error {
	return unsupportedType(t, "while it was written, a method changed which of its fields are left out")
}

// find returns the index of the field that an entry with the name is read into, or -1. Aliases and, with FoldCase,
// names that differ in case also count. next is the index of the field to try first.
func (s *structPlan) find(name []byte, next int) int {
	index := s.named(name, next)
	if index < 0 && s.others != nil {
		return s.others.find(name)
	}
	return index
}

// named returns the index of the field with the name, or -1. It tries the field with the index next first, because
// fields usually come in order.
func (s *structPlan) named(name []byte, next int) int {
	if next < len(s.fields) && s.fields[next].name == string(name) {
		return next
	}
	if i, ok := s.byName[string(name)]; ok {
		return i
	}
	return -1
}

// decode merges a map or record into v; nil sets v to its zero value. Fields that don't occur keep their values. An
// entry without a field goes into the inline map. If there is no inline map, or if the key can't be a name, the entry
// is skipped, or refused by RejectUnknown.
func (s *structPlan) decode(d *Decoder, v reflect.Value) error {
	if d.skipNil() {
		v.SetZero()
		return nil
	}
	if skipped, err := d.skipEmptyArray(); skipped || err != nil {
		return err
	}
	start := d.offset
	shape, err := d.record()
	if err != nil {
		return err
	}
	if shape != nil {
		return s.decodeRecord(d, v, start, shape)
	}
	n, err := d.openMap()
	if err != nil {
		return err
	}
	var known objectKeys
	next := 0
	for i := range n {
		if next, err = s.decodeEntry(d, v, i, next, &known); err != nil {
			return err
		}
	}
	d.close()
	return nil
}

// decodeEntry reads entry i of a map into v. next is the index of the field to try first. The result is the same index
// for the next entry.
func (s *structPlan) decodeEntry(d *Decoder, v reflect.Value, i, next int, known *objectKeys) (int, error) {
	d.owed--
	place := d.keyPlace()
	index := -1
	if d.isName() {
		name, err := d.name()
		if err != nil {
			return 0, err
		}
		if d.checked() && !known.add(name) {
			return 0, d.withinEntry(d.failDuplicate(place.offset), place, i)
		}
		if index = s.find(name, next); index < 0 {
			if s.rest != nil {
				d.owed--
				if err := s.rest.decode(d, v, string(name)); err != nil {
					return 0, within(err, string(name))
				}
				return next, nil
			}
			if d.rejectUnknown {
				return 0, d.failUnknownField(place.offset, name)
			}
		}
		place.asText = index >= 0
	} else if err := d.skipKey(known); err == errTwice {
		return 0, d.withinEntry(d.failDuplicate(place.offset), place, i)
	} else if err != nil {
		return 0, inKey(err)
	} else if d.rejectUnknown {
		return 0, d.failUnknownKey(place.offset)
	}
	d.owed--
	if err := s.decodeField(d, v, index); err != nil {
		return 0, d.withinEntry(err, place, i)
	}
	return index + 1, nil
}

func (s *structPlan) decodeRecord(d *Decoder, v reflect.Value, start int, shape *shape) error {
	if s.rest != nil {
		if err := d.countHashed(start, shape); err != nil {
			return err
		}
	}
	indexes := shape.indexes(s)
	for i, name := range shape.names {
		index := 0
		if indexes != nil {
			index = int(indexes[i])
		} else {
			index = s.find([]byte(name), i)
		}
		if index < 0 && s.rest != nil {
			d.owed--
			if err := s.rest.decode(d, v, name); err != nil {
				return within(err, name)
			}
			continue
		}
		if index < 0 && d.rejectUnknown {
			return d.failUnknownField(start, []byte(name))
		}
		d.owed--
		if err := s.decodeField(d, v, index); err != nil {
			return within(err, name)
		}
	}
	d.close()
	return nil
}

// decodeField reads one value into the field with the index, or skips the value if the index is negative.
func (s *structPlan) decodeField(d *Decoder, v reflect.Value, index int) error {
	if index < 0 {
		return d.skip()
	}
	f := &s.fields[index]
	target, ok := f.set(v)
	if !ok {
		return d.failHiddenPointer(d.offset, f.name, "is nil and not exported")
	}
	return f.plan.decode(d, target)
}

// failHiddenPointer returns the error for an embedded pointer to an unexported type that would have to be set. name is
// a field behind the pointer, or the pointer itself.
func (d *Decoder) failHiddenPointer(start int, name, is string) error {
	return d.fail(CodeTypeMismatch, start, "the embedded pointer that holds field "+name+" "+is,
		"set it before decoding, or export its type")
}

// failUnknownField returns the error of RejectUnknown for a name at offset that no field has.
func (d *Decoder) failUnknownField(offset int, name []byte) error {
	return d.fail(CodeInvalidKey, offset, "no field is named "+quote(string(name)), "add the field, or leave out RejectUnknown")
}

// failUnknownKey returns the error of RejectUnknown for a key at offset that isn't a str.
func (d *Decoder) failUnknownKey(offset int) error {
	return d.failKey(offset, formatName(d.data[offset])+" as key names no field")
}
