/*
 * Reads counts, signed numbers (sints) and strings, and checks that enough bytes remain. php/src/Snapshot/Source.php is
 * the twin.
 */
#include "reader.h"

bool snapshot_read_count(snapshot_reader *reader, uint32_t *count)
{
	uint64_t value = 0;
	for (uint32_t shift = 0; shift < 35; shift += 7) {
		if (UNEXPECTED(reader->p == reader->end)) {
			return false;
		}
		uint8_t byte = *reader->p++;
		value |= (uint64_t) (byte & 0x7f) << shift;
		if (EXPECTED(byte < 0x80)) {
			*count = (uint32_t) value;
			return value <= UINT32_MAX;
		}
	}
	return false;
}

bool snapshot_read_sint(snapshot_reader *reader, int64_t *number)
{
	uint64_t value = 0;
	for (uint32_t shift = 0; shift < 70; shift += 7) {
		if (UNEXPECTED(reader->p == reader->end)) {
			return false;
		}
		uint8_t byte = *reader->p++;
		if (UNEXPECTED(shift == 63) && byte > 1) {
			return false;
		}
		value |= (uint64_t) (byte & 0x7f) << shift;
		if (EXPECTED(byte < 0x80)) {
			*number = (int64_t) (value >> 1 ^ (UINT64_C(0) - (value & 1)));
			return true;
		}
	}
	return false;
}

static ZEND_COLD void grow_strings(snapshot_reader *reader)
{
	reader->strings_size = reader->strings_size == 0 ? 32 : 2 * reader->strings_size;
	reader->strings = safe_erealloc(reader->strings, reader->strings_size, sizeof(*reader->strings), 0);
}

bool snapshot_read_numbered(snapshot_reader *reader, zval *to, size_t length)
{
	if (UNEXPECTED(length > snapshot_left(reader))) {
		return false;
	}
	snapshot_set_string(to, reader->p, length);
	reader->p += length;
	if (EXPECTED(length >= SNAPSHOT_SHORTEST)) {
		if (UNEXPECTED(reader->strings_count == reader->strings_size)) {
			grow_strings(reader);
		}
		Z_ADDREF_P(to);
		reader->strings[reader->strings_count++] = Z_STR_P(to);
	}
	return true;
}

bool snapshot_read_long(snapshot_reader *reader, zval *to)
{
	uint32_t length;
	if (UNEXPECTED(!snapshot_read_count(reader, &length)) || UNEXPECTED(length > snapshot_left(reader))) {
		return false;
	}
	if (length <= SNAPSHOT_LONGEST) {
		return snapshot_read_numbered(reader, to, length);
	}
	snapshot_set_string(to, reader->p, length);
	reader->p += length;
	return true;
}

bool snapshot_read_earlier(snapshot_reader *reader, zval *to, uint32_t number)
{
	if (UNEXPECTED(number >= reader->strings_count)) {
		return false;
	}
	ZVAL_STR_COPY(to, reader->strings[number]);
	return true;
}

zend_string *snapshot_read_text(snapshot_reader *reader)
{
	zval text;
	uint32_t number;
	bool is_good = false;
	if (UNEXPECTED(reader->p == reader->end)) {
		return NULL;
	}
	uint8_t head = *reader->p++;
	if (head >= SNAPSHOT_STRING && head < SNAPSHOT_SHAPE) {
		is_good = snapshot_read_numbered(reader, &text, head & 0x1f);
	} else if (head >= SNAPSHOT_EARLIER && head < SNAPSHOT_NIL) {
		is_good = snapshot_read_earlier(reader, &text, head - SNAPSHOT_EARLIER);
	} else if (head == SNAPSHOT_LONG_STRING) {
		is_good = snapshot_read_long(reader, &text);
	} else if (head == SNAPSHOT_ANY_EARLIER) {
		is_good = snapshot_read_count(reader, &number) && number <= UINT32_MAX - 304
			&& snapshot_read_earlier(reader, &text, 304 + number);
	} else if ((head == SNAPSHOT_STRING8 || head == SNAPSHOT_EARLIER8) && reader->p < reader->end) {
		uint8_t byte = *reader->p++;
		is_good = head == SNAPSHOT_STRING8
			? snapshot_read_numbered(reader, &text, byte)
			: snapshot_read_earlier(reader, &text, 48 + byte);
	}
	return EXPECTED(is_good) ? Z_STR(text) : NULL;
}
