package main

// Plan of the file: what the other emit files share: printing, names, the method WireShape, the tests for omitempty and
// omitzero, and the encoding of strings and map heads.

import (
	"bytes"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An emitter writes the methods of one struct.
type emitter struct {
	*generator
	*structType
	out  *bytes.Buffer
	vars int // number of local variables named so far
}

func (m *emitter) printf(text string, args ...any) { fmt.Fprintf(m.out, text, args...) }

// name returns a name that no other variable of the method has.
func (m *emitter) name(prefix string) string {
	m.vars++
	return prefix + strconv.Itoa(m.vars)
}

// shape writes the method WireShape, which describes the struct that the other methods are made for.
func (m *emitter) shape() {
	m.printf("// WireShape says which %s the methods below were made for.\n", m.structType.name)
	m.printf("func (*%s) WireShape() string {\nreturn ", m.receiver())
	lines := strings.SplitAfter(shapeOf(&m.layout), "\n")
	for i, line := range lines {
		if i > 0 {
			m.printf(" +\n")
		}
		m.printf("%s", quoted(line))
	}
	m.printf("\n}\n\n")
	if embeds(m.named) {
		m.printf("// WireType says whose methods these are, because embedding promotes methods.\n")
		m.printf("func (v *%s) %s() interface{} { return v }\n\n", m.receiver(), typeMethod)
	}
}

// quoted returns a Go expression for the string s. It prefers a raw literal if s contains double quotes.
func quoted(s string) string {
	if text := strings.TrimSuffix(s, "\n"); strconv.CanBackquote(text) && strings.Contains(text, `"`) {
		if text == s {
			return "`" + text + "`"
		}
		return "`" + text + "` + \"\\n\""
	}
	return strconv.Quote(s)
}

// omitted returns the condition under which a field is left out, or "" if the field is never left out.
func omitted(f *field) string {
	var tests []string
	if f.omitEmpty {
		if test := emptyTest(f, "v."+f.path); test != "" {
			tests = append(tests, test)
		}
	}
	if f.omitZero {
		for _, test := range strings.Split(zeroTest(f, "v."+f.path), " || ") {
			if !slices.Contains(tests, test) { // go vet refuses redundant tests
				tests = append(tests, test)
			}
		}
	}
	return strings.Join(tests, " || ")
}

// emptyTest returns the test for omitempty: whether x is false, 0, "", nil or the zero time, or has no elements. It
// returns "" if no value of the type counts as empty.
func emptyTest(f *field, x string) string {
	switch u := f.typ.Underlying().(type) {
	case *types.Slice, *types.Map:
		return "len(" + x + ") == 0"
	case *types.Array:
		if u.Len() == 0 {
			return "true"
		}
		return ""
	case *types.Struct:
		if isValueType(f.typ) && f.kind.form == moment {
			return x + ".IsZero()"
		}
		return ""
	}
	return plainZero(f.typ, x)
}

// zeroTest returns the test for omitzero: the type's method IsZero, or whether x is Go's zero value. It returns "" if
// generated code has no test for the type.
func zeroTest(f *field, x string) string {
	if hasIsZero(f.typ) {
		switch f.typ.Underlying().(type) {
		case *types.Pointer, *types.Interface:
			return x + " == nil || " + x + ".IsZero()"
		}
		return x + ".IsZero()"
	}
	switch f.typ.Underlying().(type) {
	case *types.Slice, *types.Map:
		return x + " == nil"
	}
	return plainZero(f.typ, x)
}

// hasIsZero reports whether t or *t has a method IsZero without parameters that returns a bool. A method for which
// isBorrowed reports true doesn't count.
func hasIsZero(t types.Type) bool {
	under, receiver := t, t
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		under = u.Elem()
	default:
		if !types.IsInterface(t) {
			receiver = types.NewPointer(t)
		}
	}
	method := types.NewMethodSet(receiver).Lookup(nil, "IsZero")
	if method == nil || isBorrowed(under, method) {
		return false
	}
	signature, ok := method.Type().(*types.Signature)
	return ok && signature.Params().Len() == 0 && signature.Results().Len() == 1 &&
		types.Identical(signature.Results().At(0).Type(), types.Typ[types.Bool])
}

// isBorrowed reports whether a method of t doesn't count, because it is promoted from an embedded field. A promoted
// method still counts if no struct on the way has another field, and no embedded field is a pointer, an interface or of
// a type with an encoding of its own (isValueType).
func isBorrowed(t types.Type, method *types.Selection) bool {
	for _, i := range method.Index()[:len(method.Index())-1] {
		s, ok := t.Underlying().(*types.Struct)
		if !ok || s.NumFields() > 1 {
			return true
		}
		t = s.Field(i).Type()
		switch t.Underlying().(type) {
		case *types.Pointer, *types.Interface:
			return true
		}
		if isValueType(t) {
			return true
		}
	}
	return false
}

// plainZero returns the test whether x is Go's zero value, or "" if it has no test for the type.
func plainZero(t types.Type, x string) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "!" + x
		case u.Info()&types.IsString != 0:
			return x + ` == ""`
		case u.Info()&types.IsNumeric != 0:
			return x + " == 0"
		case u.Kind() == types.UnsafePointer:
			return x + " == nil"
		}
	case *types.Pointer, *types.Interface, *types.Signature, *types.Chan:
		return x + " == nil"
	}
	return ""
}

// capitalized returns the name of a type with a capital first letter.
func capitalized(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}

// behind returns the Go expression for the struct that x points to, on which its methods can be called. x is a pointer
// of kind k. The expression is x itself, or (*x) for a defined pointer type such as type P *T, which has no methods.
func behind(k *kind, x string) string {
	if _, ok := types.Unalias(k.typ).(*types.Pointer); ok {
		return x
	}
	return "(*" + x + ")"
}

// target returns the Go expression for the address of the expression x: p for (*p), otherwise &x.
func target(x string) string {
	if p := argument(x); p != x {
		return p[1:]
	}
	return "&" + x
}

// argument returns the expression x as an argument of a call, where (*p) needs no parentheses and becomes *p.
func argument(x string) string {
	if strings.HasPrefix(x, "(*") && strings.IndexByte(x, ')') == len(x)-1 {
		return x[1 : len(x)-1]
	}
	return x
}

// str returns the encoding of s as a str.
func str(s string) []byte {
	n := len(s)
	var head []byte
	switch {
	case n < 32:
		head = []byte{0xa0 | byte(n)}
	case n < 1<<8:
		head = []byte{0xd9, byte(n)}
	case n < 1<<16:
		head = []byte{0xda, byte(n >> 8), byte(n)}
	default:
		head = []byte{0xdb, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
	}
	return append(head, s...)
}

// mapHead returns the head of a map of n entries, at most mostFields.
func mapHead(n int) []byte {
	if n < 16 {
		return []byte{0x80 | byte(n)}
	}
	return []byte{0xde, byte(n >> 8), byte(n)}
}
