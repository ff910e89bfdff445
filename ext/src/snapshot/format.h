/*
 * The constants of the snapshot format (spec/10-snapshot.md), and functions for its numbers and bits. The file uses no
 * types of PHP. A test compares the numbers with the constants of the same name in php/src/Snapshot/Format.php.
 */
#ifndef POLYPACK_SNAPSHOT_FORMAT_H
#define POLYPACK_SNAPSHOT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
# define SNAPSHOT_LITTLE16(n) __builtin_bswap16(n)
# define SNAPSHOT_LITTLE32(n) __builtin_bswap32(n)
# define SNAPSHOT_LITTLE64(n) __builtin_bswap64(n)
#else
# define SNAPSHOT_LITTLE16(n) (n)
# define SNAPSHOT_LITTLE32(n) (n)
# define SNAPSHOT_LITTLE64(n) (n)
#endif

#define SNAPSHOT_VERSION 1
#define SNAPSHOT_HEADER "\xc1\x53\x01\x00"
#define SNAPSHOT_HEADER_LENGTH 4

/* Heads: 00-3f int, 40-5f string, 60-7f shape, 80-8f list, 90-bf earlier string, e0-ff negative int, others below */
#define SNAPSHOT_STRING 0x40
#define SNAPSHOT_SHAPE 0x60
#define SNAPSHOT_LIST 0x80
#define SNAPSHOT_EARLIER 0x90
#define SNAPSHOT_NIL 0xc0
#define SNAPSHOT_FALSE 0xc2
#define SNAPSHOT_TRUE 0xc3
#define SNAPSHOT_INT8 0xc4
#define SNAPSHOT_INT16 0xc5
#define SNAPSHOT_INT32 0xc6
#define SNAPSHOT_INT64 0xc7
#define SNAPSHOT_DOUBLE 0xc8
#define SNAPSHOT_STRING8 0xc9
#define SNAPSHOT_LONG_STRING 0xca
#define SNAPSHOT_EARLIER8 0xcb
#define SNAPSHOT_ANY_EARLIER 0xcc
#define SNAPSHOT_ANY_SHAPE 0xcd
#define SNAPSHOT_NEW_ARRAY 0xce
#define SNAPSHOT_NEW_OBJECT 0xcf
#define SNAPSHOT_NEW_DATA 0xd0
#define SNAPSHOT_NEW_LEGACY 0xd1
#define SNAPSHOT_NEW_CASE 0xd2
#define SNAPSHOT_ANY_LIST 0xd3
#define SNAPSHOT_COLUMN_LIST 0xd4
#define SNAPSHOT_TABLE_LIST 0xd5
#define SNAPSHOT_MAP 0xd6
#define SNAPSHOT_COLUMN_MAP 0xd7
#define SNAPSHOT_TABLE_MAP 0xd8
#define SNAPSHOT_SAME 0xd9
#define SNAPSHOT_NEW_REFERENCE 0xda
#define SNAPSHOT_REFERENCE 0xdb
#define SNAPSHOT_OBJECT 0xdc
#define SNAPSHOT_NEGATIVE 0xe0

/* The flag in the flags byte of a shape: CHOSEN after the head NEW_OBJECT, PROPERTIES after NEW_DATA */
#define SNAPSHOT_CHOSEN 1
#define SNAPSHOT_PROPERTIES 1

/* Kinds of columns */
#define SNAPSHOT_MIXED 0
#define SNAPSHOT_CONSTANT 1
#define SNAPSHOT_INTS 2
#define SNAPSHOT_DELTAS 3
#define SNAPSHOT_BOOLS 4
#define SNAPSHOT_DOUBLES 5
#define SNAPSHOT_DECIMALS 6
#define SNAPSHOT_STRINGS 7
#define SNAPSHOT_CHOICES 8
#define SNAPSHOT_NULLABLE 0x80

#define SNAPSHOT_MOST_KEYS 64
#define SNAPSHOT_LEAST_ROWS 4
#define SNAPSHOT_LEAST_CELLS 8
#define SNAPSHOT_LEAST_STRINGS 16
#define SNAPSHOT_SHORTEST 2
#define SNAPSHOT_LONGEST 255
#define SNAPSHOT_MOST_WALKS 8
#define SNAPSHOT_ONE_WALK_LEFT 0 /* in the results of hooks, instead of the handle of an object */
#define SNAPSHOT_MOST_SHARED 255
#define SNAPSHOT_MOST_CHOICES 256
#define SNAPSHOT_SAMPLE 32
#define SNAPSHOT_MOST_BITS 56
#define SNAPSHOT_DECIMAL_BITS 50
#define SNAPSHOT_MOST_DIGITS 9

/*
 * If the names of a shape together have more bytes than this, reading each array or object of the shape counts key
 * comparisons (spec/10-snapshot.md#limits).
 */
#define SNAPSHOT_LONG_NAMES 1024

/* Enough bytes for any head or number. The longest number is a sint of 10 bytes. */
#define SNAPSHOT_MAX_HEAD 12

/* Deltas are chosen only if they save more than this many bytes. */
#define SNAPSHOT_DELTAS_GAIN 2

static const double SNAPSHOT_TENS[SNAPSHOT_MOST_DIGITS + 1] = {1.0, 10.0, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

/* Writing. Each function writes at p and returns the position after the written bytes. The caller reserves memory. */

static inline uint8_t *snapshot_put16(uint8_t *p, uint16_t n)
{
	n = SNAPSHOT_LITTLE16(n);
	memcpy(p, &n, sizeof(n));
	return p + sizeof(n);
}

static inline uint8_t *snapshot_put32(uint8_t *p, uint32_t n)
{
	n = SNAPSHOT_LITTLE32(n);
	memcpy(p, &n, sizeof(n));
	return p + sizeof(n);
}

static inline uint8_t *snapshot_put64(uint8_t *p, uint64_t n)
{
	n = SNAPSHOT_LITTLE64(n);
	memcpy(p, &n, sizeof(n));
	return p + sizeof(n);
}

static inline uint8_t *snapshot_put_count(uint8_t *p, uint64_t n)
{
	while (n > 0x7f) {
		*p++ = (uint8_t) (n | 0x80);
		n >>= 7;
	}
	*p++ = (uint8_t) n;
	return p;
}

static inline uint8_t *snapshot_put_sint(uint8_t *p, int64_t n)
{
	return snapshot_put_count(p, (uint64_t) n << 1 ^ (n < 0 ? UINT64_MAX : 0));
}

static inline uint8_t *snapshot_put_double(uint8_t *p, double number)
{
	uint64_t bits;
	memcpy(&bits, &number, sizeof(bits));
	return snapshot_put64(p, number != number ? UINT64_C(0x7ff8000000000000) : bits);
}

static inline uint8_t *snapshot_put_int(uint8_t *p, int64_t n)
{
	if (n >= -32 && n < 64) {
		*p = (uint8_t) n;
		return p + 1;
	}
	if (n == (int8_t) n) {
		p[0] = SNAPSHOT_INT8;
		p[1] = (uint8_t) n;
		return p + 2;
	}
	if (n == (int16_t) n) {
		*p = SNAPSHOT_INT16;
		return snapshot_put16(p + 1, (uint16_t) n);
	}
	if (n == (int32_t) n) {
		*p = SNAPSHOT_INT32;
		return snapshot_put32(p + 1, (uint32_t) n);
	}
	*p = SNAPSHOT_INT64;
	return snapshot_put64(p + 1, (uint64_t) n);
}

/* Reading. The caller has made sure that the bytes are there. */

static inline uint16_t snapshot_get16(const uint8_t *p)
{
	uint16_t n;
	memcpy(&n, p, sizeof(n));
	return SNAPSHOT_LITTLE16(n);
}

static inline uint32_t snapshot_get32(const uint8_t *p)
{
	uint32_t n;
	memcpy(&n, p, sizeof(n));
	return SNAPSHOT_LITTLE32(n);
}

static inline uint64_t snapshot_get64(const uint8_t *p)
{
	uint64_t n;
	memcpy(&n, p, sizeof(n));
	return SNAPSHOT_LITTLE64(n);
}

static inline double snapshot_get_double(const uint8_t *p)
{
	uint64_t bits = snapshot_get64(p);
	double number;
	memcpy(&number, &bits, sizeof(number));
	return number;
}

/* Bits */

/* Returns how many bits a number takes. The number 0 takes none. */
static inline uint32_t snapshot_width(uint64_t n)
{
	uint32_t width = 0;
#ifdef __GNUC__
	width = n == 0 ? 0 : 64 - (uint32_t) __builtin_clzll(n);
#else
	for (; n != 0; n >>= 1) {
		width++;
	}
#endif
	return width;
}

/* Returns how many bytes `count` numbers of `width` bits take. Counts are below 2^32, so the product can't overflow. */
static inline uint64_t snapshot_bit_bytes(uint64_t count, uint32_t width)
{
	return (count * width + 7) >> 3;
}

/* Returns the number of `width` bits (at most 56) that begins at bit `at`. Bytes after the end count as zeros. */
static inline uint64_t snapshot_get_bits(const uint8_t *bits, const uint8_t *end, uint64_t at, uint32_t width)
{
	const uint8_t *p = bits + (at >> 3);
	uint64_t word = 0;
	if (end - p >= 8) {
		word = snapshot_get64(p);
	} else {
		memcpy(&word, p, (size_t) (end - p));
		word = SNAPSHOT_LITTLE64(word);
	}
	return word >> (at & 7) & ((UINT64_C(1) << width) - 1);
}

#endif
