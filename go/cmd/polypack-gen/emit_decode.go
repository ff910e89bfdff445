package main

// Plan of the file: the method DecodeWire. Its code has the fields in the order of their declaration, in which writers
// usually send them. Before each field, the code compares the input with the field's key. If the input has another key,
// a switch over all names finds where to continue. But if writers may leave the field out, the code usually tries the
// key of the next field first (see mostMissed). This way the code for each field exists once, and input in the usual
// order rarely needs the switch.
//
// A goto must not jump over a declaration. That is why the method declares its own variables before the first goto, and
// the variables of a field in a block.

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
)

// A decodeEmitter writes one DecodeWire, or the part of one UnmarshalPolypack that decodeFlat describes.
type decodeEmitter struct {
	*emitter
	// unwind has the statements that run after a failure, the innermost last. They keep the elements read so far, and
	// add segments to the path of the error.
	unwind []string
	owed   string // the statement that sets r.Owed for the current value
	// boxed names a variable whose address must not be taken, because the variable would then move to the heap. The
	// library reads into a new variable of type boxType instead.
	boxed, boxType string
	// flat means that the code has a wire.Input but no wire.Reader. At an uncommon value it jumps to the label other.
	flat bool
}

// mostMissed is the largest number of optional fields in a row that the input may lack before the code uses the switch.
const mostMissed = 3

func (m *emitter) decode() {
	d := &decodeEmitter{emitter: m}
	d.printf("// ReadWire reads the value at the start of data into v.\n")
	d.printf("func (v *%s) ReadWire(data []byte, limits wire.ReaderLimits, hooks wire.ReaderHooks) (int, wire.ReaderHooks) {\n", m.receiver())
	d.printf("var r wire.Reader\nr.Begin(data, limits, hooks)\nreturn v.DecodeWire(&r, 0), r.Hooks\n}\n\n")
	d.printf("// DecodeWire reads the value at position i into v.\n")
	d.printf("func (v *%s) DecodeWire(r *wire.Reader, i int) int {\n", m.receiver())
	if n := len(d.fields); 0 < n && n < 16 {
		d.printf("count, at := r.OpenFields(i), i+1\nif count < 0 {\n")
		d.printf("if count, at = r.OpenMap(i); at < 0 {\nreturn r.Plan(i, v)\n}\n}\ni = at\n")
	} else {
		d.printf("count, at := r.OpenMap(i)\nif at < 0 {\nreturn r.Plan(i, v)\n}\ni = at\n")
	}
	d.printf("owed, left := r.Owed, count\n")
	if len(d.fields) > 0 {
		d.printf("b := r.Data()\nvar key []byte\n")
	}
	missed := 0 // how many fields directly before field k jump to the next field if the input has another key
	for k, f := range d.fields {
		d.printf("if left == 0 {\ngoto done\n}\n")
		if missed > 0 {
			d.printf("key%d:\n", k)
		}
		otherwise := "other"
		if omitted(f) != "" && missed < mostMissed && k+1 < len(d.fields) {
			missed++
			otherwise = fmt.Sprintf("key%d", k+1)
		} else {
			missed = 0
		}
		key := string(str(f.name))
		d.printf("if len(b)-i < %d || string(b[i:i+%d]) != %s {\ngoto %s\n}\ni += %d\n", len(key), len(key), asciiQuote(key), otherwise, len(key))
		d.printf("field%d: // %s\nleft--\n", k, strconv.Quote(f.name))
		d.owed = "r.Owed = owed + 2*left"
		d.unwind = []string{fmt.Sprintf("return r.Field(%q)", f.name)}
		if f.asArray {
			d.printf("%s\nif i = r.FieldValue(i, v, %d); i < 0 {\n", d.owed, k)
			d.fail()
			d.printf("}\n")
		} else {
			d.value(f.kind, "v."+f.path)
		}
	}
	if len(d.fields) > 0 {
		d.printf("\nother:\n")
	}
	d.printf("for left > 0 {\n")
	if len(d.fields) > 0 {
		d.printf("if key, at = r.Key(i); at >= 0 {\nswitch string(key) {\n")
		for k, f := range d.fields {
			d.printf("case %q:\ni = at\ngoto field%d\n", f.name, k)
			for a, alias := range f.aliases { // uncommon, so a call reads the value; the path of an error has the alias
				if alias == f.name || slices.Contains(f.aliases[:a], alias) {
					continue // needless, but allowed
				}
				d.printf("case %q:\nleft--\nr.Owed = owed + 2*left\n", alias)
				if f.asArray {
					d.printf("if i = r.FieldValue(at, v, %d); i < 0 {\nreturn r.Field(%q)\n}\ncontinue\n", k, alias)
				} else {
					d.printf("if i = r.Value(at, &v.%s); i < 0 {\nreturn r.Field(%q)\n}\ncontinue\n", f.path, alias)
				}
			}
		}
		d.printf("}\n}\n")
	}
	entry := "r.Entry(i, count-left)"
	if d.rest != nil {
		entry = "r.RestEntry(i, count-left, v)"
	}
	d.printf("r.Owed = owed + 2*left\nif i = %s; i < 0 {\nreturn i\n}\nleft--\n}\n", entry)
	if len(d.fields) > 0 {
		d.printf("\ndone:\n")
	}
	d.printf("r.Owed = owed\nr.Close()\nreturn i\n}\n\n")
}

// asciiQuote returns encoded keys as a Go string literal in ASCII. Names in ASCII stay readable.
func asciiQuote(key string) string { return strconv.QuoteToASCII(key) }

// fail writes the statements of unwind, the innermost first. They end the method after a failure.
func (d *decodeEmitter) fail() {
	for k := len(d.unwind) - 1; k >= 0; k-- {
		d.printf("%s\n", d.unwind[k])
	}
}

// plan writes a statement that lets the library read the value into x. The statement may follow an else.
func (d *decodeEmitter) plan(x string) {
	if x == d.boxed {
		d.printf("{\nbox := new(%s)\nif i = r.Plan(i, box); i < 0 {\n", d.boxType)
		d.fail()
		d.printf("}\n%s = *box\n}\n", x)
		return
	}
	d.printf("if i = r.Plan(i, %s); i < 0 {\n", target(x))
	d.fail()
	d.printf("}\n")
}

// uncommon completes an if statement that reads common values into x, from its closing brace on. For all other values,
// the code jumps to the label other if d.flat is set, and otherwise calls the library.
func (d *decodeEmitter) uncommon(x string) {
	if d.flat {
		d.printf("} else {\ngoto other\n}\n")
		return
	}
	d.printf("} else ")
	d.plan(x)
}

// value writes code that reads a value of kind k into x, an addressable expression. For ownMethods, x may also be a
// pointer to the target.
func (d *decodeEmitter) value(k *kind, x string) {
	switch k.form {
	case scalar:
		d.scalar(k, x)
	case moment:
		d.printf("if t, at := r.Time(i); at >= 0 {\n%s, i = t, at\n", x)
		d.uncommon(x)
	case blob:
		d.printf("if s, at := r.Bytes(i, %s); at >= 0 {\n%s, i = s, at\n", x, x)
		d.uncommon(x)
	case array8:
		d.printf("if at := r.ByteArray(i, %s[:]); at >= 0 {\ni = at\n", x)
		d.uncommon(x)
	case pointer:
		d.pointer(k, x)
	case ownMethods:
		d.printf("%s\nif i = %s.DecodeWire(r, i); i < 0 {\n", d.owed, x)
		d.fail()
		d.printf("}\n")
	case slice:
		d.slice(k, x)
	case array:
		d.array(k, x)
	case textMap:
		d.textMap(k, x)
	default:
		d.other(x)
	}
}

// other writes code that lets the engine read the value into x.
func (d *decodeEmitter) other(x string) {
	d.printf("%s\nif i = r.Value(i, %s); i < 0 {\n", d.owed, target(x))
	d.fail()
	d.printf("}\n")
}

func (d *decodeEmitter) scalar(k *kind, x string) {
	info := k.basic.Info()
	to := func(value string, from types.BasicKind) string {
		if types.Identical(k.typ, types.Typ[from]) {
			return value
		}
		return d.goType(k.typ) + "(" + value + ")"
	}
	switch {
	case info&types.IsBoolean != 0:
		d.printf("if wire.IsBool(b, i) {\n%s = b[i] == 0xc3\ni++\n", x)
	case info&types.IsString != 0:
		d.printf("if s, at := r.String(i); at >= 0 {\n%s, i = %s, at\n", x, to("s", types.String))
	case k.basic.Kind() == types.Float64:
		d.printf("if wire.IsFloat64(b, i) {\n%s = %s\ni += 9\n", x, to("wire.Float64At(b, i)", types.Float64))
		d.printf("} else if f, at := r.Float64(i); at >= 0 {\n%s, i = %s, at\n", x, to("f", types.Float64))
	case k.basic.Kind() == types.Float32:
		d.printf("if f, at := r.Float32(i); at >= 0 {\n%s, i = %s, at\n", x, to("f", types.Float32))
	default:
		call, wide := "Int", types.Int64
		if info&types.IsUnsigned != 0 {
			call, wide = "Uint", types.Uint64
		}
		fits := ""
		if k.basic.Kind() != wide {
			fits = fmt.Sprintf(" && %s(%s(n)) == n", types.Typ[wide], k.basic.Name())
		}
		// Ints from 0 to 127 are so common that they are read without a call.
		small := d.goType(k.typ) + "(b[i])"
		d.printf("if uint(i) < uint(len(b)) && b[i] <= 0x7f {\n%s = %s\ni++\n", x, small)
		d.printf("} else if n, at := r.%s(i); at >= 0%s {\n%s, i = %s, at\n", call, fits, x, to("n", wide))
	}
	d.uncommon(x)
}

func (d *decodeEmitter) pointer(k *kind, x string) {
	d.printf("switch r.Presence(i) {\ncase wire.IsNil:\n%s = nil\ni++\ncase wire.IsValue:\n", x)
	elem := k.typ.Underlying().(*types.Pointer).Elem()
	d.printf("if %s == nil {\n%s = new(%s)\n}\n", x, x, d.goType(elem))
	if k.elem.form == ownMethods {
		d.value(k.elem, behind(k, x))
	} else {
		d.value(k.elem, "(*"+x+")")
	}
	d.printf("default:\n")
	d.plan(x)
	d.printf("}\n")
}

// slice writes code that reads an array into the slice x. After a fault in an element, x ends with that element, except
// if x is boxed.
func (d *decodeEmitter) slice(k *kind, x string) {
	count, at, s, promised, j := d.name("count"), d.name("at"), d.name("s"), d.name("promised"), d.name("i")
	long := k.elem.form == scalar && k.elem.basic.Info()&types.IsString == 0
	if long {
		d.printf("%s\nif %s, %s := r.OpenShort(i, %d); %s >= 0 {\n", d.owed, count, at, longSlice, at)
	} else {
		d.printf("%s\nif %s, %s := r.OpenArray(i); %s >= 0 {\n", d.owed, count, at, at)
	}
	owed := d.begin(k.elem)
	elements := "Elements"
	if types.Identical(k.elem.typ, types.Typ[types.String]) {
		elements = "StringElements"
	}
	d.printf("i = %s\n%s, %s := wire.%s(r, %s, %s)\n", at, s, promised, elements, x, count)
	d.printf("for %s := range %s {\nif %s == len(%s) {\n%s, %s = wire.More(r, %s, %s, %s)\n}\n", j, count, j, s, s, promised, s, count, promised)
	outer := d.owed
	if owed != "" {
		d.owed = fmt.Sprintf("r.Owed = %s + %s - %s - 1", owed, count, j)
	}
	before := d.unwind
	d.unwind = append(d.unwind, fmt.Sprintf("r.Index(%s)", j))
	if x != d.boxed { // a boxed variable isn't used after a fault
		d.unwind = append(d.unwind, fmt.Sprintf("%s = %s[:%s+1]", x, s, j))
	}
	d.value(k.elem, s+"["+j+"]")
	d.unwind, d.owed = before, outer
	d.printf("}\nr.Arrived(%s)\n%s = %s[:%s]\n", promised, x, s, count)
	if owed != "" {
		d.printf("r.Owed = %s\n", owed)
	}
	d.printf("r.Close()\n} else if r.IsNil(i) {\n%s = nil\ni++\n", x)
	if long && x != d.boxed {
		d.printf("} else if i = r.Value(i, %s); i < 0 {\n", target(x))
		d.fail()
		d.printf("}\n")
		return
	}
	d.uncommon(x)
}

// longSlice is the largest count of an array of numbers or bools that generated code reads itself. The engine has
// faster loops for longer arrays.
const longSlice = 32

// begin writes code that stores r.Owed, the number of values owed after the container, in a variable. It returns the
// variable's name. If elements of the kind don't need the number, begin returns "" and writes nothing.
func (d *decodeEmitter) begin(elem *kind) string {
	switch elem.form {
	case scalar, moment, blob, array8:
		return ""
	}
	owed := d.name("owed")
	d.printf("%s := r.Owed\n", owed)
	return owed
}

// array writes code that reads an array into the Go array x. Missing elements become zero.
func (d *decodeEmitter) array(k *kind, x string) {
	count, at, j := d.name("count"), d.name("at"), d.name("i")
	d.printf("%s\nif %s, %s := r.OpenShort(i, %d); %s >= 0 {\n", d.owed, count, at, k.length, at)
	owed := d.begin(k.elem)
	d.printf("i = %s\nclear(%s[:])\nfor %s := range %s {\n", at, x, j, count)
	outer := d.owed
	if owed != "" {
		d.owed = fmt.Sprintf("r.Owed = %s + %s - %s - 1", owed, count, j)
	}
	d.unwind = append(d.unwind, fmt.Sprintf("r.Index(%s)", j))
	d.value(k.elem, x+"["+j+"]")
	d.unwind, d.owed = d.unwind[:len(d.unwind)-1], outer
	d.printf("}\n")
	if owed != "" {
		d.printf("r.Owed = %s\n", owed)
	}
	d.printf("r.Close()\n")
	d.uncommon(x)
}

// textMap writes code that reads a map into the Go map x. The code reads each element into a local variable and then
// stores it in x. For structs and arrays, the variable is on the heap.
func (d *decodeEmitter) textMap(k *kind, x string) {
	count, at, m, promised, j, key, e := d.name("count"), d.name("at"), d.name("m"), d.name("promised"), d.name("i"), d.name("key"), d.name("e")
	t := k.typ.Underlying().(*types.Map)
	elem := d.goType(t.Elem())
	boxes := k.elem.form == ownMethods || k.elem.form == array || k.elem.form == array8
	d.printf("%s\nif %s, %s := r.OpenMap(i); %s >= 0 {\n", d.owed, count, at, at)
	owed := d.begin(k.elem)
	if owed == "" {
		owed = d.name("owed")
		d.printf("%s := r.Owed\n", owed)
	}
	d.printf("i = %s\n%s, %s := wire.Entries(r, %s, %s)\n%s = %s\n", at, m, promised, x, count, x, m)
	if boxes {
		d.printf("%s := new(%s)\n", e, elem)
	}
	d.printf("for %s := range %s {\n%s, at := r.MapKey(i)\nif at < 0 {\n", j, count, key)
	d.printf("r.Owed = %s + 2*(%s-%s) - 1\n%s, at = r.OddKey(i, %s)\nif at < 0 {\n", owed, count, j, key, target(x))
	d.fail()
	d.printf("}\n}\ni = at\n")
	outer, boxed, boxType := d.owed, d.boxed, d.boxType
	d.owed = fmt.Sprintf("r.Owed = %s + 2*(%s-%s-1)", owed, count, j)
	value := "(*" + e + ")"
	if boxes {
		d.printf("%s = *new(%s)\n", argument(value), elem)
		if k.elem.form == ownMethods {
			value = e
		}
	} else {
		d.printf("var %s %s\n", e, elem)
		value = e
		d.boxed, d.boxType = e, elem
	}
	d.unwind = append(d.unwind, fmt.Sprintf("r.Field(%s)", key))
	d.value(k.elem, value)
	d.unwind, d.owed, d.boxed, d.boxType = d.unwind[:len(d.unwind)-1], outer, boxed, boxType
	name := key
	if !types.Identical(t.Key(), types.Typ[types.String]) {
		name = d.goType(t.Key()) + "(" + key + ")"
	}
	if boxes {
		e = "*" + e
	}
	d.printf("%s[%s] = %s\n}\nr.Arrived(%s)\nr.Owed = %s\nr.Close()\n", m, name, e, promised, owed)
	d.printf("} else if r.IsNil(i) {\n%s = nil\ni++\n", x)
	d.uncommon(x)
}
