package polypack

// Plan of the file: which fields of a struct take part, under which names, and in which order. The rules are those of
// encoding/json: exported fields; those of embedded structs as if they stood in the outer one; of several fields with one
// name the least nested wins, among equals the one with a tag, and if that leaves several, none of them takes part.

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// tagKey is the key of the struct tags: `msgpack:"name,omitempty"`.
const tagKey = "msgpack"

// A field is a field of a struct, or of a struct embedded in it.
type field struct {
	name      string
	head      []byte // the name as an encoded str
	index     []int  // as for reflect.Value.FieldByIndex
	typ       reflect.Type
	plan      *plan
	tagged    bool
	omitEmpty bool
	omitZero  bool
	isZero    func(reflect.Value) bool
}

// fieldsOf returns the fields of t in the order of their declaration, or why t cannot be encoded.
func (ts *types) fieldsOf(t reflect.Type) (fields []field, problem string) {
	type level struct {
		typ   reflect.Type
		index []int
	}
	next := []level{{typ: t}}
	visited := map[reflect.Type]bool{}
	var found []field
	for len(next) > 0 {
		current := next
		next = nil
		// The fields of a type that is embedded several times on one level conflict with themselves.
		times := map[reflect.Type]int{}
		for _, l := range current {
			times[l.typ]++
		}
		for _, l := range current {
			if visited[l.typ] {
				continue
			}
			visited[l.typ] = true
			for i := range l.typ.NumField() {
				sf := l.typ.Field(i)
				index := append(slices.Clone(l.index), i)
				f, embedded, problem := ts.newField(sf, index)
				switch {
				case problem != "":
					return nil, problem
				case embedded != nil:
					next = append(next, level{embedded, index})
				case f != nil:
					found = append(found, *f)
					if times[l.typ] > 1 {
						found = append(found, *f)
					}
				}
			}
		}
	}
	fields = dominant(found)
	if len(fields) == 0 && t.NumField() > 0 && hasMethods(t) {
		return nil, "its fields are not exported, and its methods go one way only"
	}
	return fields, ""
}

// newField looks at one field: it takes part (f), its own fields do (embedded), or nothing of it does.
func (ts *types) newField(sf reflect.StructField, index []int) (f *field, embedded reflect.Type, problem string) {
	tag := sf.Tag.Get(tagKey)
	if tag == "-" {
		return nil, nil, ""
	}
	name, options, _ := strings.Cut(tag, ",")
	typ := sf.Type
	if sf.Anonymous {
		under := typ
		if under.Kind() == reflect.Pointer {
			under = under.Elem()
		}
		isStruct := under.Kind() == reflect.Struct && !isValueType(under) && !isHidden(under) && ts.extensionFor(under) == nil
		if !sf.IsExported() && !isStruct {
			return nil, nil, ""
		}
		if name == "" && isStruct {
			return nil, under, ""
		}
	}
	if !sf.IsExported() {
		return nil, nil, ""
	}
	f = &field{name: name, index: index, typ: typ, tagged: name != ""}
	if name == "" {
		f.name = sf.Name
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "":
		case "omitempty":
			f.omitEmpty = true
		case "omitzero":
			f.omitZero = true
			f.isZero = zeroTest(typ)
		default:
			return nil, nil, "field " + sf.Name + " has the unknown tag option " + quote(option)
		}
	}
	if !utf8.ValidString(f.name) {
		return nil, nil, "the name of field " + sf.Name + " is not UTF-8"
	}
	f.head = appendString(nil, f.name)
	return f, nil, ""
}

// dominant keeps of several fields with one name the one that wins, if one does, and orders fields by declaration.
func dominant(found []field) []field {
	slices.SortStableFunc(found, func(a, b field) int {
		tagged := 0
		if a.tagged != b.tagged {
			tagged = 1
			if a.tagged {
				tagged = -1
			}
		}
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(len(a.index), len(b.index)), tagged)
	})
	var fields []field
	for i := 0; i < len(found); {
		j := i + 1
		for j < len(found) && found[j].name == found[i].name {
			j++
		}
		contested := j > i+1 && len(found[i].index) == len(found[i+1].index) && found[i].tagged == found[i+1].tagged
		if !contested {
			fields = append(fields, found[i])
		}
		i = j
	}
	slices.SortFunc(fields, func(a, b field) int { return slices.Compare(a.index, b.index) })
	return fields
}

// zeroTest returns the test of omitzero: the type's own IsZero method, or whether the value is Go's zero value.
func zeroTest(t reflect.Type) func(reflect.Value) bool {
	type zeroer interface{ IsZero() bool }
	if !t.Implements(reflect.TypeFor[zeroer]()) {
		return reflect.Value.IsZero
	}
	return func(v reflect.Value) bool {
		if k := v.Kind(); (k == reflect.Pointer || k == reflect.Interface) && v.IsNil() {
			return true
		}
		return v.Interface().(zeroer).IsZero()
	}
}

// isEmpty is the test of omitempty: false, 0, "", nil, no elements, or the zero time.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return v.Type() == timeType && v.IsZero()
	}
	return v.IsZero()
}
