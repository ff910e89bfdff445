package main

// Plan of the file: finding types whose values can't be encoded. The generator warns about these types, because
// otherwise the error would occur only when a program encodes such a value.

import (
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// warnings returns a line for each type that gets methods although no value of the type can be encoded.
func (g *generator) warnings() (warnings []string) {
	for _, s := range g.queue {
		if why := g.unencodableField(&s.layout, nil); why != "" {
			warnings = append(warnings, fmt.Sprintf("no %s can be encoded, because %s; leave that field out by the tag `%s:\"-\"`",
				s.name, why, g.tagKeys[0]))
		}
	}
	return warnings
}

// unencodableField returns which field makes each struct with this layout impossible to encode, and why. It returns ""
// if there is no such field. outer has the types of the structs around this one.
func (g *generator) unencodableField(l *layout, outer []types.Type) string {
	for _, f := range l.fields {
		if f.omitEmpty || f.omitZero {
			continue // may be left out
		}
		if why := g.unencodable(f.typ, outer); why != "" {
			return "its field " + f.path + " " + why
		}
	}
	return ""
}

// unencodable returns why no value of type t can be encoded. It returns "" if some value can, such as a nil pointer,
// nil slice or nil map.
func (g *generator) unencodable(t types.Type, outer []types.Type) string {
	if isValueType(t) || ownMethod(t) != "" {
		return ""
	}
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return "is a chan"
	case *types.Signature:
		return "is a func"
	case *types.Basic:
		if u.Info()&types.IsComplex != 0 || u.Kind() == types.UnsafePointer {
			return "is of type " + u.Name()
		}
	case *types.Array:
		if why := g.unencodable(u.Elem(), outer); why != "" && u.Len() > 0 {
			return "is an array, each element of which " + why
		}
	case *types.Struct:
		if slices.ContainsFunc(outer, func(o types.Type) bool { return types.Identical(o, t) }) {
			return "" // a struct can't hold itself, so the type is invalid
		}
		l, err := g.layoutOf(u)
		var r *refusal
		if errors.As(err, &r) && r.never {
			return "is a struct, of which " + strings.Replace(r.why, "its ", "the ", 1)
		}
		if err == nil {
			if why := g.unencodableField(l, append(outer, t)); why != "" {
				return "is a struct, of which " + strings.Replace(why, "its ", "the ", 1)
			}
		}
	}
	return ""
}
