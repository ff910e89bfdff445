package main

// Plan of the file: AppendPolypack and UnmarshalPolypack, the methods for callers who know the type. They have special
// code for a flat struct, which has only bools, numbers, strings and times. This code needs no Writer or Reader, which
// would be expensive for so little work.

import (
	"bytes"
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// direct writes AppendPolypack and UnmarshalPolypack, the methods for callers who know the type.
func (m *emitter) direct() {
	name, library := m.structType.name, m.libraryName()
	known := m.ownName("polypack" + capitalized(name))
	m.printf("// %s is what the library knows of %s.\nvar %s %s.Direct\n\n", known, name, known, library)
	m.printf("// AppendPolypack appends the encoding of v to dst. It is %s.Append without options, and quicker.\n",
		library)
	m.printf("func (v *%s) AppendPolypack(dst []byte) ([]byte, error) {\n", name)
	if m.flat() {
		m.appendFlat(known)
	} else {
		m.printf("if !%s.Fits() || v == nil {\nreturn %s.Append(dst, v)\n}\nvar w wire.Writer\n", known, known)
		m.printf("if dst == nil {\nn := v.EncodeWire(&w, %s.Begin(&w, %s.Buffer()))\n", known, known)
		m.printf("if %s.Odd(&w, n) {\nreturn %s.Finish(&w, n)\n}\nreturn w.Bytes(n), nil\n}\n", known, known)
		m.printf("n := v.EncodeWire(&w, %s.Begin(&w, dst))\nif %s.Hooked(&w) {\nreturn %s.End(&w, dst, n)\n}\n", known, known, known)
		m.printf("return w.Bytes(n), nil\n}\n\n")
	}
	m.printf("// UnmarshalPolypack decodes the one value in data into v. It is %s.Unmarshal without options, and "+
		"quicker.\n", library)
	m.printf("func (v *%s) UnmarshalPolypack(data []byte) error {\n", name)
	m.printf("if !%s.Fits() || v == nil {\nreturn %s.Unmarshal(data, v)\n}\n", known, known)
	if m.flat() {
		m.decodeFlat()
	}
	m.printf("var r wire.Reader\n%s.BeginRead(&r, data)\n", known)
	m.printf("if n := v.DecodeWire(&r, 0); %s.OddRead(&r, n) {\nreturn %s.EndRead(&r, n)\n}\nreturn nil\n}\n\n", known, known)
}

// appendFlat writes the body of AppendPolypack for a flat struct. Encoding the fields can't fail and doesn't call the
// library, so the code needs no Writer.
func (m *emitter) appendFlat(known string) {
	outer := m.out
	m.out = new(bytes.Buffer)
	e := &encodeEmitter{emitter: m, direct: true, lean: true, early: early(m.fields)}
	m.printf("if !%s.Fits() || v == nil {\nreturn %s.Append(dst, v)\n}\n", known, known)
	need := e.reserves.make()
	if test := long(m.fields); test == "" {
		m.printf("isNew, n, need := dst == nil, len(dst), %s\n", need)
	} else { // one byte per integer and str head is often enough, and less memory is faster to allocate
		m.printf("isNew, n, need := dst == nil, len(dst), %s\nif %s {\n", shortReserveMark(0), test)
		if len(e.early) > 0 {
			m.printf("if %s {\nreturn %s.Append(dst, v)\n}\n", anyLong(e.early), known)
		}
		m.printf("need = %s\n}\n", need)
	}
	m.printf("if isNew {\ndst = wire.Buffer(need)\n} else if cap(dst)-n < need {\ndst = wire.Grow(dst, need)\n}\nb := wire.BaseOf(dst)\n")
	e.structBody()
	m.printf("if isNew && wire.Wasteful(cap(dst), n) {\nreturn %s.Fit(dst[:n]), nil\n}\n", known)
	m.printf("return dst[:n], nil\n}\n\n")
	outer.WriteString(e.reserves.replace(m.out.String()))
	m.out = outer
}

// long returns the condition under which an integer or a str head of a flat struct may need more than one byte. It
// returns "" if the struct has neither integers nor strings.
func long(fields []*field) string {
	var lengths, numbers, tests []string
	for _, f := range fields {
		switch x := "v." + f.path; {
		case f.kind.isText():
			lengths = append(lengths, "len("+x+")")
		case f.kind.form == scalar && f.kind.basic.Info()&types.IsInteger != 0:
			numbers = append(numbers, "uint64("+x+")")
		}
	}
	if len(lengths) > 0 {
		tests = append(tests, strings.Join(lengths, "|")+" > 31")
	}
	if len(numbers) > 0 {
		tests = append(tests, strings.Join(numbers, "|")+" > 127")
	}
	return strings.Join(tests, " || ")
}

// flat reports whether a struct has fields, but only bools, numbers, strings and times, and no inline map. Memory for
// all fields must be reservable at once, and no test for omitzero may call a method of the user's program.
func (l *layout) flat() bool {
	texts := 0
	for _, f := range l.fields {
		if f.kind.form != scalar && f.kind.form != moment || callsIsZero(f) {
			return false
		}
		if f.kind.isText() {
			texts++
		}
	}
	return len(l.fields) > 0 && l.rest == nil && texts == len(early(l.fields))
}

// decodeFlat writes the part of UnmarshalPolypack for short messages that have all fields of a flat struct in the order
// of AppendPolypack. If a message differs, this part stops, and the code for all messages reads the message again.
func (m *emitter) decodeFlat() {
	d := &decodeEmitter{emitter: m, flat: true}
	texts := 0
	constant := mapHead(len(m.fields))
	// A message shorter than least can't hold all entries, so it is left to the code for all messages. That code
	// refuses a message whose head declares too many entries for its length, before it sets any field.
	least := len(constant)
	for _, f := range m.fields {
		least += len(str(f.name)) + 1
	}
	d.printf("if %d <= len(data) && len(data) <= wire.ShortMessage {\nm, i := wire.View(data), 0\n", least)
	if slices.ContainsFunc(m.fields, func(f *field) bool { return f.kind.form == moment || f.kind.basic.Info()&types.IsNumeric != 0 }) {
		d.printf("r := wire.InputOf(data)\n")
	}
	if slices.ContainsFunc(m.fields, func(f *field) bool { return f.kind.looksAtBytes() }) {
		d.printf("b := data\n")
	}
	for _, f := range m.fields {
		constant = append(constant, str(f.name)...)
		d.printf("if len(m)-i < %d || m[i:i+%d] != %s {\ngoto other\n}\ni += %d\n", len(constant), len(constant), asciiQuote(string(constant)), len(constant))
		constant = nil
		if f.kind.isText() {
			d.printf("s%d, i := wire.Text(m, i)\nif i < 0 {\ngoto other\n}\n", texts)
			texts++
			continue
		}
		d.value(f.kind, "v."+f.path)
	}
	d.printf("if i != len(m) {\ngoto other\n}\n")
	d.keepTexts(texts)
	d.printf("return nil\n}\n\nother:\n")
}

// keepTexts writes code that copies the strings in the variables s0, s1 and so on, and sets the string fields to the
// copies. All copies share one piece of memory.
func (d *decodeEmitter) keepTexts(count int) {
	if count == 0 {
		return
	}
	if count > 1 {
		d.printf("texts := wire.Join(")
		for k := range count {
			d.printf("s%d, ", k)
		}
		d.printf(")\n")
	}
	k := 0
	for _, f := range d.fields {
		if !f.kind.isText() {
			continue
		}
		value := func(s string) string {
			if types.Identical(f.kind.typ, types.Typ[types.String]) {
				return s
			}
			return d.goType(f.kind.typ) + "(" + s + ")"
		}
		switch {
		case count == 1:
			d.printf("v.%s = %s\n", f.path, value("wire.Own(s0)"))
		case k < count-1:
			d.printf("v.%s, texts = %s, texts[len(s%d):]\n", f.path, value(fmt.Sprintf("texts[:len(s%d)]", k)), k)
		default:
			d.printf("v.%s = %s\n", f.path, value("texts"))
		}
		k++
	}
}
