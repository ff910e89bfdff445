package polypack

// Plan of the file: the head bytes of spec/02-wire.md as constants, then two tables over all 256 head bytes: the family
// a head byte belongs to, and how many length, count, type or number bytes follow it. format_test.go checks all of it
// against spec/format.json.

// Head bytes. A range is named by its first byte.
const (
	headPositiveFixint = 0x00
	headFixmap         = 0x80
	headFixarray       = 0x90
	headFixstr         = 0xa0
	headNil            = 0xc0
	headReserved       = 0xc1
	headFalse          = 0xc2
	headTrue           = 0xc3
	headBin8           = 0xc4
	headBin16          = 0xc5
	headBin32          = 0xc6
	headExt8           = 0xc7
	headExt16          = 0xc8
	headExt32          = 0xc9
	headFloat32        = 0xca
	headFloat64        = 0xcb
	headUint8          = 0xcc
	headUint16         = 0xcd
	headUint32         = 0xce
	headUint64         = 0xcf
	headInt8           = 0xd0
	headInt16          = 0xd1
	headInt32          = 0xd2
	headInt64          = 0xd3
	headFixext1        = 0xd4
	headFixext2        = 0xd5
	headFixext4        = 0xd6
	headFixext8        = 0xd7
	headFixext16       = 0xd8
	headStr8           = 0xd9
	headStr16          = 0xda
	headStr32          = 0xdb
	headArray16        = 0xdc
	headArray32        = 0xdd
	headMap16          = 0xde
	headMap32          = 0xdf
	headNegativeFixint = 0xe0

	lastPositiveFixint = 0x7f
	lastFixmap         = 0x8f
	lastFixarray       = 0x9f
	lastFixstr         = 0xbf

	// The largest length or count inside a fix head.
	maxFixstr       = 31
	maxFixcontainer = 15
)

// Extension types with a meaning of their own (spec/03-extensions.md).
const (
	typeUndefined = 0
	typeTimestamp = -1
	typeRecord    = 0x72
)

// A family is a set of formats that write the same kind. Its values are bits, so that a target can name the
// families it holds as one set.
type family uint16

const (
	familyNil family = 1 << iota
	familyBool
	familyInt
	familyFloat
	familyStr
	familyBin
	familyArray
	familyMap
	familyExt
	familyReserved
)

// format describes one row of the table in spec/02-wire.md.
type format struct {
	name        string
	family      family
	first, last byte
	// argument counts the bytes after the head byte that still belong to the head: length, count, type or number.
	argument uint8
}

var formats = [...]format{
	{"positive fixint", familyInt, headPositiveFixint, lastPositiveFixint, 0},
	{"fixmap", familyMap, headFixmap, lastFixmap, 0},
	{"fixarray", familyArray, headFixarray, lastFixarray, 0},
	{"fixstr", familyStr, headFixstr, lastFixstr, 0},
	{"nil", familyNil, headNil, headNil, 0},
	{"reserved", familyReserved, headReserved, headReserved, 0},
	{"false", familyBool, headFalse, headFalse, 0},
	{"true", familyBool, headTrue, headTrue, 0},
	{"bin 8", familyBin, headBin8, headBin8, 1},
	{"bin 16", familyBin, headBin16, headBin16, 2},
	{"bin 32", familyBin, headBin32, headBin32, 4},
	{"ext 8", familyExt, headExt8, headExt8, 2},
	{"ext 16", familyExt, headExt16, headExt16, 3},
	{"ext 32", familyExt, headExt32, headExt32, 5},
	{"float 32", familyFloat, headFloat32, headFloat32, 4},
	{"float 64", familyFloat, headFloat64, headFloat64, 8},
	{"uint 8", familyInt, headUint8, headUint8, 1},
	{"uint 16", familyInt, headUint16, headUint16, 2},
	{"uint 32", familyInt, headUint32, headUint32, 4},
	{"uint 64", familyInt, headUint64, headUint64, 8},
	{"int 8", familyInt, headInt8, headInt8, 1},
	{"int 16", familyInt, headInt16, headInt16, 2},
	{"int 32", familyInt, headInt32, headInt32, 4},
	{"int 64", familyInt, headInt64, headInt64, 8},
	{"fixext 1", familyExt, headFixext1, headFixext1, 1},
	{"fixext 2", familyExt, headFixext2, headFixext2, 1},
	{"fixext 4", familyExt, headFixext4, headFixext4, 1},
	{"fixext 8", familyExt, headFixext8, headFixext8, 1},
	{"fixext 16", familyExt, headFixext16, headFixext16, 1},
	{"str 8", familyStr, headStr8, headStr8, 1},
	{"str 16", familyStr, headStr16, headStr16, 2},
	{"str 32", familyStr, headStr32, headStr32, 4},
	{"array 16", familyArray, headArray16, headArray16, 2},
	{"array 32", familyArray, headArray32, headArray32, 4},
	{"map 16", familyMap, headMap16, headMap16, 2},
	{"map 32", familyMap, headMap32, headMap32, 4},
	{"negative fixint", familyInt, headNegativeFixint, 0xff, 0},
}

// families and arguments spread formats over the 256 head bytes.
var families, arguments = spreadFormats()

func spreadFormats() (families [256]family, arguments [256]uint8) {
	for _, f := range formats {
		for c := int(f.first); c <= int(f.last); c++ {
			families[c], arguments[c] = f.family, f.argument
		}
	}
	return families, arguments
}

// formatName returns the name of a head byte's format, for messages.
func formatName(c byte) string {
	for i := range formats {
		if formats[i].first <= c && c <= formats[i].last {
			return formats[i].name
		}
	}
	return "unknown" // unreachable: formats covers every byte, as format_test.go proves
}
