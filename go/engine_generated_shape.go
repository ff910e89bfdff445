//go:build !purego

package polypack

// Plan of the file: checking whether the methods that polypack-gen wrote for a struct still fit it. The methods were
// made for a shape, which here is a text that describes the struct (see wire.Generated). The plan knows the struct as
// it is now. If the shape and the plan agree, the methods do what the plan would do. Generated methods may call the
// methods of other structs, so these must fit as well.

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/polypack/polypack/go/internal/wire"
)

var generatedType = reflect.TypeFor[wire.Generated]()

// generatedOf returns a nil pointer to the struct type t as a wire.Generated, or nil if t has no generated methods.
// Methods that are promoted from an embedded field don't count.
func generatedOf(t reflect.Type) wire.Generated {
	if p := reflect.PointerTo(t); p.Implements(generatedType) && (!embedsGenerated(t) || ownsGenerated(t)) {
		return reflect.Zero(p).Interface().(wire.Generated)
	}
	return nil
}

// embedsGenerated reports whether generated methods of the struct type t may be promoted ones.
func embedsGenerated(t reflect.Type) bool {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && (f.Type.Implements(generatedType) || reflect.PointerTo(f.Type).Implements(generatedType)) {
			return true
		}
	}
	return false
}

// ownsGenerated reports whether the struct type t has generated methods of its own. It returns false for methods that
// an older polypack-gen wrote, because they don't tell, and if WireType panics, as one of a nil interface does.
func ownsGenerated(t reflect.Type) (owns bool) {
	defer func() {
		if recover() != nil {
			owns = false
		}
	}()
	v, ok := reflect.New(t).Interface().(wire.Embedding)
	return ok && reflect.TypeOf(v.WireType()) == reflect.PointerTo(t)
}

// adoptGenerated sets the op of each new struct whose methods fit to opGenerated or opGeneratedRest.
func adoptGenerated(structs []*node) {
	// called lists, for each struct whose methods fit, the structs whose methods these methods call.
	called := map[*node][]*node{}
	for _, n := range structs {
		if n.generated == nil {
			continue
		}
		if nested, ok := n.program.fitsShape(n.typ, n.generated.WireShape()); ok {
			called[n] = nested
		}
	}
	// Remove structs whose methods call methods that don't fit. Each removal may lead to others, so repeat the loop
	// until it removes none.
	for before := -1; before != len(called); {
		before = len(called)
		for n, nested := range called {
			for _, c := range nested {
				if _, ok := called[c]; !ok && !c.op.isGenerated() {
					delete(called, n)
				}
			}
		}
	}
	for n := range called {
		if n.op = opGenerated; n.program.plan.rest != nil {
			n.op = opGeneratedRest
		}
	}
}

// fitsShape reports whether the shape describes the struct of type t. called has the structs whose methods the
// generated methods of t call.
func (s *structProgram) fitsShape(t reflect.Type, shape string) (called []*node, ok bool) {
	for i := range s.fields {
		f := &s.fields[i]
		var line string
		line, shape, _ = strings.Cut(shape, "\n")
		kind, ok := strings.CutPrefix(line, fieldShape(t, f.field)+" ")
		if !ok {
			return nil, false
		}
		if kind, ok = kindFits(kind, f.node, &called); !ok || kind != "" {
			return nil, false
		}
	}
	last := ""
	if rest := s.plan.rest; rest != nil {
		last = "inline " + selector(t, rest.field.index)
	}
	return called, shape == last
}

// selector returns the Go selector of the field of t with this index, for example Base.ID.
func selector(t reflect.Type, index []int) string {
	var names []string
	for _, x := range index {
		f := t.Field(x)
		names = append(names, f.Name)
		t = f.Type
	}
	return strings.Join(names, ".")
}

// fieldShape returns the line that describes a field of t in the text of WireShape. The caller appends the kind of the
// field's type, such as string.
func fieldShape(t reflect.Type, f *field) string {
	shape := strconv.Quote(f.name) + " " + selector(t, f.index)
	if f.omitEmpty {
		shape += " omitempty"
	}
	switch {
	case f.callsIsZero():
		shape += " omitzero:IsZero"
	case f.omitZero:
		shape += " omitzero"
	}
	for _, alias := range f.aliases {
		shape += " alias:" + strconv.Quote(alias)
	}
	if f.asArray {
		shape += " as_array"
	}
	return shape
}

// kindFits reports whether the text kind starts with the kind of the node, or with ?, which fits every node. rest is
// the text after this kind. kindFits appends to called the structs whose methods the generated code calls.
func kindFits(kind string, n *node, called *[]*node) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(kind, "?"); ok {
		return rest, true
	}
	// Don't test n.op here: for a struct with an inline map, it is opPlan until adoptGenerated has finished.
	if n.program != nil && n.generated != nil {
		*called = append(*called, n)
		return strings.CutPrefix(kind, "@")
	}
	if n.op == opPlan {
		return kind, false
	}
	for prefix, ops := range kindPrefixes {
		if rest, ok = strings.CutPrefix(kind, prefix); ok && ops(n) {
			return kindFits(rest, n.elem, called)
		}
	}
	if length, rest, isArray := strings.Cut(kind, "]"); isArray && n.typ.Kind() == reflect.Array {
		if length != "["+strconv.Itoa(n.length) {
			return kind, false
		}
		if n.op == opByteArray {
			return strings.CutPrefix(rest, "byte")
		}
		return kindFits(rest, n.elem, called)
	}
	switch n.op {
	case opBytes:
		return strings.CutPrefix(kind, "bytes")
	case opTime:
		return strings.CutPrefix(kind, "time")
	case opBool, opInt8, opInt16, opInt32, opInt64, opUint8, opUint16, opUint32, opUint64, opFloat32, opFloat64, opString:
		if kind == n.typ.Kind().String() {
			return "", true
		}
	}
	return kind, false
}

var kindPrefixes = map[string]func(n *node) bool{
	"*":           func(n *node) bool { return n.op == opPointer },
	"[]":          func(n *node) bool { return n.typ.Kind() == reflect.Slice && n.op != opBytes },
	"map[string]": func(n *node) bool { return n.typ.Kind() == reflect.Map && n.key.op == opString },
}
