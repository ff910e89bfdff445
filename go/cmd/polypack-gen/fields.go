package main

// Plan of the file: which fields of a struct are encoded. The rules are those of the library (go/marshal_fields.go),
// but for go/types instead of reflect. Before the library calls generated methods, it compares their shape (see shapeOf
// in kinds.go) with the struct. If the names, paths, options or kinds of the fields differ, it doesn't call the
// methods.

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// A field describes how a field of a struct, or of a struct embedded in it, is encoded.
type field struct {
	name      string // as a map key
	path      string // as a Go selector: "ID", "Base.ID"
	index     []int
	typ       types.Type
	kind      *kind
	tagged    bool
	pointer   string   // the name of an embedded pointer in path, or ""
	hidden    string   // a name in path that another package doesn't export, or ""
	aliases   []string // other names, for reading only
	omitEmpty bool
	omitZero  bool
	asArray   bool
	inline    bool // whether the field is the inline map, which holds the entries that have no field of their own
}

// A layout says how a struct is encoded.
type layout struct {
	fields []*field // in the order of their declaration
	rest   *field   // the inline map, or nil
}

// layoutOf returns how t is encoded. If generated code can't encode t, the error says why.
func (g *generator) layoutOf(t *types.Struct) (*layout, error) {
	type level struct {
		typ    types.Type
		prefix field // path, index, pointer and hidden of the field that holds typ
	}
	next := []level{{typ: t}}
	visited := typeSet{}
	var found []*field
	var rest *field
	hides := false
	for len(next) > 0 {
		current := next
		next = nil
		for _, l := range current {
			if !visited.add(l.typ) {
				continue
			}
			times := 0
			for _, other := range current {
				if types.Identical(other.typ, l.typ) {
					times++
				}
			}
			s := l.typ.Underlying().(*types.Struct)
			own := map[string]string{} // the path of each field of this struct, by the field's name
			for i := range s.NumFields() {
				if marks, err := g.marks(s, i, l.typ == types.Type(t)); err != nil {
					return nil, err
				} else if marks {
					continue
				}
				f, embedded, err := g.newField(s, i, l.prefix)
				if err != nil {
					return nil, err
				}
				if embedded != nil {
					next = append(next, level{embedded, *f})
				} else if f != nil && f.inline {
					if rest != nil || times > 1 {
						return nil, never("more than one of its fields is an inline map", "keep one of them")
					}
					rest = f
				} else if f != nil {
					if own[f.name] != "" {
						return nil, never(fmt.Sprintf("its fields %s and %s have both the name %q", own[f.name], f.path, f.name),
							"give one of them another name in its tag")
					}
					own[f.name] = f.path
					// If a type is embedded several times at one level, a field is listed twice, so that dominant finds
					// a conflict.
					for range min(times, 2) {
						found = append(found, f)
					}
				} else {
					hides = hides || g.isHidden(s, i)
				}
			}
		}
	}
	fields, err := dominant(found)
	if err == nil {
		err = checkAliases(fields)
	}
	if err != nil {
		return nil, err
	}
	if len(fields) == 0 && rest == nil && hides {
		return nil, never("none of its fields is encoded, and at least one is not exported", "export those that are to be encoded, or give the type methods of its own")
	}
	reached := fields
	if rest != nil {
		reached = append(slices.Clone(fields), rest)
	}
	for _, f := range reached {
		switch {
		case f.pointer != "":
			return nil, refuse(fmt.Sprintf("its field %s is behind the embedded pointer %s", f.path, f.pointer),
				"embed the struct itself instead of a pointer to it")
		case f.hidden != "":
			return nil, refuse(fmt.Sprintf("its field %s is embedded through %s, which another package does not export", f.path, f.hidden),
				"embed an exported type")
		}
	}
	return &layout{fields, rest}, nil
}

// marks reports whether field i of s only carries a tag for the struct as a whole. If that tag makes the outermost
// struct an array, or if it is unknown and has the library's own key, marks returns an error. In embedded structs,
// as_array has no effect.
func (g *generator) marks(s *types.Struct, i int, outermost bool) (bool, error) {
	name := s.Field(i).Name()
	tag, own := g.tagOf(s, i)
	switch {
	case name != "_" && name != "_msgpack" || tag == "" || tag == "-":
		return false, nil
	case tag == ",as_array" && outermost:
		return true, refuse("the tag as_array of its field "+name+" makes it an array, which only the library writes",
			"leave it out of -type, or put as_array on the fields that hold it")
	case tag != ",as_array" && own:
		return true, never(fmt.Sprintf("its field %s has the unknown tag %q", name, tag), `only ",as_array" means something there`)
	}
	return true, nil
}

// isHidden reports whether field i of s, which isn't encoded, is left out only because it is unexported. It returns
// false for the name _ and the tag "-".
func (g *generator) isHidden(s *types.Struct, i int) bool {
	tag, _ := g.tagOf(s, i)
	return !s.Field(i).Exported() && s.Field(i).Name() != "_" && tag != "-"
}

// tagOf returns the tag of field i of s. own reports whether the tag has the library's own key.
func (g *generator) tagOf(s *types.Struct, i int) (tag string, own bool) {
	for _, key := range g.tagKeys {
		if tag, ok := reflect.StructTag(s.Tag(i)).Lookup(key); ok {
			return tag, key == ownTagKey
		}
	}
	return "", false
}

// newField looks at field i of s. If the field is encoded, newField returns it as f. If the fields of a struct are
// encoded in its place, newField returns that struct type as embedded, and the prefix for these fields as f. Otherwise
// newField returns neither.
func (g *generator) newField(s *types.Struct, i int, prefix field) (f *field, embedded types.Type, err error) {
	v := s.Field(i)
	tag, own := g.tagOf(s, i)
	if tag == "-" {
		return nil, nil, nil
	}
	name, options, _ := strings.Cut(tag, ",")
	f = &field{
		name:    name,
		path:    strings.TrimPrefix(prefix.path+"."+v.Name(), "."),
		index:   append(slices.Clone(prefix.index), i),
		typ:     v.Type(),
		tagged:  name != "",
		pointer: prefix.pointer,
		hidden:  prefix.hidden,
	}
	if !v.Exported() && v.Pkg() != g.pkg {
		f.hidden = v.Name()
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "", "noinline":
		case "omitempty":
			f.omitEmpty = true
		case "omitzero":
			f.omitZero = true
		case "as_array":
			f.asArray = true
		case "inline":
			f.inline = true
		default:
			if alias, ok := strings.CutPrefix(option, "alias:"); ok {
				f.aliases = append(f.aliases, alias)
			} else if own {
				return nil, nil, never(fmt.Sprintf("its field %s has the unknown tag option %q", f.path, option),
					"the options are omitempty, omitzero, inline, noinline, as_array and alias:name")
			}
		}
	}
	if f.omitEmpty && g.omitEmptyAsksIsZero && hasIsZero(f.typ) {
		f.omitEmpty, f.omitZero = false, true
	}
	under := types.Unalias(v.Type())
	if p, ok := under.(*types.Pointer); ok {
		under = p.Elem()
	}
	_, isStruct := under.Underlying().(*types.Struct)
	isStruct = isStruct && !isValueType(under) && ownMethod(under) == ""
	spread := func() (*field, types.Type, error) {
		if !types.Identical(under, v.Type()) {
			f.pointer = v.Name()
		}
		return f, under, nil
	}
	if v.Embedded() {
		if !v.Exported() && !isStruct {
			return nil, nil, nil
		}
		if name == "" && isStruct && !slices.Contains(strings.Split(options, ","), "noinline") {
			f.inline = false
			return spread()
		}
	}
	if !v.Exported() && !v.Embedded() {
		return nil, nil, nil
	}
	if f.inline {
		switch m, isMap := v.Type().Underlying().(*types.Map); {
		case name != "" || f.asArray || f.aliases != nil:
			return nil, nil, never("its field "+f.path+" is inline and has a name, an alias or as_array", "remove these from its tag")
		case isStruct:
			f.inline = false
			return spread()
		case isMap && isString(m.Key()) && ownMethod(m.Key()) == "" && ownMethod(v.Type()) == "":
			return f, nil, nil
		}
		return nil, nil, never("its field "+f.path+" is inline, but neither a struct with fields nor a map with strings as keys",
			"remove inline from its tag")
	}
	if !v.Exported() && !types.Identical(under, v.Type()) {
		return nil, nil, refuse("its field "+f.path+" is an embedded pointer that isn't exported",
			"embed the struct itself instead of a pointer to it")
	}
	if name == "" {
		f.name = v.Name()
	}
	if !utf8.ValidString(f.name) {
		return nil, nil, never("the name of its field "+f.path+" is not UTF-8", "write another in its tag")
	}
	return f, nil, nil
}

// dominant keeps one of several fields with the same name: the least deeply embedded one or, at the same depth, the one
// with a name in its tag. If several fields remain, dominant returns an error. The result is in the order of
// declaration.
func dominant(found []*field) ([]*field, error) {
	untagged := func(f *field) int {
		if f.tagged {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(found, func(a, b *field) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(len(a.index), len(b.index)), cmp.Compare(untagged(a), untagged(b)))
	})
	var fields []*field
	for len(found) > 0 {
		f, same := found[0], 1
		for same < len(found) && found[same].name == f.name {
			same++
		}
		if same > 1 && len(found[1].index) == len(f.index) && found[1].tagged == f.tagged {
			return nil, never(fmt.Sprintf("its fields %s and %s have both the name %q and would be lost", f.path, found[1].path, f.name),
				"give the outer struct a field of this name, or tag one of them")
		}
		fields = append(fields, f)
		found = found[same:]
	}
	slices.SortFunc(fields, func(a, b *field) int { return slices.Compare(a.index, b.index) })
	return fields, nil
}

// checkAliases refuses an alias that is already the name or an alias of another field.
func checkAliases(fields []*field) error {
	names := map[string]string{}
	for _, f := range fields {
		names[f.name] = f.path
	}
	for _, f := range fields {
		for _, alias := range f.aliases {
			if other, taken := names[alias]; taken && other != f.path {
				return never(fmt.Sprintf("the alias %q of its field %s is a name of its field %s, too", alias, f.path, other), "remove it")
			}
			names[alias] = f.path
		}
	}
	return nil
}

// isString reports whether values of type t are strings.
func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// A typeSet is a set of types. It is a slice, because structs embed few other structs.
type typeSet []types.Type

func (s *typeSet) add(t types.Type) bool {
	for _, other := range *s {
		if types.Identical(other, t) {
			return false
		}
	}
	*s = append(*s, t)
	return true
}
