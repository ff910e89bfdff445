package main

// Plan of the file: the method EncodeWire. Its code stores constant bytes (heads and keys) up to eight at a time. It
// reserves memory at once for everything up to the next value of variable length (reserves.go). Strings don't count as
// such values if the method can add up their lengths at its start (early). Between two calls that may grow the buffer,
// the variable b has the address of the buffer's memory (lean).

import (
	"bytes"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/polypack/polypack/go/internal/wire"
)

// An encodeEmitter writes one EncodeWire, or one AppendPolypack of a flat struct.
type encodeEmitter struct {
	*emitter
	reserves reserves
	pending  []byte   // constant bytes not yet stored
	offset   int      // number of bytes from the position in the variable n to the current position
	path     []string // calls that add segments to the path of an error, outermost first
	boxed    string   // a variable whose address must not be taken, because it would then move to the heap
	direct   bool     // whether the method is AppendPolypack
	lean     bool     // whether the variable b has the buffer's address; false inside pointers, slices, arrays and maps
	early    []*field // the result of the function early: strings that share a reservation with the values around them
}

func (m *emitter) encode() {
	outer := m.out
	m.out = new(bytes.Buffer)
	e := &encodeEmitter{emitter: m}
	m.printf("// AppendWire writes v behind dst.\n")
	m.printf("func (v *%s) AppendWire(dst []byte, left, hops int, hooks wire.WriterHooks) ([]byte, int, int, wire.WriterHooks) {\n", m.receiver())
	m.printf("var w wire.Writer\nn := w.Begin(dst, left, hops, hooks)\nn = v.EncodeWire(&w, n)\nreturn w.End(n)\n}\n\n")
	m.printf("// EncodeWire writes v at position n.\n")
	m.printf("func (v *%s) EncodeWire(w *wire.Writer, n int) int {\n", m.receiver())
	e.early = early(m.fields)
	m.printf("if w.Full()")
	if len(e.early) > 0 {
		m.printf(" || %s", anyLong(e.early))
	}
	if m.rest != nil { // the library sorts the inline map and leaves out entries with the name of a field
		m.printf(" || len(v.%s) > 0", m.rest.path)
	}
	m.printf(" {\nreturn w.Struct(n, v)\n}\n")
	// Counting the depth matters only if a field may be or contain another container.
	outermost := slices.ContainsFunc(m.fields, func(f *field) bool { return f.kind.holds() })
	if outermost {
		m.printf("w.Open()\n")
	}
	e.lean = true
	e.reserve()
	e.structBody()
	if outermost {
		m.printf("w.Close()\n")
	}
	m.printf("return n\n}\n\n")
	outer.WriteString(e.reserves.replace(base(m.out.String())))
	m.out = outer
}

// anyLong returns the condition under which the struct is left to the library, because one of the strings is too long.
func anyLong(texts []*field) string {
	var lengths []string
	for _, f := range texts {
		lengths = append(lengths, "len(v."+f.path+")")
	}
	return "wire.Long(" + strings.Join(lengths, "|") + ")"
}

// base turns the first assignment to the variable b into its declaration. It removes the assignments after the last use
// of b.
func base(text string) string {
	const set = "b = w.Base()\n"
	last := strings.LastIndex(text, "(b, ")
	if last < 0 {
		return strings.ReplaceAll(text, set, "")
	}
	return strings.Replace(text[:last], set, "b := w.Base()\n", 1) + strings.ReplaceAll(text[last:], set, "")
}

// early returns the string fields whose lengths the method can add up at its start, because nothing changes them before
// they are written. It stops after wire.ManyTexts strings. It also stops at the first field that may run methods of the
// user's program, because these could change later fields.
func early(fields []*field) (texts []*field) {
	for _, f := range fields {
		if callsIsZero(f) || len(texts) == wire.ManyTexts {
			break
		}
		if f.kind.isText() {
			texts = append(texts, f)
		}
		if f.kind.mayCall() {
			break
		}
	}
	return texts
}

// callsIsZero reports whether the test for omitzero calls a method IsZero of the user's program.
func callsIsZero(f *field) bool { return f.omitZero && hasIsZero(f.typ) && f.kind.form != moment }

// structBody writes code that encodes the head and the fields.
func (e *encodeEmitter) structBody() {
	always, mayChange := 0, false
	for _, f := range e.fields {
		if omitted(f) == "" {
			always++
		}
		mayChange = mayChange || callsIsZero(f) || f.kind.mayCall()
	}
	mayOmit := len(e.fields) - always
	patched := mayOmit > 0 && len(e.fields) < 16
	checked := mayOmit > 0 && !patched && mayChange
	switch {
	case mayOmit == 0:
		e.constant(mapHead(len(e.fields)))
	case patched:
		e.printf("head, count := n, %d\n", len(e.fields))
		e.reserves.use(1, 1)
		e.offset = 1
	default:
		e.printf("count := %d\n", always)
		for _, f := range e.fields {
			if test := omitted(f); test != "" {
				e.condition(test)
				e.printf("count++\n}\n")
			}
		}
		e.reserves.use(headBytes, headBytes)
		e.printf("n = wire.PutMapHead(b, n, count)\n")
	}
	for k, f := range e.fields {
		e.path = []string{fmt.Sprintf("w.Field(%q)", f.name)}
		test := omitted(f)
		if test == "" {
			e.constant(str(f.name))
			e.field(k, f)
			continue
		}
		e.advance()
		e.condition(test)
		before := e.reserves.active
		e.constant(str(f.name))
		e.field(k, f)
		e.advance()
		e.reserves.active = union(before, e.reserves.active)
		switch {
		case patched:
			e.printf("} else {\ncount--\n")
		case checked:
			e.printf("count--\n")
		}
		e.printf("}\n")
	}
	e.advance()
	if patched {
		e.printf("wire.PutByte(b, head, 0x80|byte(count))\n")
	}
	if checked {
		e.printf("if count != %d {\nreturn w.Changed(v)\n}\n", always)
	}
}

// field writes code that encodes the value of f, the field with index k.
func (e *encodeEmitter) field(k int, f *field) {
	if !f.asArray {
		e.value(f.kind, "v."+f.path)
		return
	}
	e.flush()
	e.printf("if n = w.FieldValue(%s, v, %d); n < 0 {\n", e.position(), k)
	e.offset = 0
	e.fail()
	e.printf("}\n")
	e.reserve()
}

// condition begins an if statement whose body runs if the field is encoded. test is the result of omitted.
func (e *encodeEmitter) condition(test string) {
	if negated, ok := negate(test); ok {
		e.printf("if %s {\n", negated)
	} else {
		e.printf("if !(%s) {\n", test)
	}
}

// negate returns the negation of a test, or false if it can't negate this kind of test.
func negate(test string) (string, bool) {
	if strings.Contains(test, "||") || strings.Contains(test, "(") && strings.Contains(test, "==") && !strings.HasPrefix(test, "len(") {
		return "", false
	}
	if strings.HasPrefix(test, "!") {
		return test[1:], true
	}
	if before, after, ok := strings.Cut(test, " == "); ok {
		return before + " != " + after, true
	}
	if strings.HasSuffix(test, ")") {
		return "!" + test, true
	}
	return "", false
}

func union(a, b []int) []int {
	merged := append([]int(nil), a...)
	for _, id := range b {
		known := false
		for _, other := range a {
			known = known || other == id
		}
		if !known {
			merged = append(merged, id)
		}
	}
	return merged
}

// constant adds b, which is the same for every value of the struct type, to the pending bytes.
func (e *encodeEmitter) constant(b []byte) {
	e.pending = append(e.pending, b...)
}

// flush writes code that stores the pending bytes.
func (e *encodeEmitter) flush() {
	b := e.pending
	e.pending = nil
	for len(b) > 0 {
		if len(b) == 1 {
			e.printf("%s, %#02x)\n", e.store("Byte"), b[0])
			e.reserves.use(1, 1)
			e.offset++
			return
		}
		k := min(8, len(b))
		var word uint64
		for i := range k {
			word |= uint64(b[i]) << (8 * i)
		}
		comment := ""
		if printable := strings.Map(visible, string(b[:k])); printable != "" {
			comment = " // " + printable
		}
		e.printf("%s, %#x)%s\n", e.store("Word"), word, comment)
		e.reserves.use(k, 8)
		e.offset += k
		b = b[k:]
	}
}

func visible(r rune) rune {
	if r <= ' ' || r > '~' {
		return -1
	}
	return r
}

// position returns the Go expression for the current position.
func (e *encodeEmitter) position() string {
	if e.offset == 0 {
		return "n"
	}
	return fmt.Sprintf("n+%d", e.offset)
}

// store returns the beginning of a call that stores a value at the current position. The parameter what is the end of
// the called function's name, such as Byte.
func (e *encodeEmitter) store(what string) string {
	if e.lean {
		return "wire.Put" + what + "(b, " + e.position()
	}
	return "w." + what + "(" + e.position()
}

// advance writes code that stores the pending bytes and sets the variable n to the current position.
func (e *encodeEmitter) advance() {
	e.flush()
	if e.offset > 0 {
		e.printf("n += %d\n", e.offset)
		e.offset = 0
	}
}

// fail writes the statements of path, the innermost first. They end the method after a failure.
func (e *encodeEmitter) fail() {
	for i := len(e.path) - 1; i > 0; i-- {
		e.printf("%s\n", e.path[i])
	}
	e.printf("return %s\n", e.path[0])
}

// refuse writes code that lets the library make the error for x, which can't be encoded.
func (e *encodeEmitter) refuse(x string) {
	if x == e.boxed {
		e.printf("box := %s\nw.Refuse(&box)\n", x)
		return
	}
	e.printf("w.Refuse(%s)\n", target(x))
}

// refused writes code that ends the method if n is negative, which means that x can't be encoded.
func (e *encodeEmitter) refused(x string) {
	e.printf("if n < 0 {\n")
	e.refuse(x)
	e.fail()
	e.printf("}\n")
}

// value writes code that encodes the value of the addressable expression x.
func (e *encodeEmitter) value(k *kind, x string) {
	switch k.form {
	case scalar:
		e.scalar(k, x)
	case moment:
		e.flush()
		e.reserves.use(timeBytes, timeBytes)
		e.printf("n = %s, %s)\n", e.store("Time"), argument(x))
		e.offset = 0
	case blob:
		e.advance()
		e.printf("if %s == nil {\nn = w.Nil(n)\n} else {\n", x)
		e.printf("n = w.Bin(n, %s, %d)\n", x, headBytes)
		e.refused(x)
		e.printf("}\n")
		e.reserve()
	case array8:
		e.advance()
		e.printf("n = w.Bin(n, %s[:], %s)\n", x, e.reserves.make())
		e.reserves.use(headBytes, headBytes)
		if k.length > 1<<31-1 {
			e.refused(x)
		}
		if e.lean {
			e.printf("b = w.Base()\n")
		}
	case pointer, slice, array, textMap:
		e.advance()
		lean := e.lean
		e.lean = false
		e.container(k, x)
		e.lean = lean
		e.reserve()
	case ownMethods:
		e.flush()
		e.printf("if n = %s.EncodeWire(w, %s); n < 0 {\n", x, e.position())
		e.offset = 0
		e.fail()
		e.printf("}\n")
		e.reserve()
	default:
		e.other(x)
	}
}

// container writes code that encodes a container, or a pointer and the value that it points to.
func (e *encodeEmitter) container(k *kind, x string) {
	switch k.form {
	case pointer:
		e.pointer(k, x)
	case slice:
		e.slice(k, x)
	case array:
		e.elements(k, x, x, fmt.Sprint(k.length))
	case textMap:
		if x != e.boxed && hasLoop(k.typ.Underlying().(*types.Map)) {
			e.library(x)
		} else {
			e.textMap(k, x)
		}
	}
}

// other writes code that lets the engine encode the value of x, and then reserves memory for what follows.
func (e *encodeEmitter) other(x string) {
	e.flush()
	e.library(x)
	e.reserve()
}

// library writes code that lets the engine encode the value of x.
func (e *encodeEmitter) library(x string) {
	e.printf("if n = w.Value(%s, %s); n < 0 {\n", e.position(), target(x))
	e.offset = 0
	e.fail()
	e.printf("}\n")
}

// reserve writes code that reserves memory up to the next value of variable length.
func (e *encodeEmitter) reserve() {
	e.printf("w.Room(n, %s)\n", e.reserves.make())
	if e.lean {
		e.printf("b = w.Base()\n")
	}
}

// convert returns the Go expression that converts x, which has the type t, to the given basic type.
func convert(x string, t types.Type, to *types.Basic) string {
	if types.Identical(t, to) {
		return argument(x)
	}
	return to.Name() + "(" + argument(x) + ")"
}

func (e *encodeEmitter) scalar(k *kind, x string) {
	info := k.basic.Info()
	e.flush()
	switch {
	case info&types.IsBoolean != 0:
		e.printf("%s, %s)\n", e.store("Bool"), convert(x, k.typ, types.Typ[types.Bool]))
		e.reserves.use(1, 1)
		e.offset++
	case k.basic.Kind() == types.Float64:
		e.printf("%s, %s)\n", e.store("Float64"), convert(x, k.typ, types.Typ[types.Float64]))
		e.reserves.use(numberBytes, numberBytes)
		e.offset += 9
	case info&types.IsString != 0:
		e.text(k, x)
	default:
		call, to := "Int", types.Typ[types.Int64]
		if k.basic.Kind() == types.Float32 {
			call, to = "Float32", types.Typ[types.Float32]
		} else if info&types.IsUnsigned != 0 {
			call, to = "Uint", types.Typ[types.Uint64]
		} else if e.lean {
			to = types.Typ[types.Uint64]
		}
		e.printf("n = %s, %s)\n", e.store(call), convert(x, k.typ, to))
		if call == "Float32" {
			e.reserves.use(numberBytes, numberBytes)
		} else {
			e.reserves.useShort(numberBytes, numberBytes)
		}
		e.offset = 0
	}
}

// fewTexts is the largest number of strings of a flat struct for which AppendPolypack stores short strings without a
// call. With more strings, avoiding the call gains nothing.
const fewTexts = 4

// text writes code that encodes a string. The caller has flushed the pending bytes.
func (e *encodeEmitter) text(k *kind, x string) {
	s := convert(x, k.typ, types.Typ[types.String])
	if e.lean && slices.ContainsFunc(e.early, func(f *field) bool { return "v."+f.path == x }) {
		e.reserves.useShort(headBytes, headBytes)
		e.reserves.useText(x)
		put := fmt.Sprintf("(b, %s, %s)\n", e.position(), s)
		if e.direct && len(e.early) <= fewTexts {
			e.printf("switch {\ncase !wire.IsShort(%s):\nn = wire.PutString%s", s, put)
			e.printf("case len(%s) >= 8:\nn = wire.PutWords%sdefault:\nn = wire.PutHalves%s}\n", s, put, put)
		} else {
			e.printf("n = wire.PutString%s", put)
		}
		e.offset = 0
		return
	}
	mark := e.reserves.make()
	e.reserves.use(headBytes, headBytes)
	e.printf("w.RoomFor(%s, len(%s), %s)\n", e.position(), x, mark)
	e.printf("n = wire.PutString(w.Base(), %s, %s)\n", e.position(), s)
	e.offset = 0
	e.refused(x)
	if e.lean {
		e.printf("b = w.Base()\n")
	}
}

func (e *encodeEmitter) pointer(k *kind, x string) {
	p := e.name("p")
	e.printf("if %s := %s; %s == nil {\nn = w.Nil(n)\n} else {\n", p, x, p)
	e.printf("w.Follow()\n")
	if k.elem.form == ownMethods {
		e.value(k.elem, behind(k, p))
	} else {
		e.reserve()
		e.value(k.elem, "(*"+p+")")
	}
	e.advance()
	e.printf("w.Unfollow()\n}\n")
}

func (e *encodeEmitter) slice(k *kind, x string) {
	if call := sliceCall(k.elem); call != "" {
		e.printf("if %s == nil {\nn = w.Nil(n)\n} else if w.Full() {\nn = -1\n} else {\nn = wire.%s(w, n, %s)\n}\n", x, call, x)
		e.refused(x)
		return
	}
	s := e.name("s")
	e.printf("if %s := %s; %s == nil {\nn = w.Nil(n)\n} else {\n", s, x, s)
	e.elements(k, x, s, "len("+s+")")
	e.printf("}\n")
}

// sliceCall returns the function of package wire that writes a whole slice of elements of this kind, or "" if there is
// none.
func sliceCall(elem *kind) string {
	if elem.form != scalar {
		return ""
	}
	info := elem.basic.Info()
	switch {
	case info&types.IsString != 0:
		return "Strings"
	case info&types.IsBoolean != 0:
		return "Bools"
	case elem.basic.Kind() == types.Float64:
		return "Float64s"
	case elem.basic.Kind() == types.Float32:
		return "Float32s"
	case elem.basic.Kind() == types.Uint16:
		return "Uint16s"
	case info&types.IsUnsigned != 0:
		return "Uints"
	}
	return "Ints"
}

// elements writes code that encodes the elements of s as an array. s is the expression x, or a variable with its value.
func (e *encodeEmitter) elements(k *kind, x, s, length string) {
	e.advance()
	e.printf("if n = w.OpenArray(n, %s); n < 0 {\n", length)
	e.refuse(x)
	e.fail()
	e.printf("}\n")
	i := e.name("i")
	e.printf("for %s := range %s {\n", i, s)
	e.path = append(e.path, fmt.Sprintf("w.Index(%s)", i))
	e.reserve()
	e.value(k.elem, s+"["+i+"]")
	e.advance()
	e.path = e.path[:len(e.path)-1]
	e.printf("}\nw.Close()\n")
}

// hasLoop reports whether the engine has a special loop for maps of type t. The loop remembers the order of the keys,
// so the next map with the same keys needs no sorting.
func hasLoop(t *types.Map) bool {
	elem, ok := types.Unalias(t.Elem()).(*types.Basic)
	if !ok || !types.Identical(t.Key(), types.Typ[types.String]) {
		return false
	}
	switch elem.Kind() {
	case types.String, types.Int, types.Int64, types.Float64, types.Bool:
		return true
	}
	return false
}

// textMap writes code that encodes the entries of a map in the canonical order of their keys. If SortMaps is off, the
// code leaves the map to the engine, except for a map in a boxed variable. Otherwise it copies each element into a
// local variable and encodes the variable. For structs and arrays, the variable is on the heap.
func (e *encodeEmitter) textMap(k *kind, x string) {
	t := k.typ.Underlying().(*types.Map)
	m, keys, space, key, v := e.name("m"), e.name("keys"), e.name("space"), e.name("key"), e.name("e")
	e.printf("if %s := %s; %s == nil {\nn = w.Nil(n)\n", m, x, m)
	if x != e.boxed { // the engine would need the address, so a map in a boxed variable is always sorted
		e.printf("} else if w.Unsorted() {\nif n = w.Value(n, %s); n < 0 {\n", target(x))
		e.fail()
		e.printf("}\n")
	}
	e.printf("} else {\nif n = w.OpenMap(n, len(%s)); n < 0 {\n", m)
	e.refuse(x)
	e.fail()
	e.printf("}\nvar %s [wire.FewKeys]string\n%s := wire.SortedKeys(%s, %s[:0])\n", space, keys, m, space)
	boxes := k.elem.form == ownMethods || k.elem.form == array || k.elem.form == array8
	if boxes {
		e.printf("%s := new(%s)\n", v, e.goType(t.Elem()))
	}
	e.printf("for _, %s := range %s {\n", key, keys)
	e.printf("w.RoomFor(n, len(%s), %s)\nn = wire.PutString(w.Base(), n, %s)\n", key, e.reserves.make(), key)
	e.reserves.use(headBytes, headBytes)
	e.refused(x)
	name := key
	if !types.Identical(t.Key(), types.Typ[types.String]) {
		name = e.goType(t.Key()) + "(" + key + ")"
	}
	value, boxed := v, e.boxed
	if boxes {
		e.printf("*%s = %s[%s]\n", v, m, name)
		if k.elem.form != ownMethods {
			value = "(*" + v + ")"
		}
	} else {
		e.printf("%s := %s[%s]\n", v, m, name)
		e.boxed = v
	}
	e.path = append(e.path, fmt.Sprintf("w.Field(%s)", key))
	e.value(k.elem, value)
	e.advance()
	e.path, e.boxed = e.path[:len(e.path)-1], boxed
	e.printf("}\nw.Close()\n}\n")
}
