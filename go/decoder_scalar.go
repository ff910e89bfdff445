package polypack

// Plan of the file: nil and bool, numbers, text and bytes, and the heads of arrays and maps. number reads every number
// into 64 bits and a form, which functions such as asInt64 then convert. decoder.go makes most of the errors.

import (
	"encoding/binary"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/polypack/polypack/go/internal/format"
)

// skipNil steps over the next value if it is nil or undefined, and reports whether it did.
func (d *Decoder) skipNil() bool {
	if d.offset >= len(d.data) {
		return false
	}
	c := d.data[d.offset]
	if c == format.Nil {
		d.offset++
		return true
	}
	return families[c] == familyExt && d.skipUndefined()
}

func (d *Decoder) bool() (bool, error) {
	if d.offset < len(d.data) {
		switch d.data[d.offset] {
		case format.False:
			d.offset++
			return false, nil
		case format.True:
			d.offset++
			return true, nil
		}
	}
	return false, d.failKind(d.offset, "a bool")
}

// A numberForm says what the 64 bits of a number mean.
type numberForm uint8

const (
	formUnsigned numberForm = iota
	formNegative            // a negative int in two's complement
	formFloat32             // binary64 bits of a number that was written as float 32
	formFloat64             // binary64 bits
)

// number reads an int or a float.
func (d *Decoder) number() (bits uint64, form numberForm, err error) {
	start := d.offset
	if start >= len(d.data) {
		return 0, 0, d.failEnd()
	}
	c := d.data[start]
	if c <= format.LastPositiveFixint {
		if c >= firstRecordID && d.inline() {
			if s, _, err := d.instanceAt(start); s != nil || err != nil {
				return 0, 0, d.failKind(start, "a number")
			}
		}
		d.offset = start + 1
		return uint64(c), formUnsigned, nil
	}
	if c >= format.NegativeFixint {
		d.offset = start + 1
		return uint64(int64(int8(c))), formNegative, nil
	}
	if families[c]&(familyInt|familyFloat) == 0 {
		return 0, 0, d.failKind(start, "a number")
	}
	end := start + 1 + int(arguments[c])
	if end > len(d.data) {
		return 0, 0, d.failHead(start)
	}
	b := d.data[start+1 : end]
	d.offset = end
	switch c {
	case format.Float32:
		f := math.Float32frombits(binary.BigEndian.Uint32(b))
		return math.Float64bits(float64(f)), formFloat32, nil
	case format.Float64:
		return binary.BigEndian.Uint64(b), formFloat64, nil
	case format.Uint8:
		return uint64(b[0]), formUnsigned, nil
	case format.Uint16:
		return uint64(binary.BigEndian.Uint16(b)), formUnsigned, nil
	case format.Uint32:
		return uint64(binary.BigEndian.Uint32(b)), formUnsigned, nil
	case format.Uint64:
		return binary.BigEndian.Uint64(b), formUnsigned, nil
	}
	var n int64
	switch c {
	case format.Int8:
		n = int64(int8(b[0]))
	case format.Int16:
		n = int64(int16(binary.BigEndian.Uint16(b)))
	case format.Int32:
		n = int64(int32(binary.BigEndian.Uint32(b)))
	case format.Int64:
		n = int64(binary.BigEndian.Uint64(b))
	}
	if n < 0 {
		return uint64(n), formNegative, nil
	}
	return uint64(n), formUnsigned, nil
}

// asInt64 converts a number if int64 holds it exactly.
func asInt64(bits uint64, form numberForm) (n int64, ok bool) {
	switch form {
	case formUnsigned:
		return int64(bits), bits <= math.MaxInt64
	case formNegative:
		return int64(bits), true
	}
	f := math.Float64frombits(bits)
	if f < -1<<63 || f >= 1<<63 || f != math.Trunc(f) { // the last comparison also catches NaN
		return 0, false
	}
	return int64(f), true
}

// asUint64 converts a number if uint64 holds it exactly.
func asUint64(bits uint64, form numberForm) (n uint64, ok bool) {
	switch form {
	case formUnsigned:
		return bits, true
	case formNegative:
		return 0, false
	}
	f := math.Float64frombits(bits)
	if f < 0 || f >= 1<<64 || f != math.Trunc(f) {
		return 0, false
	}
	return uint64(f), true
}

// asFloat64 converts a number if float64 holds it exactly.
func asFloat64(bits uint64, form numberForm) (f float64, ok bool) {
	switch form {
	case formUnsigned:
		f = float64(bits)
		back, fits := asUint64(math.Float64bits(f), formFloat64)
		return f, fits && back == bits
	case formNegative:
		f = float64(int64(bits))
		back, fits := asInt64(math.Float64bits(f), formFloat64)
		return f, fits && back == int64(bits)
	}
	return math.Float64frombits(bits), true
}

// asFloat32 converts an int if float32 holds it exactly, and a float if it doesn't overflow. A float is rounded.
func asFloat32(bits uint64, form numberForm) (f float32, ok bool) {
	wide, ok := asFloat64(bits, form)
	if !ok {
		return 0, false
	}
	f = float32(wide)
	if form == formUnsigned || form == formNegative {
		return f, float64(f) == wide
	}
	return f, !math.IsInf(float64(f), 0) || math.IsInf(wide, 0)
}

func numberText(bits uint64, form numberForm) string {
	switch form {
	case formUnsigned:
		return strconv.FormatUint(bits, 10)
	case formNegative:
		return strconv.FormatInt(int64(bits), 10)
	}
	return strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64)
}

func (d *Decoder) int64() (int64, error) {
	start := d.offset
	bits, form, err := d.number()
	if err != nil {
		return 0, err
	}
	n, ok := asInt64(bits, form)
	if !ok {
		return 0, d.failNumber(start, numberText(bits, form), "int64")
	}
	return n, nil
}

func (d *Decoder) uint64() (uint64, error) {
	start := d.offset
	bits, form, err := d.number()
	if err != nil {
		return 0, err
	}
	n, ok := asUint64(bits, form)
	if !ok {
		return 0, d.failNumber(start, numberText(bits, form), "uint64")
	}
	return n, nil
}

func (d *Decoder) float64() (float64, error) {
	start := d.offset
	bits, form, err := d.number()
	if err != nil {
		return 0, err
	}
	f, ok := asFloat64(bits, form)
	if !ok {
		return 0, d.failNumber(start, numberText(bits, form), "float64 exactly")
	}
	return f, nil
}

func (d *Decoder) float32() (float32, error) {
	start := d.offset
	bits, form, err := d.number()
	if err != nil {
		return 0, err
	}
	f, ok := asFloat32(bits, form)
	if !ok {
		return 0, d.failNumber(start, numberText(bits, form), "float32")
	}
	return f, nil
}

// body returns the n bytes after a head as a view of the input, and moves past them. The value starts at the offset
// start, and its head ends at the offset head.
func (d *Decoder) body(start, head int, n int64) ([]byte, error) {
	if n > int64(len(d.data)-head) {
		return nil, d.failBody(start, head, n)
	}
	d.offset = head + int(n)
	return d.data[head:d.offset], nil
}

// text reads a str as a view of the input. In strict and lossless mode, the str must be UTF-8.
func (d *Decoder) text() ([]byte, error) {
	start := d.offset
	if start >= len(d.data) {
		return nil, d.failEnd()
	}
	c := d.data[start]
	if families[c] != familyStr {
		return nil, d.failKind(start, "a str")
	}
	head := start + 1 + int(arguments[c])
	if head > len(d.data) {
		return nil, d.failHead(start)
	}
	n := int64(c & format.MaxFixstr)
	switch c {
	case format.Str8:
		n = int64(d.data[start+1])
	case format.Str16:
		n = int64(binary.BigEndian.Uint16(d.data[start+1:]))
	case format.Str32:
		n = int64(binary.BigEndian.Uint32(d.data[start+1:]))
	}
	text, err := d.body(start, head, n)
	if err != nil {
		return nil, err
	}
	if d.lengths != nil && n > d.lengths.text {
		return nil, d.failLength(start, n, d.lengths.text, "MaxStringLen")
	}
	if d.checked() && !utf8.Valid(text) {
		return nil, d.failUTF8(start, text)
	}
	return text, nil
}

func (d *Decoder) failUTF8(start int, text []byte) error {
	return d.fail(CodeInvalidUTF8, start, "str "+quote(string(text))+" is not UTF-8",
		"the writer should send binary data as bin")
}

// bin reads a bin as a view of the input.
func (d *Decoder) bin() ([]byte, error) {
	start := d.offset
	if start >= len(d.data) {
		return nil, d.failEnd()
	}
	c := d.data[start]
	if families[c] != familyBin {
		return nil, d.failKind(start, "a bin")
	}
	head := start + 1 + int(arguments[c])
	if head > len(d.data) {
		return nil, d.failHead(start)
	}
	var n int64
	switch c {
	case format.Bin8:
		n = int64(d.data[start+1])
	case format.Bin16:
		n = int64(binary.BigEndian.Uint16(d.data[start+1:]))
	case format.Bin32:
		n = int64(binary.BigEndian.Uint32(d.data[start+1:]))
	}
	b, err := d.body(start, head, n)
	if err == nil && d.lengths != nil && n > d.lengths.bin {
		return nil, d.failLength(start, n, d.lengths.bin, "MaxBinaryLen")
	}
	return b, err
}

// string reads a str. Default mode also accepts a bin, because languages that don't distinguish text from bytes may
// write either.
func (d *Decoder) string() (string, error) {
	if !d.checked() && d.next()&familyBin != 0 {
		b, err := d.bin()
		return d.keep(b), err
	}
	b, err := d.text()
	return d.keep(b), err
}

// isName reports whether the next value can be a name: a str or, in default mode, a bin.
func (d *Decoder) isName() bool {
	f := d.next()
	return f == familyStr || f == familyBin && !d.checked()
}

// name reads a name as a view of the input. The caller has checked that isName returns true.
func (d *Decoder) name() ([]byte, error) {
	if d.next() == familyBin {
		return d.bin()
	}
	return d.text()
}

// keep turns a view of the input into a string. With StringsZeroCopy, the string is also a view. Otherwise it is a
// copy.
func (d *Decoder) keep(text []byte) string {
	if d.strings == StringsZeroCopy {
		return viewString(text)
	}
	return string(text)
}

// keepBytes returns a copy of b. With StringsZeroCopy it returns a view instead, without spare capacity, so that append
// can't overwrite the input.
func (d *Decoder) keepBytes(b []byte) []byte {
	if d.strings == StringsZeroCopy {
		return b[:len(b):len(b)]
	}
	return copyBytes(b)
}

// bytes reads a bin or, in default mode, a str, as a view of the input.
func (d *Decoder) bytes() ([]byte, error) {
	if !d.checked() && d.next()&familyStr != 0 {
		return d.text()
	}
	return d.bin()
}

// next returns the family of the next head byte, or 0 at the end of the input.
func (d *Decoder) next() family {
	if d.offset < len(d.data) {
		return families[d.data[d.offset]]
	}
	return 0
}

// copyBytes returns a copy of b that is never nil.
func copyBytes(b []byte) []byte {
	return append(make([]byte, 0, len(b)), b...)
}

// arrayHead reads the head of an array and returns its count.
func (d *Decoder) arrayHead() (int64, error) {
	start := d.offset
	if start >= len(d.data) {
		return 0, d.failEnd()
	}
	c := d.data[start]
	if families[c] != familyArray {
		return 0, d.failKind(start, "an array")
	}
	head := start + 1 + int(arguments[c])
	if head > len(d.data) {
		return 0, d.failHead(start)
	}
	d.offset = head
	switch c {
	case format.Array16:
		return int64(binary.BigEndian.Uint16(d.data[start+1:])), nil
	case format.Array32:
		return int64(binary.BigEndian.Uint32(d.data[start+1:])), nil
	}
	return int64(c & format.MaxFixcontainer), nil
}

// mapHead reads the head of a map and returns its count.
func (d *Decoder) mapHead() (int64, error) {
	start := d.offset
	if start >= len(d.data) {
		return 0, d.failEnd()
	}
	c := d.data[start]
	if families[c] != familyMap {
		return 0, d.failKind(start, "a map")
	}
	head := start + 1 + int(arguments[c])
	if head > len(d.data) {
		return 0, d.failHead(start)
	}
	d.offset = head
	switch c {
	case format.Map16:
		return int64(binary.BigEndian.Uint16(d.data[start+1:])), nil
	case format.Map32:
		return int64(binary.BigEndian.Uint32(d.data[start+1:])), nil
	}
	return int64(c & format.MaxFixcontainer), nil
}

// openArray reads the head of an array, opens the array and returns its number of elements.
func (d *Decoder) openArray() (int, error) {
	start := d.offset
	count, err := d.arrayHead()
	if err != nil {
		return 0, err
	}
	if err := d.open(start, count); err != nil {
		return 0, err
	}
	if d.lengths != nil && count > d.lengths.elements {
		return 0, d.failLength(start, count, d.lengths.elements, "MaxArrayLen")
	}
	return int(count), nil
}

// openMap reads the head of a map, opens the map and returns its number of entries.
func (d *Decoder) openMap() (int, error) {
	start := d.offset
	count, err := d.mapHead()
	if err != nil {
		return 0, err
	}
	if err := d.open(start, 2*count); err != nil {
		return 0, err
	}
	if d.lengths != nil && count > d.lengths.entries {
		return 0, d.failLength(start, count, d.lengths.entries, "MaxMapLen")
	}
	return int(count), nil
}
