package snapshot

import (
	"iter"
	"strconv"
)

// A Map is an array of PHP that isn't a list, in PHP's order. Several maps may share one slice as Keys, so don't change
// the keys.
type Map struct {
	Keys   []any // int64 or string
	Values []any
}

// Get returns the value of a key, an int64 or a string. It compares the keys one after the other.
func (m *Map) Get(key any) (any, bool) {
	for i, k := range m.Keys {
		if k == key {
			return m.Values[i], true
		}
	}
	return nil, false
}

// All returns an iterator over keys and values, in PHP's order.
func (m *Map) All() iter.Seq2[any, any] {
	return func(yield func(any, any) bool) {
		for i, key := range m.Keys {
			if !yield(key, m.Values[i]) {
				return
			}
		}
	}
}

// A Case is a case of an enum. Cases can be compared with ==.
type Case struct{ Class, Name string }

// A Class holds what objects of one shape have in common: names, but no code. Several objects may share a Class, so
// don't change it.
type Class struct {
	Name string
	// Properties has the names of the properties, in PHP's order. The name of an ancestor's private property is
	// "\0Class\0name". If an object has more than 255 properties with a value, or more than 255 without one, the names
	// are those of PHP's array cast. There, the name of a protected property is "\0*\0name".
	Properties []string
	// Absent has the names of properties that have no value, because they are unset or not initialised.
	Absent []string

	form form
}

// form says what the field Values of an Object contains.
type form uint8

const (
	ofProperties form = iota
	ofMany            // one array of all properties; spread turns it into ofProperties
	ofData
	ofBytes
)

// An Object is an object of PHP as data.
type Object struct {
	Class *Class
	// Values has the values of Class.Properties, in their order. For an object with Data or Bytes, Values has only the
	// data or the bytes.
	Values []any
}

// Get returns the value of the property that has this name in Class.Properties.
func (o *Object) Get(name string) (any, bool) {
	if o.Class.form == ofProperties {
		for i, property := range o.Class.Properties {
			if property == name {
				return o.Values[i], true
			}
		}
	}
	return nil, false
}

// Data returns the result of the object's __serialize, a []any or a *Map. It returns false if the object has no such
// data.
func (o *Object) Data() (any, bool) {
	if o.Class.form == ofData {
		return o.Values[0], true
	}
	return nil, false
}

// Bytes returns the result of the object's method serialize, of PHP's old interface Serializable. It returns false if
// the object has no such bytes.
func (o *Object) Bytes() (string, bool) {
	if o.Class.form == ofBytes {
		return o.Values[0].(string), true
	}
	return "", false
}

// spread turns the one array of an object with the form ofMany into its properties.
func (o *Object) spread() {
	class := &Class{Name: o.Class.Name}
	array := o.Values[0]
	o.Values = valuesOf(array)
	for i := range o.Values {
		name := strconv.Itoa(i)
		if m, ok := array.(*Map); ok {
			name = keyText(m.Keys[i])
		}
		class.Properties = append(class.Properties, name)
	}
	o.Class = class
}

// valuesOf returns the elements of an array of PHP.
func valuesOf(array any) []any {
	if m, ok := array.(*Map); ok {
		return m.Values
	}
	list, _ := array.([]any)
	return list
}

// isArray reports whether a value is the Go form of an array of PHP.
func isArray(value any) bool {
	switch value.(type) {
	case []any, *Map:
		return true
	}
	return false
}

func keyText(key any) string {
	if i, ok := key.(int64); ok {
		return strconv.FormatInt(i, 10)
	}
	text, _ := key.(string)
	return text
}
