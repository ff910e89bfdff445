/*
 * Reads numbers, lengths and heads of ext values, and compares bytes. The file uses no types of PHP, so it can be
 * fuzzed alone.
 *
 * A function without an `end` parameter doesn't check that enough bytes are there. The caller must check before.
 */
#ifndef POLYPACK_READER_H
#define POLYPACK_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "format.h"
#include "utf8.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
# define POLYPACK_BIG16(n) (n)
# define POLYPACK_BIG32(n) (n)
# define POLYPACK_BIG64(n) (n)
#elif defined(_MSC_VER)
# include <stdlib.h>
# define POLYPACK_BIG16(n) _byteswap_ushort(n)
# define POLYPACK_BIG32(n) _byteswap_ulong(n)
# define POLYPACK_BIG64(n) _byteswap_uint64(n)
#else
# define POLYPACK_BIG16(n) __builtin_bswap16(n)
# define POLYPACK_BIG32(n) __builtin_bswap32(n)
# define POLYPACK_BIG64(n) __builtin_bswap64(n)
#endif

/* Counts the zero bits above the highest set bit. `n` must not be 0. */
static inline uint32_t polypack_leading_zeros(uint32_t n)
{
#ifdef _MSC_VER
	unsigned long index;
	_BitScanReverse(&index, n);
	return 31 - index;
#else
	return (uint32_t) __builtin_clz(n);
#endif
}

static inline uint16_t polypack_read16(const uint8_t *p)
{
	uint16_t n;
	memcpy(&n, p, sizeof(n));
	return POLYPACK_BIG16(n);
}

static inline uint32_t polypack_read32(const uint8_t *p)
{
	uint32_t n;
	memcpy(&n, p, sizeof(n));
	return POLYPACK_BIG32(n);
}

static inline uint64_t polypack_read64(const uint8_t *p)
{
	uint64_t n;
	memcpy(&n, p, sizeof(n));
	return POLYPACK_BIG64(n);
}

static inline double polypack_read_float32(const uint8_t *p)
{
	uint32_t bits = polypack_read32(p);
	float number;
	memcpy(&number, &bits, sizeof(number));
	return number;
}

static inline double polypack_read_float64(const uint8_t *p)
{
	uint64_t bits = polypack_read64(p);
	double number;
	memcpy(&number, &bits, sizeof(number));
	return number;
}

/*
 * Reads the length or count that follows a head byte, and moves past it. `width` is its size: 1, 2 or 4 bytes. Returns
 * false if bytes are missing.
 */
static inline bool polypack_read_length(const uint8_t **p, const uint8_t *end, size_t width, size_t *length)
{
	if ((size_t) (end - *p) < width) {
		return false;
	}
	switch (width) {
		case 1:
			*length = **p;
			break;
		case 2:
			*length = polypack_read16(*p);
			break;
		default:
			*length = polypack_read32(*p);
	}
	*p += width;
	return true;
}

/*
 * Reads an integer after its head byte, which is 0xcc to 0xd3, and moves past it. Signed integers are sign-extended to
 * 64 bits. Returns false if bytes are missing.
 */
static inline bool polypack_read_int(const uint8_t **p, const uint8_t *end, uint8_t head, uint64_t *bits)
{
	size_t width = (size_t) 1 << (head & 3); /* 0xcc to 0xcf and 0xd0 to 0xd3: 1, 2, 4, 8 bytes */
	if ((size_t) (end - *p) < width) {
		return false;
	}
	switch (head) {
		case POLYPACK_UINT8:
			*bits = **p;
			break;
		case POLYPACK_UINT16:
			*bits = polypack_read16(*p);
			break;
		case POLYPACK_UINT32:
			*bits = polypack_read32(*p);
			break;
		case POLYPACK_INT8:
			*bits = (uint64_t) (int64_t) (int8_t) **p;
			break;
		case POLYPACK_INT16:
			*bits = (uint64_t) (int64_t) (int16_t) polypack_read16(*p);
			break;
		case POLYPACK_INT32:
			*bits = (uint64_t) (int64_t) (int32_t) polypack_read32(*p);
			break;
		default:
			*bits = polypack_read64(*p);
	}
	*p += width;
	return true;
}

/*
 * Reads the head of an ext value from its head byte on, and moves to its data. Returns false if the head or the data is
 * cut off.
 */
static inline bool polypack_read_ext(const uint8_t **p, const uint8_t *end, int *type, size_t *length)
{
	const uint8_t *at = *p + 1;
	if (**p >= POLYPACK_FIXEXT1) {
		*length = (size_t) 1 << (**p - POLYPACK_FIXEXT1);
	} else if (!polypack_read_length(&at, end, (size_t) 1 << (**p - POLYPACK_EXT8), length)) {
		return false;
	}
	if (at == end || *length > (size_t) (end - at - 1)) {
		return false;
	}
	*type = (int8_t) *at;
	*p = at + 1;
	return true;
}

/* Tells whether two strings of `length` bytes are equal. Up to 16 bytes, the function avoids a call of memcmp(). */
static inline bool polypack_equal(const void *one, const void *other, size_t length)
{
	const char *a = one, *b = other;
	if (length > 16) {
		return memcmp(a, b, length) == 0;
	}
	if (length >= 8) {
		uint64_t first, first_other, last, last_other;
		memcpy(&first, a, 8);
		memcpy(&first_other, b, 8);
		memcpy(&last, a + length - 8, 8);
		memcpy(&last_other, b + length - 8, 8);
		return ((first ^ first_other) | (last ^ last_other)) == 0;
	}
	if (length >= 4) {
		uint32_t first, first_other, last, last_other;
		memcpy(&first, a, 4);
		memcpy(&first_other, b, 4);
		memcpy(&last, a + length - 4, 4);
		memcpy(&last_other, b + length - 4, 4);
		return ((first ^ first_other) | (last ^ last_other)) == 0;
	}
	return length == 0 || (a[0] == b[0] && a[length >> 1] == b[length >> 1] && a[length - 1] == b[length - 1]);
}

#endif
