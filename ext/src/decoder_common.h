/*
 * Decodes strings and the most common values. The functions are inlined into the decoders of arrays, maps and records,
 * which saves a function call for most values.
 */
#ifndef POLYPACK_DECODER_COMMON_H
#define POLYPACK_DECODER_COMMON_H

#include "decoder.h"
#include "writer.h"

static zend_always_inline zend_string *polypack_new_string(const uint8_t *bytes, size_t length)
{
	zend_string *string = zend_string_alloc(length, 0);
	*polypack_write_bytes(ZSTR_VAL(string), (const char *) bytes, length) = '\0';
	return string;
}

static zend_always_inline void polypack_set_string(zval *to, const uint8_t *bytes, size_t length)
{
	if (UNEXPECTED(length <= 1)) {
		ZVAL_INTERNED_STR(to, length == 0 ? ZSTR_EMPTY_ALLOC() : ZSTR_CHAR(bytes[0]));
	} else {
		ZVAL_NEW_STR(to, polypack_new_string(bytes, length));
	}
}

/* Reads the length of a str or bin, after its head byte. Returns false if the length or the body is cut off. */
static zend_always_inline bool polypack_read_body(polypack_decoder *decoder, size_t width, size_t *length)
{
	return polypack_read_length(&decoder->p, decoder->end, width, length) && *length <= (size_t) (decoder->end - decoder->p);
}

/*
 * Decodes one of the most common values: a fixstr, an integer that fits into a PHP int, a float 64, nil or a bool.
 * Returns false and reads nothing for any other value, a faulty value, or a byte that may begin an instance. The same
 * happens if fewer than 9 bytes remain.
 */
static zend_always_inline bool polypack_decode_common(polypack_decoder *decoder, zval *to)
{
	const uint8_t *p = decoder->p;
	if (UNEXPECTED(decoder->end - p < 9)) {
		return false;
	}
	uint8_t head = *p;
	if (head < decoder->fixint_end || head >= POLYPACK_NEGATIVE_FIXINT) {
		ZVAL_LONG(to, (int8_t) head);
		decoder->p = p + 1;
		return true;
	}
	if ((head & 0xe0) == POLYPACK_FIXSTR) {
		size_t length = head & 0x1f;
		if (UNEXPECTED(length >= (size_t) (decoder->end - p)) || UNEXPECTED(decoder->check_utf8 && !polypack_is_utf8(p + 1, length))) {
			return false;
		}
		polypack_set_string(to, p + 1, length);
		decoder->p = p + 1 + length;
		return true;
	}
	if (head >= POLYPACK_FLOAT64 && head <= POLYPACK_INT64) {
		if (head == POLYPACK_FLOAT64) {
			ZVAL_DOUBLE(to, polypack_read_float64(p + 1));
			decoder->p = p + 9;
			return true;
		}
		/* At least eight bytes remain, so read eight, and shift out the bytes that don't belong to the number. */
		uint64_t bits = polypack_read64(p + 1);
		uint32_t spare = 64 - (UINT32_C(8) << (head & 3));
		if (head >= POLYPACK_INT8) {
			ZVAL_LONG(to, (int64_t) bits >> spare);
		} else {
			bits >>= spare;
			if (UNEXPECTED(bits > INT64_MAX)) {
				return false;
			}
			ZVAL_LONG(to, (zend_long) bits);
		}
		decoder->p = p + 1 + (1 << (head & 3));
		return true;
	}
	switch (head) {
		case POLYPACK_NIL:
			ZVAL_NULL(to);
			break;
		case POLYPACK_FALSE:
			ZVAL_FALSE(to);
			break;
		case POLYPACK_TRUE:
			ZVAL_TRUE(to);
			break;
		default:
			return false;
	}
	decoder->p = p + 1;
	return true;
}

#endif
