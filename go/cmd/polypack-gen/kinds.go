package main

// Plan of the file: the kinds of values that generated code can write and read, how a Go type becomes a kind, and the
// shape of a struct. The shape is a text. At run time, the library uses the shape to check that the methods still fit
// the type. The grammar of shapes is in go/internal/wire/generated.go.

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

type form uint8

const (
	other      form = iota // left to the library
	scalar                 // bool, integers, floats and string; kind.basic says which
	blob                   // []byte
	array8                 // [N]byte
	moment                 // time.Time
	pointer                // *T, where T is elem
	slice                  // []T, except for bytes; T is elem
	array                  // [N]T, except for bytes; N is length, T is elem
	textMap                // map with string keys
	ownMethods             // a struct with generated methods
)

// A kind says how generated code treats a Go type.
type kind struct {
	form   form
	typ    types.Type
	basic  *types.Basic // the underlying type of a scalar
	elem   *kind
	length int64
	shape  string
}

// isText reports whether values of the kind are strings.
func (k *kind) isText() bool { return k.form == scalar && k.basic.Info()&types.IsString != 0 }

// looksAtBytes reports whether generated code reads common values of the kind without a call.
func (k *kind) looksAtBytes() bool {
	return k.form == scalar && !k.isText() && k.basic.Kind() != types.Float32
}

// holds reports whether a value of the kind may be or contain arrays or maps.
func (k *kind) holds() bool {
	switch k.form {
	case scalar, moment, blob, array8:
		return false
	case pointer:
		return k.elem.holds()
	}
	return true
}

// mayCall reports whether writing a value of the kind may call methods of the user's program.
func (k *kind) mayCall() bool {
	switch k.form {
	case ownMethods, other:
		return true
	}
	return k.elem != nil && k.elem.mayCall()
}

var otherKind = kind{form: other, shape: "?"}

// methodsOfTheirOwn has the names of the methods with which a type encodes or decodes itself. A type with such a method
// is left to the library, which also checks the signature.
var methodsOfTheirOwn = []string{
	"MarshalMsgpackTo", "UnmarshalMsgpackFrom", "AppendMsgpack", "MarshalMsgpack", "UnmarshalMsgpack",
	"AppendBinary", "MarshalBinary", "UnmarshalBinary", "AppendText", "MarshalText", "UnmarshalText",
}

// ownMethod returns the name of a method of t or *t that is one of methodsOfTheirOwn, or "". A method for which
// isBorrowed reports true doesn't count.
func ownMethod(t types.Type) string {
	if _, ok := types.Unalias(t).(*types.Named); !ok || types.IsInterface(t) {
		return ""
	}
	set := types.NewMethodSet(types.NewPointer(t))
	for i := range set.Len() {
		method := set.At(i)
		if name := method.Obj().Name(); slices.Contains(methodsOfTheirOwn, name) && !isBorrowed(t, method) {
			return name
		}
	}
	return ""
}

const (
	libraryPath = "github.com/polypack/polypack/go"
	wirePath    = libraryPath + "/wire"
)

// isValueType reports whether t is one of the types that the library encodes by a rule of their own, not by their Go
// kind.
func isValueType(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	path, name := n.Obj().Pkg().Path(), n.Obj().Name()
	return path == "time" && name == "Time" ||
		path == libraryPath && slices.Contains([]string{"Timestamp", "Ext", "Object", "RawMessage"}, name)
}

// kindOf returns the kind of t. A type that contains itself without a struct in between is left to the library.
func (g *generator) kindOf(t types.Type) *kind {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		if g.open[n] {
			return &otherKind
		}
		g.open[n] = true
		defer delete(g.open, n)
	}
	if isValueType(t) {
		if types.Unalias(t).(*types.Named).Obj().Name() == "Time" {
			return &kind{form: moment, typ: t, shape: "time"}
		}
		return &otherKind
	}
	if ownMethod(t) != "" {
		return &otherKind
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if !g.canWrite(t) {
			return &otherKind // no conversion to t is possible
		}
		if u.Info()&(types.IsBoolean|types.IsInteger|types.IsString) != 0 || u.Kind() == types.Float32 || u.Kind() == types.Float64 {
			return &kind{form: scalar, typ: t, basic: u, shape: u.Name()}
		}
	case *types.Pointer:
		if _, twice := u.Elem().Underlying().(*types.Pointer); !twice {
			return g.around(pointer, t, "*", u.Elem())
		}
	case *types.Slice:
		if isByte(u.Elem()) {
			if types.Identical(u.Elem(), types.Typ[types.Byte]) {
				return &kind{form: blob, typ: t, shape: "bytes"}
			}
			return &otherKind
		}
		return g.around(slice, t, "[]", u.Elem())
	case *types.Array:
		if isByte(u.Elem()) {
			if types.Identical(u.Elem(), types.Typ[types.Byte]) {
				return &kind{form: array8, typ: t, length: u.Len(), shape: fmt.Sprintf("[%d]byte", u.Len())}
			}
			return &otherKind
		}
		k := g.around(array, t, fmt.Sprintf("[%d]", u.Len()), u.Elem())
		k.length = u.Len()
		return k
	case *types.Map:
		if isString(u.Key()) && ownMethod(u.Key()) == "" && g.canWrite(u.Key()) {
			return g.around(textMap, t, "map[string]", u.Elem())
		}
	case *types.Struct:
		if n, ok := types.Unalias(t).(*types.Named); ok && g.generated(n) {
			return &kind{form: ownMethods, typ: t, shape: "@"}
		}
	}
	return &otherKind
}

// around returns the kind of the type t, which contains values of the type elem. If elem is left to the library, t is
// too.
func (g *generator) around(f form, t types.Type, prefix string, elem types.Type) *kind {
	if !g.canWrite(elem) {
		return &otherKind
	}
	k := g.kindOf(elem)
	if k.form == other {
		return &otherKind
	}
	return &kind{form: f, typ: t, elem: k, shape: prefix + k.shape}
}

// isByte reports whether the library treats values of type t as bytes.
func isByte(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uint8
}

// canWrite reports whether the generated file can name the type t. All names in t must be exported or belong to the
// package, and must not be declared in a function. Type literals in t may be pointers, slices, arrays, maps and the
// empty interface.
func (g *generator) canWrite(t types.Type) bool {
	switch t := t.(type) {
	case *types.Alias:
		return g.mayName(t.Obj()) && g.canWriteAll(t.TypeArgs())
	case *types.Named:
		return g.mayName(t.Obj()) && g.canWriteAll(t.TypeArgs())
	case *types.Pointer:
		return g.canWrite(t.Elem())
	case *types.Slice:
		return g.canWrite(t.Elem())
	case *types.Array:
		return g.canWrite(t.Elem())
	case *types.Map:
		return g.canWrite(t.Key()) && g.canWrite(t.Elem())
	case *types.Basic:
		return true
	case *types.Interface:
		return t.Empty()
	}
	return false
}

func (g *generator) canWriteAll(list *types.TypeList) bool {
	for i := range list.Len() {
		if !g.canWrite(list.At(i)) {
			return false
		}
	}
	return true
}

func (g *generator) mayName(o *types.TypeName) bool {
	if o.Pkg() == nil {
		return true // predeclared, such as error
	}
	return o.Parent() == o.Pkg().Scope() && (o.Pkg() == g.pkg || o.Exported())
}

// shapeOf returns the shape of a struct with this layout.
func shapeOf(l *layout) string {
	var b strings.Builder
	for _, f := range l.fields {
		fmt.Fprintf(&b, "%q %s", f.name, f.path)
		if f.omitEmpty {
			b.WriteString(" omitempty")
		}
		switch {
		case callsIsZero(f):
			b.WriteString(" omitzero:IsZero")
		case f.omitZero:
			b.WriteString(" omitzero")
		}
		for _, alias := range f.aliases {
			fmt.Fprintf(&b, " alias:%q", alias)
		}
		if f.asArray {
			b.WriteString(" as_array")
		}
		b.WriteString(" " + f.kind.shape + "\n")
	}
	if l.rest != nil {
		b.WriteString("inline " + l.rest.path)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
