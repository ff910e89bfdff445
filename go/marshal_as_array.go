package polypack

// Plan of the file: structs that are written as arrays, because the struct itself or a field that holds it has the tag
// option as_array.
//
// The position of an element says to which field it belongs. So omitempty and omitzero have no effect, and the fields
// of a nil embedded pointer are written as nil. If nil is read for all these fields, the embedded pointer stays nil.
// Structs may gain fields: when a shorter array is read, the fields without an element keep their values. Additional
// elements of a longer array are skipped, or refused by RejectUnknown. Maps and records are also read, so that readers
// can switch to as_array before writers do.

import (
	"reflect"

	"github.com/polypack/polypack/go/internal/format"
)

// asArray returns a plan for t that writes a struct as an array. The struct is t itself, or t leads to it through
// pointers, slices, arrays and map values. With ErrorsAsText, errors on the way are written as text. asArray returns
// nil if leadsToStruct(t) is false.
func (c compiler) asArray(t reflect.Type) *plan {
	if p, ok := c.arrays[t]; ok {
		return p
	}
	if !c.leadsToStruct(t) {
		return nil
	}
	p := new(plan)
	c.arrays[t] = p
	if t.Kind() == reflect.Struct {
		c.structType(p, t, true)
	} else {
		c.arrayOf(p, t)
	}
	if c.types.rules.isErrorText(t) { // as in custom, the method Error writes, and the fields are read
		p.encode, p.structPlan = errorTextEncoder(t), nil
	}
	p.custom = true
	return p
}

// arrayOf makes the plan of a pointer, slice, array or map that leads to a struct.
func (c compiler) arrayOf(p *plan, t reflect.Type) {
	switch elem := c.asArray(t.Elem()); t.Kind() {
	case reflect.Pointer:
		*p = plan{encode: pointerEncoder(elem), decode: pointerDecoder(t, elem)}
	case reflect.Slice:
		*p = plan{encode: sliceEncoder(elem), decode: sliceDecoder(t, elem)}
	case reflect.Array:
		*p = plan{encode: arrayEncoder(elem), decode: arrayDecoder(elem)}
	case reflect.Map:
		key := c.key(t.Key())
		*p = plan{encode: mapEncoder(t, key, elem), decode: mapDecoder(c.types, t, key, elem)}
	}
}

// leadsToStruct reports whether t is a struct, or leads to one through pointers, slices, arrays and map values. Types
// with their own encoding, such as time.Time, don't count.
func (c compiler) leadsToStruct(t reflect.Type) bool {
	for range maxHops {
		if isValueType(t) || c.types.hasMethods(t) || c.types.extensionFor(t) != nil {
			return false
		}
		switch t.Kind() {
		case reflect.Struct:
			return true
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			t = t.Elem()
		default:
			return false
		}
	}
	return false
}

func (s *structPlan) encodeArray(e *Encoder, v reflect.Value) error {
	if err := e.enter("struct", len(s.fields)); err != nil {
		return err
	}
	e.buf = appendArrayHead(e.buf, len(s.fields))
	for i := range s.fields {
		f := &s.fields[i]
		value, present := f.reach(v)
		if !present {
			e.buf = append(e.buf, format.Nil)
			continue
		}
		if err := f.plan.encode(e, value); err != nil {
			return withinIndex(err, i)
		}
	}
	e.leave()
	return nil
}

// decodeArray reads an array into the fields by position. It leaves all other values to structPlan.decode.
func (s *structPlan) decodeArray(d *Decoder, v reflect.Value) error {
	if d.next() != familyArray {
		return s.decode(d, v)
	}
	start := d.offset
	n, err := d.openArray()
	if err != nil {
		return err
	}
	if d.rejectUnknown && n > len(s.fields) {
		return d.failArrayLength(start, n, v)
	}
	for i := range n {
		d.owed--
		index := i
		if i >= len(s.fields) {
			index = -1
		} else if f := &s.fields[i]; len(f.index) > 1 {
			if _, reached := f.reach(v); !reached && d.skipNil() {
				continue
			}
		}
		if err := s.decodeField(d, v, index); err != nil {
			return withinIndex(err, i)
		}
	}
	d.close()
	return nil
}
