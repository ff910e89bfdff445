package polypack

// Plan of the file: two tables over all 256 head bytes. One has the family a head byte belongs to, the other how many
// length, count, type or number bytes follow it. format_test.go compares the tables, and so the constants of
// internal/format, with spec/format.json.

import "github.com/polypack/polypack/go/internal/format"

// A family is a set of formats for the same kind of value. Each family is one bit, so that one variable can name
// several families.
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

// formatRow describes one row of the table in spec/02-wire.md.
type formatRow struct {
	name        string
	family      family
	first, last byte
	// argument is how many bytes with a length, count, type or number follow the head byte.
	argument uint8
}

var formats = [...]formatRow{
	{"positive fixint", familyInt, format.PositiveFixint, format.LastPositiveFixint, 0},
	{"fixmap", familyMap, format.Fixmap, format.LastFixmap, 0},
	{"fixarray", familyArray, format.Fixarray, format.LastFixarray, 0},
	{"fixstr", familyStr, format.Fixstr, format.LastFixstr, 0},
	{"nil", familyNil, format.Nil, format.Nil, 0},
	{"reserved", familyReserved, format.Reserved, format.Reserved, 0},
	{"false", familyBool, format.False, format.False, 0},
	{"true", familyBool, format.True, format.True, 0},
	{"bin 8", familyBin, format.Bin8, format.Bin8, 1},
	{"bin 16", familyBin, format.Bin16, format.Bin16, 2},
	{"bin 32", familyBin, format.Bin32, format.Bin32, 4},
	{"ext 8", familyExt, format.Ext8, format.Ext8, 2},
	{"ext 16", familyExt, format.Ext16, format.Ext16, 3},
	{"ext 32", familyExt, format.Ext32, format.Ext32, 5},
	{"float 32", familyFloat, format.Float32, format.Float32, 4},
	{"float 64", familyFloat, format.Float64, format.Float64, 8},
	{"uint 8", familyInt, format.Uint8, format.Uint8, 1},
	{"uint 16", familyInt, format.Uint16, format.Uint16, 2},
	{"uint 32", familyInt, format.Uint32, format.Uint32, 4},
	{"uint 64", familyInt, format.Uint64, format.Uint64, 8},
	{"int 8", familyInt, format.Int8, format.Int8, 1},
	{"int 16", familyInt, format.Int16, format.Int16, 2},
	{"int 32", familyInt, format.Int32, format.Int32, 4},
	{"int 64", familyInt, format.Int64, format.Int64, 8},
	{"fixext 1", familyExt, format.Fixext1, format.Fixext1, 1},
	{"fixext 2", familyExt, format.Fixext2, format.Fixext2, 1},
	{"fixext 4", familyExt, format.Fixext4, format.Fixext4, 1},
	{"fixext 8", familyExt, format.Fixext8, format.Fixext8, 1},
	{"fixext 16", familyExt, format.Fixext16, format.Fixext16, 1},
	{"str 8", familyStr, format.Str8, format.Str8, 1},
	{"str 16", familyStr, format.Str16, format.Str16, 2},
	{"str 32", familyStr, format.Str32, format.Str32, 4},
	{"array 16", familyArray, format.Array16, format.Array16, 2},
	{"array 32", familyArray, format.Array32, format.Array32, 4},
	{"map 16", familyMap, format.Map16, format.Map16, 2},
	{"map 32", familyMap, format.Map32, format.Map32, 4},
	{"negative fixint", familyInt, format.NegativeFixint, 0xff, 0},
}

// families and arguments give each head byte the family and the argument of its row in formats.
var families, arguments = spreadFormats()

func spreadFormats() (families [256]family, arguments [256]uint8) {
	for _, f := range formats {
		for c := int(f.first); c <= int(f.last); c++ {
			families[c], arguments[c] = f.family, f.argument
		}
	}
	return families, arguments
}

// formatName returns the name of a head byte's format, for error texts.
func formatName(c byte) string {
	for i := range formats {
		if formats[i].first <= c && c <= formats[i].last {
			return formats[i].name
		}
	}
	return "unknown" // unreachable: formats covers every byte
}
