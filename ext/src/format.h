/*
 * The head bytes (spec/02-wire.md), extension types (spec/03-extensions.md) and some limits (spec/06-limits.md). A test
 * compares the constants with spec/format.json.
 */
#ifndef POLYPACK_FORMAT_H
#define POLYPACK_FORMAT_H

#define POLYPACK_POSITIVE_FIXINT 0x00
#define POLYPACK_FIXMAP 0x80
#define POLYPACK_FIXARRAY 0x90
#define POLYPACK_FIXSTR 0xa0
#define POLYPACK_NIL 0xc0
#define POLYPACK_RESERVED 0xc1
#define POLYPACK_FALSE 0xc2
#define POLYPACK_TRUE 0xc3
#define POLYPACK_BIN8 0xc4
#define POLYPACK_BIN16 0xc5
#define POLYPACK_BIN32 0xc6
#define POLYPACK_EXT8 0xc7
#define POLYPACK_EXT16 0xc8
#define POLYPACK_EXT32 0xc9
#define POLYPACK_FLOAT32 0xca
#define POLYPACK_FLOAT64 0xcb
#define POLYPACK_UINT8 0xcc
#define POLYPACK_UINT16 0xcd
#define POLYPACK_UINT32 0xce
#define POLYPACK_UINT64 0xcf
#define POLYPACK_INT8 0xd0
#define POLYPACK_INT16 0xd1
#define POLYPACK_INT32 0xd2
#define POLYPACK_INT64 0xd3
#define POLYPACK_FIXEXT1 0xd4
#define POLYPACK_FIXEXT2 0xd5
#define POLYPACK_FIXEXT4 0xd6
#define POLYPACK_FIXEXT8 0xd7
#define POLYPACK_FIXEXT16 0xd8
#define POLYPACK_STR8 0xd9
#define POLYPACK_STR16 0xda
#define POLYPACK_STR32 0xdb
#define POLYPACK_ARRAY16 0xdc
#define POLYPACK_ARRAY32 0xdd
#define POLYPACK_MAP16 0xde
#define POLYPACK_MAP32 0xdf
#define POLYPACK_NEGATIVE_FIXINT 0xe0

/* Extension types */
#define POLYPACK_EXT_UNDEFINED 0
#define POLYPACK_EXT_TIMESTAMP (-1)
#define POLYPACK_EXT_RECORD 0x72

/* Limits */
#define POLYPACK_MAX_DEPTH 512
#define POLYPACK_MAX_STREAM_BYTES 67108864

/* Ids of records (spec/05-records.md): one byte from 0x40 to 0x7f, or two bytes with a first byte from 0x60 to 0x7f */
#define POLYPACK_FIRST_ID 0x40
#define POLYPACK_FIRST_LOW 0x60
#define POLYPACK_LAST_ID 0x7f

#define POLYPACK_MAX_NANOSECONDS 999999999

#endif
