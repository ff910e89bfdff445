package polypack

// Plan of the file: Kind, what a value is before it is read, and Decoder.Peek.

import "github.com/polypack/polypack/go/internal/format"

// A Kind is what a value is on the wire, as Peek tells it before the value is read (spec/01-data-model.md).
type Kind uint8

const (
	KindInvalid   Kind = iota // no value; comes with an error
	KindNil                   // nil or undefined
	KindBool                  // false or true
	KindInt                   // an int of any width
	KindFloat                 // a float 32 or float 64
	KindStr                   // text
	KindBin                   // bytes
	KindArray                 // for DecodeArrayHeader
	KindMap                   // for DecodeMapHeader
	KindRecord                // a map as a record, for Decode and DecodeAny
	KindTimestamp             // an ext of type -1
	KindExt                   // an ext of any other type
)

// String returns the word of the specification for a Kind.
func (k Kind) String() string {
	return nameOf("Kind", uint8(k), "invalid", "nil", "bool", "int", "float", "str", "bin", "array", "map", "record", "timestamp", "ext")
}

// Peek returns the Kind of the next value and doesn't move. It looks at the head alone, so the value may still be
// incomplete or faulty. With the option Fingerprint it reads the header, too, as Decode does. Errors: CodeUnexpectedEnd
// when no value or not all of its head is left, CodeReservedByte, CodeUnknownRecord. An option out of its range is a
// UsageError.
func (d *Decoder) Peek() (Kind, error) {
	m, err := d.begin()
	if err != nil {
		return KindInvalid, err
	}
	kind, err := d.kind()
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

// extensionKind is kind for an ext. Of the shortest exts, a byte of data says whether it is undefined.
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
