/*
 * Decodes records (spec/05-records.md). Records/Declarations.php, InlineReading.php and SharedReading.php of the
 * library are the twins.
 */
#include "records.h"
#include "../decoder_common.h"
#include "../lossless.h"

/* The shape without names. All threads share it, so nothing may be written to it. */
static const polypack_shape without_names;

polypack_declarations *polypack_new_declarations(zend_string *content)
{
	if (content == NULL) {
		return ecalloc(1, sizeof(polypack_declarations));
	}
	polypack_dictionary *dictionary = polypack_dictionary_of(content);
	if (dictionary == NULL) {
		return NULL;
	}
	polypack_declarations *declarations = emalloc(sizeof(polypack_declarations));
	memcpy(declarations, &dictionary->declared, sizeof(*declarations));
	declarations->dictionary = dictionary;
	return declarations;
}

void polypack_free_shape(polypack_shape *shape)
{
	if (shape != &without_names) {
		for (uint32_t i = 0; i < shape->count; i++) {
			zend_string_release(shape->names[i]);
		}
		efree(shape);
	}
}

/* Returns the dictionary's table of two-byte ids that begin with 0x60 + `low`, or NULL if there is none. */
static const polypack_pairs *shared_pairs(const polypack_declarations *declarations, uint32_t low)
{
	return declarations->dictionary != NULL ? declarations->dictionary->declared.pairs[low] : NULL;
}

void polypack_free_pairs(polypack_declarations *declarations)
{
	for (uint32_t i = 0; i < POLYPACK_LOWS; i++) {
		if (declarations->pairs[i] != NULL && declarations->pairs[i] != shared_pairs(declarations, i)) {
			efree(declarations->pairs[i]);
		}
	}
}

void polypack_free_declarations(polypack_declarations *declarations)
{
	polypack_shape *shape = declarations->last;
	while (shape != NULL) {
		polypack_shape *before = shape->before;
		polypack_free_shape(shape);
		shape = before;
	}
	polypack_free_pairs(declarations);
	if (declarations->dictionary != NULL) {
		polypack_release_dictionary(declarations->dictionary);
	}
	efree(declarations);
}

void polypack_note_single(polypack_declarations *declarations, uint8_t id, polypack_shape *shape)
{
	declarations->kind[id - POLYPACK_FIRST_ID] = POLYPACK_SINGLE;
	declarations->single[id - POLYPACK_FIRST_ID] = shape;
}

void polypack_note_pair(polypack_declarations *declarations, uint8_t low, uint8_t high, polypack_shape *shape)
{
	polypack_pairs **pairs = &declarations->pairs[low - POLYPACK_FIRST_LOW];
	const polypack_pairs *shared = shared_pairs(declarations, low - POLYPACK_FIRST_LOW);
	if (*pairs == shared) { /* there is no table yet, or only the dictionary's, which must not change */
		*pairs = ecalloc(1, sizeof(polypack_pairs));
		if (shared != NULL) {
			memcpy(*pairs, shared, sizeof(polypack_pairs));
		}
	}
	declarations->kind[low - POLYPACK_FIRST_ID] = POLYPACK_PAIR;
	(*pairs)->high[high] = shape;
}

bool polypack_starts_instance(const polypack_decoder *decoder, uint8_t byte)
{
	const polypack_declarations *declarations = decoder->declarations;
	return declarations->kind[byte - POLYPACK_FIRST_ID] != POLYPACK_UNDECLARED || declarations->dictionary != NULL;
}

polypack_shape *polypack_read_names(polypack_decoder *decoder, uint32_t count)
{
	/* All shapes without names are the same. Otherwise the caller has checked that at least `count` bytes remain. */
	if (count == 0) {
		return (polypack_shape *) &without_names;
	}
	polypack_shape *shape = safe_emalloc(count, sizeof(zend_string *), sizeof(polypack_shape));
	zend_array *seen = decoder->sorts_keys ? NULL : zend_new_array(count < 64 ? count : 64);
	shape->count = 0;
	shape->has_nul = false;
	while (shape->count < count) {
		const uint8_t *bytes;
		size_t length;
		if (!polypack_read_str(decoder, &bytes, &length)) {
			break;
		}
		zend_string *name = polypack_key(decoder, bytes, length);
		if (EXPECTED(seen != NULL)) {
			zval *slot = polypack_name_slot(seen, zend_string_copy(name));
			if (Z_TYPE_P(slot) != IS_UNDEF) {
				zend_string_release(name);
				break;
			}
			ZVAL_NULL(slot);
		}
		shape->has_nul = shape->has_nul || (length > 0 && bytes[0] == 0);
		shape->names[shape->count++] = name;
	}
	if (EXPECTED(seen != NULL)) {
		zend_array_release(seen);
	}
	if (shape->count < count) {
		polypack_free_shape(shape);
		return NULL;
	}
	return shape;
}

static bool decode_fields(polypack_decoder *decoder, zend_array *map, const polypack_shape *shape, size_t owed)
{
	for (uint32_t i = 0; i < shape->count; i++) {
		zval *slot = polypack_new_slot(map, shape->names[i], !decoder->lossless);
		if (UNEXPECTED(!polypack_decode_common(decoder, slot)) && UNEXPECTED(!polypack_decode_value(decoder, slot, owed + (shape->count - i - 1)))) {
			return false;
		}
	}
	return true;
}

/* Decodes the values of a record. The caller has checked the limits and updated what is left of them. */
static bool decode_record(polypack_decoder *decoder, zval *to, const polypack_shape *shape, size_t owed)
{
	if (UNEXPECTED(shape->count == 0)) {
		if (decoder->lossless) {
			object_init(to);
		} else {
			ZVAL_EMPTY_ARRAY(to);
		}
		return true;
	}
	size_t taken;
	zend_array *map = polypack_new_map(polypack_promise_entries(decoder, shape->count, &taken));
	decoder->level++;
	bool is_good = decode_fields(decoder, map, shape, owed);
	decoder->level--;
	decoder->promises += taken;
	if (!decoder->lossless) {
		ZVAL_ARR(to, map);
	} else if (shape->has_nul) {
		is_good = polypack_entries_of(to, map) && is_good;
	} else {
		polypack_new_object(to, map);
	}
	return is_good;
}

/* Reads how many names a declaration has. Returns false if the head is faulty, or the count exceeds a limit. */
static bool read_count(polypack_decoder *decoder, size_t owed, size_t *count)
{
	if (decoder->p >= decoder->end) {
		return false;
	}
	uint8_t head = *decoder->p++;
	if ((head & 0xf0) == POLYPACK_FIXARRAY) {
		*count = head & 0x0f;
	} else if ((head != POLYPACK_ARRAY16 && head != POLYPACK_ARRAY32)
		|| !polypack_read_length(&decoder->p, decoder->end, head == POLYPACK_ARRAY16 ? 2 : 4, count)) {
		return false;
	}
	if (2 * *count + owed > (size_t) (decoder->end - decoder->p) || *count > decoder->budget) {
		return false;
	}
	decoder->budget -= *count;
	return *count == 0 || (polypack_weigh(decoder, POLYPACK_ARRAY_WEIGHT + POLYPACK_ELEMENT_WEIGHT * (uint64_t) *count)
		&& polypack_pay_for_map(decoder, *count));
}

const polypack_shape *polypack_read_declaration(polypack_decoder *decoder, const uint8_t *head, size_t length, size_t owed)
{
	polypack_declarations *declarations = decoder->declarations;
	if (declarations == NULL || head[0] != (length == 1 ? POLYPACK_FIXEXT1 : POLYPACK_FIXEXT2)) {
		return NULL;
	}
	uint8_t id = decoder->p[0];
	uint8_t high = length == 2 ? decoder->p[1] : 0;
	if (id < (length == 1 ? POLYPACK_FIRST_ID : POLYPACK_FIRST_LOW) || id > POLYPACK_LAST_ID || decoder->level >= decoder->most_levels) {
		return NULL;
	}
	decoder->p += length;
	size_t count;
	polypack_shape *shape = read_count(decoder, owed, &count) ? polypack_read_names(decoder, (uint32_t) count) : NULL;
	if (shape == NULL) {
		return NULL;
	}
	if (shape != &without_names) {
		shape->before = declarations->last;
		declarations->last = shape;
	}
	if (length == 1) {
		polypack_note_single(declarations, id, shape);
	} else {
		polypack_note_pair(declarations, id, high, shape);
	}
	return shape;
}

const polypack_shape *polypack_read_instance(polypack_decoder *decoder, size_t owed)
{
	const polypack_declarations *declarations = decoder->declarations;
	const polypack_shape *shape = NULL;
	uint8_t byte = *decoder->p++;
	switch (declarations->kind[byte - POLYPACK_FIRST_ID]) {
		case POLYPACK_UNDECLARED: /* a fault, or a new id that the PHP library finds by loading the dictionary again */
			break;
		case POLYPACK_SINGLE:
			shape = declarations->single[byte - POLYPACK_FIRST_ID];
			break;
		default: {
			const polypack_pairs *pairs = declarations->pairs[byte - POLYPACK_FIRST_LOW];
			if (decoder->p < decoder->end && pairs != NULL) {
				shape = pairs->high[*decoder->p++];
			}
		}
	}
	return shape != NULL && polypack_open(decoder, shape->count, owed)
		&& (shape->count == 0 || polypack_pay_for_map(decoder, shape->count)) ? shape : NULL;
}

bool polypack_decode_declaration(polypack_decoder *decoder, zval *to, const uint8_t *head, size_t length, size_t owed)
{
	const polypack_shape *shape = polypack_read_declaration(decoder, head, length, owed);
	return shape != NULL && decode_record(decoder, to, shape, owed);
}

bool polypack_decode_instance(polypack_decoder *decoder, zval *to, size_t owed)
{
	if (polypack_starts_instance(decoder, *decoder->p)) {
		const polypack_shape *shape = polypack_read_instance(decoder, owed);
		return shape != NULL && decode_record(decoder, to, shape, owed);
	}
	if (decoder->strict) {
		return false;
	}
	ZVAL_LONG(to, *decoder->p++);
	return true;
}
