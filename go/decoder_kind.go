package polypack

// Plan of the file: Kind, and Decoder.Peek, which returns the Kind of the next value without reading the value.

import "github.com/polypack/polypack/go/internal/format"

// A Kind is the kind of a value on the wire (spec/01-data-model.md). Peek returns it before the value is read.
type Kind uint8

const (
	KindInvalid   Kind = iota // no value; returned with an error
	KindNil                   // nil or undefined
	KindBool                  // false or true
	KindInt                   // an int of any width
	KindFloat                 // a float 32 or float 64
	KindStr                   // text
	KindBin                   // bytes
	KindArray                 // an array; DecodeArrayHeader reads its head
	KindMap                   // a map; DecodeMapHeader reads its head
	KindRecord                // a map written as a record; Decode and DecodeAny read it
	KindTimestamp             // an ext of type -1
	KindExt                   // any other ext
)

// String returns the name of a Kind, such as "str" or "record".
func (k Kind) String() string {
	return nameOf("Kind", uint8(k), "invalid", "nil", "bool", "int", "float", "str", "bin", "array", "map", "record", "timestamp", "ext")
}

// Peek returns the Kind of the next value and doesn't move. It looks only at the head and, to recognize undefined, at
// one byte of data. So the value may still be incomplete or faulty. With the option Fingerprint, Peek also checks the
// header of the message; an unknown fingerprint is CodeInvalidRecord. Errors: CodeUnexpectedEnd if a byte that Peek
// looks at is missing, CodeReservedByte, CodeUnknownRecord. An option out of its range is a UsageError.
func (d *Decoder) Peek() (Kind, error) {
	m, err := d.begin()
	if err != nil {
		return KindInvalid, err
	}
	kind, err := d.kind()
	if err != nil && d.unsettled {
		if m, err = d.reload(m, err); err == nil {
			kind, err = d.kind()
		}
	}
	if err != nil {
		return KindInvalid, d.rewind(m, err)
	}
	d.restore(m)
	return kind, nil
}

// kind returns the Kind of the value at d.offset.
func (d *Decoder) kind() (Kind, error) {
	start := d.offset
	if start >= len(d.data) {
		return KindInvalid, d.failEnd()
	}
	switch c := d.data[start]; families[c] {
	case familyNil:
		return KindNil, nil
	case familyBool:
		return KindBool, nil
	case familyInt:
		s, _, err := d.instanceAt(start)
		if err != nil {
			return KindInvalid, err
		}
		if s != nil {
			return KindRecord, nil
		}
		return KindInt, nil
	case familyFloat:
		return KindFloat, nil
	case familyStr:
		return KindStr, nil
	case familyBin:
		return KindBin, nil
	case familyArray:
		return KindArray, nil
	case familyMap:
		return KindMap, nil
	case familyExt:
		return d.extensionKind()
	}
	return KindInvalid, d.failReserved(start)
}

// extensionKind returns the Kind of the ext at d.offset. An ext of type 0 with one byte of data is undefined if that
// byte is 0.
func (d *Decoder) extensionKind() (Kind, error) {
	typ, length, body, err := d.extensionHead("")
	switch {
	case err != nil:
		return KindInvalid, err
	case typ == format.TimestampType:
		return KindTimestamp, nil
	case typ == format.RecordType && (length == 1 || length == 2) && d.inline():
		return KindRecord, nil
	case typ != format.UndefinedType || length != 1:
		return KindExt, nil
	case body >= len(d.data):
		return KindInvalid, d.failBody(d.offset, body, length)
	case d.data[body] == 0:
		return KindNil, nil
	}
	return KindExt, nil
}
