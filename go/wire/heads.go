package wire

// Plan of the file: the head bytes of spec/02-wire.md that this package writes and reads.

const (
	headFixmap   = 0x80
	headFixarray = 0x90
	headFixstr   = 0xa0
	headNil      = 0xc0
	headFalse    = 0xc2
	headBin8     = 0xc4
	headBin16    = 0xc5
	headBin32    = 0xc6
	headExt8     = 0xc7
	headFloat32  = 0xca
	headFloat64  = 0xcb
	headUint8    = 0xcc
	headUint16   = 0xcd
	headUint32   = 0xce
	headUint64   = 0xcf
	headInt8     = 0xd0
	headInt16    = 0xd1
	headInt32    = 0xd2
	headInt64    = 0xd3
	headFixext4  = 0xd6
	headFixext8  = 0xd7
	headStr8     = 0xd9
	headStr16    = 0xda
	headStr32    = 0xdb
	headArray16  = 0xdc
	headArray32  = 0xdd
	headMap16    = 0xde
	headMap32    = 0xdf

	maxFixstr       = 31
	maxFixcontainer = 15

	typeTimestamp = 0xff // the byte of ext type -1

	infinity     = 0x7ff0000000000000 // +Inf as float 64: what is larger, without its sign, is NaN
	canonicalNaN = 0x7ff8000000000000 // the one NaN of the data model, as float 64
)
