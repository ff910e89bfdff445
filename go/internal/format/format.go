// Package format has the constants of the format, for the library and for package wire: the head bytes of
// spec/02-wire.md and the extension types of spec/03-extensions.md. The tests of the library compare them with
// spec/format.json.
package format

// Head bytes. If a format has several head bytes, its name stands for the first one.
const (
	PositiveFixint = 0x00
	Fixmap         = 0x80
	Fixarray       = 0x90
	Fixstr         = 0xa0
	Nil            = 0xc0
	Reserved       = 0xc1
	False          = 0xc2
	True           = 0xc3
	Bin8           = 0xc4
	Bin16          = 0xc5
	Bin32          = 0xc6
	Ext8           = 0xc7
	Ext16          = 0xc8
	Ext32          = 0xc9
	Float32        = 0xca
	Float64        = 0xcb
	Uint8          = 0xcc
	Uint16         = 0xcd
	Uint32         = 0xce
	Uint64         = 0xcf
	Int8           = 0xd0
	Int16          = 0xd1
	Int32          = 0xd2
	Int64          = 0xd3
	Fixext1        = 0xd4
	Fixext2        = 0xd5
	Fixext4        = 0xd6
	Fixext8        = 0xd7
	Fixext16       = 0xd8
	Str8           = 0xd9
	Str16          = 0xda
	Str32          = 0xdb
	Array16        = 0xdc
	Array32        = 0xdd
	Map16          = 0xde
	Map32          = 0xdf
	NegativeFixint = 0xe0

	LastPositiveFixint = 0x7f
	LastFixmap         = 0x8f
	LastFixarray       = 0x9f
	LastFixstr         = 0xbf

	// MaxFixstr is the largest length of a fixstr in bytes. MaxFixcontainer is the largest count of a fixmap or
	// fixarray.
	MaxFixstr       = 31
	MaxFixcontainer = 15
)

// Extension types with a special meaning (spec/03-extensions.md).
const (
	UndefinedType = 0
	TimestampType = -1
	RecordType    = 0x72
)

// TimestampByte is TimestampType as a byte.
const TimestampByte = TimestampType & 0xff

// The bits of two float 64 values (spec/02-wire.md#float).
const (
	Infinity     = 0x7ff0000000000000 // positive infinity; the bits of a NaN, without the sign bit, are larger
	CanonicalNaN = 0x7ff8000000000000 // the only NaN of the data model
)
