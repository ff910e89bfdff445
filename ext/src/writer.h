/*
 * Writes heads and numbers (spec/02-wire.md). Integers, lengths and counts get their shortest form. The file uses no
 * types of PHP, so it can be fuzzed alone.
 *
 * Each function writes at p and returns the position after the written bytes. The caller has reserved enough bytes.
 * polypack_write_bytes() writes `length` bytes, and all other functions write at most POLYPACK_MAX_HEAD.
 */
#ifndef POLYPACK_WRITER_H
#define POLYPACK_WRITER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "reader.h"

/* Enough bytes for any head, number or timestamp. The longest is a timestamp of 15 bytes (timestamp.c). */
#define POLYPACK_MAX_HEAD 16

static inline char *polypack_put16(char *p, uint16_t n)
{
	n = POLYPACK_BIG16(n);
	memcpy(p, &n, sizeof(n));
	return p + 2;
}

static inline char *polypack_put32(char *p, uint32_t n)
{
	n = POLYPACK_BIG32(n);
	memcpy(p, &n, sizeof(n));
	return p + 4;
}

static inline char *polypack_put64(char *p, uint64_t n)
{
	n = POLYPACK_BIG64(n);
	memcpy(p, &n, sizeof(n));
	return p + 8;
}

static inline char *polypack_write8(char *p, uint8_t head, uint8_t n)
{
	p[0] = (char) head;
	p[1] = (char) n;
	return p + 2;
}

static inline char *polypack_write16(char *p, uint8_t head, uint16_t n)
{
	*p = (char) head;
	return polypack_put16(p + 1, n);
}

static inline char *polypack_write32(char *p, uint8_t head, uint32_t n)
{
	*p = (char) head;
	return polypack_put32(p + 1, n);
}

static inline char *polypack_write64(char *p, uint8_t head, uint64_t n)
{
	*p = (char) head;
	return polypack_put64(p + 1, n);
}

/*
 * Writes an integer. Numbers from 0 to fixint_end - 1 become positive fixints. fixint_end is 0x80 without records. With
 * records it is 0x40, because the bytes 40 to 7f may then be ids of records.
 */
static inline char *polypack_write_int(char *p, int64_t n, int64_t fixint_end)
{
	if (n >= -0x20 && n < fixint_end) {
		*p = (char) n;
		return p + 1;
	}
	if (n >= 0) {
		if (n < 0x100) {
			return polypack_write8(p, POLYPACK_UINT8, (uint8_t) n);
		}
		if (n < 0x10000) {
			return polypack_write16(p, POLYPACK_UINT16, (uint16_t) n);
		}
		if (n < INT64_C(0x100000000)) {
			return polypack_write32(p, POLYPACK_UINT32, (uint32_t) n);
		}
		return polypack_write64(p, POLYPACK_UINT64, (uint64_t) n);
	}
	if (n >= -0x80) {
		return polypack_write8(p, POLYPACK_INT8, (uint8_t) n);
	}
	if (n >= -0x8000) {
		return polypack_write16(p, POLYPACK_INT16, (uint16_t) n);
	}
	if (n >= -INT64_C(0x80000000)) {
		return polypack_write32(p, POLYPACK_INT32, (uint32_t) n);
	}
	return polypack_write64(p, POLYPACK_INT64, (uint64_t) n);
}

/* Writes a float 64. All NaNs are written as the same bytes. */
static inline char *polypack_write_float64(char *p, double number)
{
	uint64_t bits = UINT64_C(0x7ff8000000000000);
	if (number == number) {
		memcpy(&bits, &number, sizeof(bits));
	}
	return polypack_write64(p, POLYPACK_FLOAT64, bits);
}

static inline char *polypack_write_float32(char *p, float number)
{
	uint32_t bits = UINT32_C(0x7fc00000);
	if (number == number) {
		memcpy(&bits, &number, sizeof(bits));
	}
	return polypack_write32(p, POLYPACK_FLOAT32, bits);
}

static inline char *polypack_write_str(char *p, size_t length)
{
	if (length < 0x20) {
		*p = (char) (POLYPACK_FIXSTR | length);
		return p + 1;
	}
	if (length < 0x100) {
		return polypack_write8(p, POLYPACK_STR8, (uint8_t) length);
	}
	if (length < 0x10000) {
		return polypack_write16(p, POLYPACK_STR16, (uint16_t) length);
	}
	return polypack_write32(p, POLYPACK_STR32, (uint32_t) length);
}

static inline char *polypack_write_bin(char *p, size_t length)
{
	if (length < 0x100) {
		return polypack_write8(p, POLYPACK_BIN8, (uint8_t) length);
	}
	if (length < 0x10000) {
		return polypack_write16(p, POLYPACK_BIN16, (uint16_t) length);
	}
	return polypack_write32(p, POLYPACK_BIN32, (uint32_t) length);
}

static inline char *polypack_write_array(char *p, uint32_t count)
{
	if (count < 0x10) {
		*p = (char) (POLYPACK_FIXARRAY | count);
		return p + 1;
	}
	if (count < 0x10000) {
		return polypack_write16(p, POLYPACK_ARRAY16, (uint16_t) count);
	}
	return polypack_write32(p, POLYPACK_ARRAY32, count);
}

static inline char *polypack_write_map(char *p, uint32_t count)
{
	if (count < 0x10) {
		*p = (char) (POLYPACK_FIXMAP | count);
		return p + 1;
	}
	if (count < 0x10000) {
		return polypack_write16(p, POLYPACK_MAP16, (uint16_t) count);
	}
	return polypack_write32(p, POLYPACK_MAP32, count);
}

static inline char *polypack_write_ext(char *p, int type, size_t length)
{
	switch (length) {
		case 1:
			return polypack_write8(p, POLYPACK_FIXEXT1, (uint8_t) type);
		case 2:
			return polypack_write8(p, POLYPACK_FIXEXT2, (uint8_t) type);
		case 4:
			return polypack_write8(p, POLYPACK_FIXEXT4, (uint8_t) type);
		case 8:
			return polypack_write8(p, POLYPACK_FIXEXT8, (uint8_t) type);
		case 16:
			return polypack_write8(p, POLYPACK_FIXEXT16, (uint8_t) type);
	}
	if (length < 0x100) {
		p = polypack_write8(p, POLYPACK_EXT8, (uint8_t) length);
	} else if (length < 0x10000) {
		p = polypack_write16(p, POLYPACK_EXT16, (uint16_t) length);
	} else {
		p = polypack_write32(p, POLYPACK_EXT32, (uint32_t) length);
	}
	*p = (char) type;
	return p + 1;
}

/* Copies bytes. Up to 32 bytes, a few moves are faster than the call of memcpy() that compilers would make. */
static inline char *polypack_write_bytes(char *p, const char *bytes, size_t length)
{
	if (length > 32) {
		memcpy(p, bytes, length);
	} else if (length > 16) {
		char first[16], last[16];
		memcpy(first, bytes, 16);
		memcpy(last, bytes + length - 16, 16);
		memcpy(p, first, 16);
		memcpy(p + length - 16, last, 16);
	} else if (length >= 8) {
		uint64_t first, last;
		memcpy(&first, bytes, 8);
		memcpy(&last, bytes + length - 8, 8);
		memcpy(p, &first, 8);
		memcpy(p + length - 8, &last, 8);
	} else if (length >= 4) {
		uint32_t first, last;
		memcpy(&first, bytes, 4);
		memcpy(&last, bytes + length - 4, 4);
		memcpy(p, &first, 4);
		memcpy(p + length - 4, &last, 4);
	} else if (length > 0) {
		p[0] = bytes[0];
		p[length >> 1] = bytes[length >> 1];
		p[length - 1] = bytes[length - 1];
	}
	return p + length;
}

#endif
