package polypack

// Plan of the file: the type Ext; writing an ext with the shortest head; reading an ext's type, its data and where it
// ends. The callers decide what the extension types mean (spec/03-extensions.md).

import (
	"encoding/binary"
	"fmt"

	"github.com/polypack/polypack/go/internal/format"
)

// An Ext is an extension value: a type and bytes. Types 0 to 127 belong to applications, types -128 to -1 to
// MessagePack. Data is never nil after decoding.
type Ext struct {
	Type int8
	Data []byte
}

// isUndefined reports whether an ext is the value undefined (spec/03-extensions.md#undefined).
func isUndefined(typ int8, data []byte) bool {
	return typ == format.UndefinedType && len(data) == 1 && data[0] == 0
}

// isDeclaration reports whether an ext declares a record and so isn't an ext value (spec/03-extensions.md).
func isDeclaration(typ int8, data []byte) bool {
	return typ == format.RecordType && (len(data) == 1 || len(data) == 2)
}

// check returns an error if e cannot be written, because it would declare a record, is an invalid timestamp or is too
// long.
func (e Ext) check() error {
	switch {
	case isDeclaration(e.Type, e.Data):
		return encodeError(CodeInvalidRecord, "ext of type 0x72 with 1 or 2 bytes declares a record",
			"use another extension type")
	case e.Type == format.TimestampType:
		if _, ok := parseTimestamp(e.Data); !ok {
			return encodeError(CodeInvalidTimestamp, invalidTimestampText(e.Data), "use Timestamp")
		}
	case tooLong(len(e.Data)):
		return lengthOutOfRange("ext", len(e.Data))
	}
	return nil
}

// appendExt appends an ext with the shortest head.
func appendExt(dst []byte, typ int8, data []byte) []byte {
	return append(appendExtHead(dst, typ, len(data)), data...)
}

func appendExtHead(dst []byte, typ int8, n int) []byte {
	switch {
	case n == 1:
		dst = append(dst, format.Fixext1)
	case n == 2:
		dst = append(dst, format.Fixext2)
	case n == 4:
		dst = append(dst, format.Fixext4)
	case n == 8:
		dst = append(dst, format.Fixext8)
	case n == 16:
		dst = append(dst, format.Fixext16)
	case n <= 1<<8-1:
		dst = append(dst, format.Ext8, byte(n))
	case n <= 1<<16-1:
		dst = binary.BigEndian.AppendUint16(append(dst, format.Ext16), uint16(n))
	default:
		dst = binary.BigEndian.AppendUint32(append(dst, format.Ext32), uint32(n))
	}
	return append(dst, byte(typ))
}

// extensionHead reads the type and the declared length of the ext at d.offset. The body starts at the offset body and
// may be incomplete. want names the expected value in the text of a CodeTypeMismatch.
func (d *Decoder) extensionHead(want string) (typ int8, length int64, body int, err error) {
	start := d.offset
	if start >= len(d.data) {
		return 0, 0, 0, d.failEnd()
	}
	c := d.data[start]
	if families[c] != familyExt {
		return 0, 0, 0, d.failKind(start, want)
	}
	body = start + 1 + int(arguments[c])
	if body > len(d.data) {
		return 0, 0, 0, d.failHead(start)
	}
	typ = int8(d.data[body-1])
	switch c {
	case format.Ext8:
		length = int64(d.data[start+1])
	case format.Ext16:
		length = int64(binary.BigEndian.Uint16(d.data[start+1:]))
	case format.Ext32:
		length = int64(binary.BigEndian.Uint32(d.data[start+1:]))
	default:
		length = 1 << (c - format.Fixext1)
	}
	return typ, length, body, nil
}

// extension reads the ext at d.offset without moving past it. It returns the type, the data as a view of the input, and
// the offset after the ext. want names the expected value in the text of a CodeTypeMismatch.
func (d *Decoder) extension(want string) (typ int8, data []byte, end int, err error) {
	start := d.offset
	typ, length, body, err := d.extensionHead(want)
	if err != nil {
		return 0, nil, 0, err
	}
	if length > int64(len(d.data)-body) {
		return 0, nil, 0, d.failBody(start, body, length)
	}
	if d.lengths != nil && length > d.lengths.ext {
		return 0, nil, 0, d.failLength(start, length, d.lengths.ext, "MaxExtLen")
	}
	end = body + int(length)
	return typ, d.data[body:end], end, nil
}

// ext reads an ext value of any type, timestamps included.
func (d *Decoder) ext() (Ext, error) {
	start := d.offset
	typ, data, end, err := d.extension("an ext")
	if err != nil {
		return Ext{}, err
	}
	if isDeclaration(typ, data) {
		return Ext{}, d.failExtension(start, typ, data, "an ext")
	}
	if typ == format.TimestampType {
		if _, ok := parseTimestamp(data); !ok {
			return Ext{}, d.failTimestamp(start, data)
		}
	}
	d.offset = end
	return Ext{Type: typ, Data: copyBytes(data)}, nil
}

// skipUndefined steps over the next value if it is undefined, and reports whether it was.
func (d *Decoder) skipUndefined() bool {
	typ, data, end, err := d.extension("")
	if err != nil || !isUndefined(typ, data) {
		return false
	}
	d.offset = end
	return true
}

// failExtension returns the error for a complete ext that is not of the expected type.
func (d *Decoder) failExtension(start int, typ int8, data []byte, want string) error {
	switch {
	case isDeclaration(typ, data) && !d.inline():
		return d.failRecordsOff(start)
	case isDeclaration(typ, data):
		return d.failMismatch(start, "a record", want)
	case typ == format.TimestampType:
		if _, ok := parseTimestamp(data); !ok {
			return d.failTimestamp(start, data)
		}
		return d.failMismatch(start, "a timestamp", want)
	}
	return d.failMismatch(start, fmt.Sprintf("an ext of type %d", typ), want)
}
