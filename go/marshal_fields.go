package polypack

// Plan of the file: which fields of a struct are encoded, under which names, and in which order. The rules are those of
// encoding/json. Exported fields are encoded. Fields of an embedded struct are encoded as if they were fields of the
// outer struct. An embedded struct whose tag has a name is a field, even if its type is unexported. If several fields
// have the same name, the least nested field wins. If several are equally nested, the field that has its name from a
// tag wins. Three rules are stricter, because encoding/json would silently lose data. It is an error if no field of a
// name wins, or if two fields of one struct have the same name. It is also an error if no field of a struct is encoded
// and one of them is hidden, see isHidden.
//
// The tag option inline treats any struct like an embedded one, and makes a map hold the entries without a field. The
// tag option noinline treats an embedded struct like any other field. The options in marshal_rules.go change these
// rules, for example the key of the tags.

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// tagKey is the key of struct tags such as `msgpack:"name,omitempty"`, unless TagKeys sets other keys.
const tagKey = "msgpack"

// A field describes an encoded field of a struct, or of a struct embedded in that struct.
type field struct {
	name      string
	head      []byte // the name as an encoded str
	index     []int  // the argument for reflect.Value.FieldByIndex
	typ       reflect.Type
	plan      *plan
	tagged    bool
	aliases   []string // other names, for reading only
	omitEmpty bool
	omitZero  bool
	asArray   bool
	hidden    bool // an embedded struct of an unexported type, or a pointer to one, which a tag makes a field
	isZero    func(reflect.Value) bool
}

// A layout says how a struct is encoded, according to its type and tags.
type layout struct {
	fields  []field // in the order of declaration
	rest    *field  // the inline map, or nil
	asArray bool
}

// layoutOf returns the layout of the struct t. problem says why t cannot be encoded, or is "".
func (ts *types) layoutOf(t reflect.Type) (l layout, problem string) {
	type level struct {
		typ   reflect.Type
		index []int
	}
	next := []level{{typ: t}}
	visited := map[reflect.Type]bool{}
	found := make([]field, 0, t.NumField())
	var rest *field
	asArray, hides := false, false
	for len(next) > 0 {
		current := next
		next = nil
		// If a type is embedded several times on one level, each of its fields conflicts with its own copies.
		times := map[reflect.Type]int{}
		for _, l := range current {
			times[l.typ]++
		}
		for _, l := range current {
			if visited[l.typ] {
				continue
			}
			visited[l.typ] = true
			// own maps the encoded names of this struct's own fields to their Go names.
			own := make(map[string]string, l.typ.NumField())
			for i := range l.typ.NumField() {
				sf := l.typ.Field(i)
				if tag, own := ts.rules.tagOf(sf.Tag); isMarker(sf) && tag != "" && tag != "-" {
					if tag != ",as_array" && own {
						return layout{}, "field " + sf.Name + " has the unknown tag " + quote(tag)
					}
					asArray = asArray || tag == ",as_array" && l.typ == t
					continue
				}
				index := append(slices.Clone(l.index), i)
				f, nested, problem := ts.newField(sf, index)
				switch {
				case problem != "":
					return layout{}, problem
				case nested == restField && (rest != nil || times[l.typ] > 1):
					return layout{}, "more than one of its fields is an inline map"
				case nested == restField:
					rest = f
				case nested == structField:
					next = append(next, level{f.typ, index})
				case nested == noField:
					hides = hides || ts.rules.isHidden(sf)
				case nested == plainField && own[f.name] != "":
					return layout{}, "its fields " + own[f.name] + " and " + sf.Name + " have both the name " + quote(f.name)
				case nested == plainField:
					own[f.name] = sf.Name
					found = append(found, *f)
					if times[l.typ] > 1 {
						found = append(found, *f)
					}
				}
			}
		}
	}
	fields, problem := dominant(t, found)
	if problem != "" {
		return layout{}, problem
	}
	if len(fields) == 0 && rest == nil {
		switch {
		case t.NumField() > 0 && ts.hasMethods(t):
			return layout{}, "none of its fields is encoded, and its methods go one way only"
		case hides:
			return layout{}, "none of its fields is encoded, and at least one is not exported"
		}
	}
	return layout{fields, rest, asArray}, ""
}

// isHidden reports whether a field other than _ is unexported and no tag leaves it out.
func (r *rules) isHidden(sf reflect.StructField) bool {
	tag, _ := r.tagOf(sf.Tag)
	return !sf.IsExported() && sf.Name != "_" && tag != "-"
}

// isMarker reports whether a field has one of the names for fields that only carry a tag for the struct as a whole.
func isMarker(sf reflect.StructField) bool { return sf.Name == "_" || sf.Name == "_msgpack" }

// A fieldRole says how a field is encoded.
type fieldRole uint8

const (
	noField     fieldRole = iota // the field isn't encoded
	plainField                   // the field is one entry
	structField                  // the fields of the embedded or inline struct are encoded instead
	restField                    // the field is the inline map
)

// newField returns what a field's type and tag say about the field. For a structField, f.typ is the struct type, even
// if the field is a pointer. problem says why the field cannot be encoded, or is "".
func (ts *types) newField(sf reflect.StructField, index []int) (f *field, role fieldRole, problem string) {
	tag, own := ts.rules.tagOf(sf.Tag)
	if tag == "-" {
		return nil, noField, ""
	}
	name, options, _ := strings.Cut(tag, ",")
	f = &field{name: name, index: index, typ: sf.Type, tagged: name != ""}
	under := sf.Type
	if under.Kind() == reflect.Pointer {
		under = under.Elem()
	}
	// A struct with its own encoding, for example by a method, doesn't contribute its fields to the outer struct.
	hasFields := under.Kind() == reflect.Struct && !isValueType(under) && !ts.hasMethods(under) && ts.extensionFor(under) == nil &&
		!ts.rules.isErrorText(under)
	if sf.Anonymous {
		if !sf.IsExported() && !hasFields {
			return nil, noField, ""
		}
		if name == "" && hasFields && !slices.Contains(strings.Split(options, ","), "noinline") {
			f.typ = under
			return f, structField, ""
		}
	}
	if f.hidden = !sf.IsExported(); f.hidden && !sf.Anonymous {
		return nil, noField, ""
	}
	if name == "" {
		f.name = sf.Name
	}
	inline := false
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "", "noinline":
		case "omitempty":
			f.omitEmpty = true
		case "omitzero":
			f.omitZero = true
			f.isZero = zeroTest(sf.Type)
		case "as_array":
			f.asArray = true
		case "inline":
			inline = true
		default:
			if alias, ok := strings.CutPrefix(option, "alias:"); ok {
				f.aliases = append(f.aliases, alias)
			} else if own {
				return nil, noField, "field " + sf.Name + " has the unknown tag option " + quote(option)
			}
		}
	}
	if f.omitEmpty && ts.rules.zeroIsEmpty && hasIsZero(sf.Type) {
		f.omitEmpty, f.omitZero, f.isZero = false, true, zeroTest(sf.Type)
	}
	if inline {
		switch {
		case name != "" || f.asArray || f.aliases != nil:
			return nil, noField, "field " + sf.Name + " is inline and has a name, an alias or as_array, which mean nothing there"
		case hasFields:
			f.typ = under
			return f, structField, ""
		case sf.Type.Kind() == reflect.Map && sf.Type.Key().Kind() == reflect.String && !hasMethods(sf.Type.Key()) && !ts.hasMethods(sf.Type):
			return f, restField, ""
		}
		return nil, noField, "field " + sf.Name + " is inline, but neither a struct with fields nor a map with strings as keys"
	}
	if !utf8.ValidString(f.name) {
		return nil, noField, "the name of field " + sf.Name + " is not UTF-8"
	}
	f.head = appendString(nil, f.name)
	return f, plainField, ""
}

// dominant decides which of several fields with one name wins, and drops the others. It returns the fields of t in the
// order of declaration. problem says why no field of a name wins, or is "".
func dominant(t reflect.Type, found []field) (fields []field, problem string) {
	isEmbedded := func(f field) bool { return len(f.index) > 1 }
	if !slices.ContainsFunc(found, isEmbedded) {
		return found, "" // fields of one struct are in order and have different names
	}
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
	for i := 0; i < len(found); {
		j := i + 1
		for j < len(found) && found[j].name == found[i].name {
			j++
		}
		if j > i+1 && len(found[i].index) == len(found[i+1].index) && found[i].tagged == found[i+1].tagged {
			return nil, contested(pathOf(t, found[i].index), pathOf(t, found[i+1].index), found[i].name)
		}
		fields = append(fields, found[i])
		i = j
	}
	slices.SortFunc(fields, func(a, b field) int { return slices.Compare(a.index, b.index) })
	return fields, ""
}

// contested returns the error text for two equally nested fields that have the same name. one and other are the paths
// of the fields, see pathOf. The paths are equal if a struct with the field is embedded twice.
func contested(one, other, name string) string {
	if one == other {
		return "its field " + one + " is embedded more than once and would be lost; a tag can name it"
	}
	return "its fields " + one + " and " + other + " have both the name " + quote(name) + " and would be lost; tags can name them"
}

// pathOf returns the names of the fields that lead to a field of t, with dots between them.
func pathOf(t reflect.Type, index []int) string {
	var names []string
	for _, i := range index {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		names = append(names, t.Field(i).Name)
		t = t.Field(i).Type
	}
	return strings.Join(names, ".")
}

// A zeroer has the method that the tag option omitzero calls.
type zeroer interface{ IsZero() bool }

var zeroerType = reflect.TypeFor[zeroer]()

// hasIsZero reports whether t or *t has a method IsZero. A method for which isPromoted reports true doesn't count.
func hasIsZero(t reflect.Type) bool {
	under := t
	switch t.Kind() {
	case reflect.Interface:
		return t.Implements(zeroerType)
	case reflect.Pointer:
		under = t.Elem()
		if t.Name() != "" {
			return false // a defined pointer type has no methods
		}
	}
	if !reflect.PointerTo(under).Implements(zeroerType) || under.Kind() == reflect.Pointer || under.Kind() == reflect.Interface {
		return false
	}
	return under.Kind() != reflect.Struct || !isPromoted(under, zeroerType, lookups[zeroerType])
}

// zeroTest returns the function that reports whether omitzero leaves out a value of type t. It calls the method IsZero
// if hasIsZero(t) is true. Otherwise it compares the value with Go's zero value.
func zeroTest(t reflect.Type) func(reflect.Value) bool {
	if !hasIsZero(t) {
		return reflect.Value.IsZero
	}
	r := receiverOf(t, zeroerType)
	return func(v reflect.Value) bool {
		if k := v.Kind(); k == reflect.Pointer || k == reflect.Interface {
			return v.IsNil() || v.Interface().(zeroer).IsZero()
		}
		return r.of(v).(zeroer).IsZero()
	}
}

// isEmpty reports whether omitempty leaves out v: false, 0, "", nil, no elements, or the zero time.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return v.Type() == timeType && v.Interface().(time.Time).IsZero()
	}
	return v.IsZero()
}
