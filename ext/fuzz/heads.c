/*
 * A target for fuzzing reader.h and writer.h alone: reads the bytes as messages, writes what it has read, and reads it
 * again. clang -fsanitize=fuzzer,address links it as it is; drive.c stands in for libFuzzer.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../src/reader.h"
#include "../src/writer.h"

/* Ends the process, so that the input is kept. */
#define MUST(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "heads.c:%d: %s\n", __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

static void int_again(uint8_t head, uint64_t bits)
{
	char written[POLYPACK_MAX_HEAD];
	uint64_t again;
	for (int64_t fixint_end = 0x40; fixint_end <= 0x80; fixint_end += 0x40) {
		char *end = head == POLYPACK_UINT64 && bits > INT64_MAX ? polypack_write64(written, head, bits)
			: polypack_write_int(written, (int64_t) bits, fixint_end);
		const uint8_t *p = (const uint8_t *) written + 1;
		if (end - written > 1) {
			MUST(polypack_read_int(&p, (const uint8_t *) end, (uint8_t) written[0], &again));
			MUST(p == (const uint8_t *) end);
		} else {
			again = (uint64_t) (int64_t) (int8_t) written[0];
			MUST((int64_t) again < fixint_end && (int64_t) again >= -0x20);
		}
		MUST(again == bits);
	}
}

static void float_again(uint8_t head, const uint8_t *data)
{
	char written[POLYPACK_MAX_HEAD];
	if (head == POLYPACK_FLOAT32) {
		double number = polypack_read_float32(data);
		MUST(polypack_write_float32(written, (float) number) == written + 5);
		MUST(number != number || memcmp(written + 1, data, 4) == 0);
	} else {
		double number = polypack_read_float64(data);
		MUST(polypack_write_float64(written, number) == written + 9);
		MUST(number != number || memcmp(written + 1, data, 8) == 0);
	}
}

/* Writes heads for a length, and reads the length again. */
static void length_again(size_t length)
{
	char written[POLYPACK_MAX_HEAD];
	size_t again, width;
	char *end = polypack_write_str(written, length);
	const uint8_t *p = (const uint8_t *) written + 1;
	if (end - written > 1) {
		width = (size_t) (end - written) - 1;
		MUST(polypack_read_length(&p, (const uint8_t *) end, width, &again) && again == length);
	} else {
		MUST((size_t) ((uint8_t) written[0] & 0x1f) == length);
	}
	end = polypack_write_bin(written, length);
	p = (const uint8_t *) written + 1;
	MUST(polypack_read_length(&p, (const uint8_t *) end, (size_t) (end - written) - 1, &again) && again == length);
	MUST(polypack_write_array(written, (uint32_t) length) <= written + 5);
	MUST(polypack_write_map(written, (uint32_t) length) <= written + 5);
}

/* Decides about UTF-8 in the plainest way: one code point after the other. */
static bool is_utf8_slowly(const uint8_t *p, size_t length)
{
	size_t i = 0;
	while (i < length) {
		uint32_t first = p[i], point, least;
		size_t more = first < 0x80 ? 0 : first >= 0xc0 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf8 ? 3 : 4;
		if (more == 4 || length - i <= more) {
			return false;
		}
		point = more == 0 ? first : first & (0x3fu >> more);
		least = more == 0 ? 0 : more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000;
		for (size_t j = 1; j <= more; j++) {
			if ((p[i + j] & 0xc0) != 0x80) {
				return false;
			}
			point = point << 6 | (p[i + j] & 0x3fu);
		}
		if (point < least || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
			return false;
		}
		i += more + 1;
	}
	return true;
}

static void text_again(const uint8_t *bytes, size_t length)
{
	uint8_t *copy = malloc(length + 1);
	MUST(copy != NULL);
	MUST(polypack_write_bytes((char *) copy, (const char *) bytes, length) == (char *) copy + length);
	MUST(memcmp(copy, bytes, length) == 0);
	MUST(polypack_equal(copy, bytes, length));
	if (length > 0) {
		copy[length / 3] ^= 0x10;
		MUST(!polypack_equal(copy, bytes, length));
	}
	free(copy);
	bool is_utf8 = is_utf8_slowly(bytes, length);
	MUST(polypack_is_utf8(bytes, length) == is_utf8);
	MUST(polypack_is_utf8_by_characters(bytes, length) == is_utf8);
}

static void ext_again(int type, size_t length)
{
	uint8_t written[POLYPACK_MAX_HEAD + 16] = {0};
	int type_again;
	size_t length_again;
	uint8_t *end = (uint8_t *) polypack_write_ext((char *) written, type, length);
	const uint8_t *p = written;
	if (length <= 16) {
		MUST(polypack_read_ext(&p, end + length, &type_again, &length_again));
		MUST(p == end && type_again == type && length_again == length);
		p = written;
		MUST(length == 0 || !polypack_read_ext(&p, end + length - 1, &type_again, &length_again));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *p = data, *end = data + size;
	size_t length;
	while (p < end) {
		const uint8_t *head = p;
		uint64_t bits = 0;
		int type;
		if (*p < 0x80 || *p >= POLYPACK_NEGATIVE_FIXINT) {
			int_again(*p, (uint64_t) (int64_t) (int8_t) *p);
			p++;
		} else if (*p < POLYPACK_NIL) {
			length = *p < POLYPACK_FIXSTR ? 0 : *p & 0x1f;
			p++;
			length = length < (size_t) (end - p) ? length : (size_t) (end - p);
			text_again(p, length);
			p += length;
		} else if (*p >= POLYPACK_UINT8 && *p <= POLYPACK_INT64) {
			p++;
			if (polypack_read_int(&p, end, *head, &bits)) {
				int_again(*head, bits);
			} else {
				MUST((size_t) (end - p) < (size_t) 1 << (*head & 3));
			}
		} else if (*p == POLYPACK_FLOAT32 || *p == POLYPACK_FLOAT64) {
			length = *p++ == POLYPACK_FLOAT32 ? 4 : 8;
			if (length <= (size_t) (end - p)) {
				float_again(*head, p);
				p += length;
			}
		} else if ((*p >= POLYPACK_EXT8 && *p <= POLYPACK_EXT32) || (*p >= POLYPACK_FIXEXT1 && *p <= POLYPACK_FIXEXT16)) {
			if (polypack_read_ext(&p, end, &type, &length)) {
				MUST(length <= (size_t) (end - p));
				ext_again(type, length);
				p += length;
			} else {
				p++;
			}
		} else if (*p < POLYPACK_BIN8) {
			p++;
		} else { /* bin, str, array, map */
			size_t width = *p <= POLYPACK_BIN32 ? (size_t) 1 << (*p - POLYPACK_BIN8)
				: *p <= POLYPACK_STR32 ? (size_t) 1 << (*p - POLYPACK_STR8) : (*p & 1) == 0 ? 2 : 4;
			p++;
			if (polypack_read_length(&p, end, width, &length)) {
				length_again(length);
				if (*head < POLYPACK_ARRAY16) {
					length = length < (size_t) (end - p) ? length : (size_t) (end - p);
					text_again(p, length);
					p += length;
				}
			} else {
				MUST((size_t) (end - p) < width);
			}
		}
		MUST(p > head && p <= end);
	}
	return 0;
}
