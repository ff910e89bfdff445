/*
 * Reads dictionaries of records (spec/05-records.md#shared) from the content of a store. Records/Dictionary.php of the
 * library is the twin. The library loads and extends dictionaries, and gives C only content that it has checked.
 *
 * A request caches the last POLYPACK_DICTIONARIES dictionaries that it has read, by the address of the content's
 * string. Each cached dictionary holds a reference to its string, so no other string can get the same address.
 */
#include "records.h"

static void free_dictionary(polypack_dictionary *dictionary)
{
	for (uint32_t i = 0; i < dictionary->count; i++) {
		if (dictionary->shapes[i] != NULL) {
			polypack_free_shape(dictionary->shapes[i]);
		}
	}
	polypack_free_pairs(&dictionary->declared);
	zend_string_release(dictionary->content);
	efree(dictionary->shapes);
	efree(dictionary->hashes);
	efree(dictionary->numbers);
	efree(dictionary);
}

void polypack_release_dictionary(polypack_dictionary *dictionary)
{
	if (--dictionary->references == 0) {
		free_dictionary(dictionary);
	}
}

static bool has_same_names(const polypack_shape *one, const polypack_shape *other)
{
	if (one->count != other->count) {
		return false;
	}
	for (uint32_t i = 0; i < one->count; i++) {
		if (!zend_string_equals(one->names[i], other->names[i])) {
			return false;
		}
	}
	return true;
}

/* Puts a shape into the hash table. Of several shapes with the same names, the table keeps the last. */
static void index_shape(polypack_dictionary *dictionary, uint32_t number)
{
	const polypack_shape *shape = dictionary->shapes[number];
	zend_ulong hash = shape->count;
	for (uint32_t i = 0; i < shape->count; i++) {
		hash = POLYPACK_HASH_NAME(hash, shape->names[i]);
	}
	dictionary->hashes[number] = hash;
	uint32_t at = (uint32_t) hash & dictionary->mask;
	while (dictionary->numbers[at] != 0 && !has_same_names(shape, dictionary->shapes[dictionary->numbers[at] - 1])) {
		at = (at + 1) & dictionary->mask;
	}
	dictionary->numbers[at] = number + 1;
}

int32_t polypack_number_of(const polypack_dictionary *dictionary, zend_array *map, zend_ulong hash)
{
	for (uint32_t at = (uint32_t) hash & dictionary->mask; dictionary->numbers[at] != 0; at = (at + 1) & dictionary->mask) {
		uint32_t number = dictionary->numbers[at] - 1;
		const polypack_shape *shape = dictionary->shapes[number];
		if (dictionary->hashes[number] == hash && shape->count == zend_hash_num_elements(map)
			&& EXPECTED(polypack_has_names(shape->names, map))) {
			return (int32_t) number;
		}
	}
	return -1;
}

/* Reads the head of an array. Returns false for anything else. */
static bool read_array(polypack_decoder *decoder, size_t *count)
{
	if (decoder->p >= decoder->end) {
		return false;
	}
	uint8_t head = *decoder->p++;
	if ((head & 0xf0) == POLYPACK_FIXARRAY) {
		*count = head & 0x0f;
		return true;
	}
	return (head == POLYPACK_ARRAY16 || head == POLYPACK_ARRAY32)
		&& polypack_read_length(&decoder->p, decoder->end, head == POLYPACK_ARRAY16 ? 2 : 4, count);
}

/* Reads the next shape, or a nil, which stands for a number without a shape. Returns false for anything else. */
static bool read_shape(polypack_dictionary *dictionary, polypack_decoder *decoder)
{
	uint32_t number = dictionary->count;
	polypack_shape *shape = NULL;
	size_t count;
	if (decoder->p < decoder->end && *decoder->p == POLYPACK_NIL) {
		decoder->p++;
	} else if (!read_array(decoder, &count) || count > (size_t) (decoder->end - decoder->p)
		|| (shape = polypack_read_names(decoder, (uint32_t) count)) == NULL) {
		return false;
	}
	dictionary->shapes[dictionary->count++] = shape;
	if (shape != NULL) {
		index_shape(dictionary, number);
	}
	if (number >= POLYPACK_ONE_BYTE_SHAPES) {
		/* Noted even if the number has no shape, because the first byte of its id always begins a pair. */
		polypack_note_pair(&dictionary->declared, (uint8_t) (POLYPACK_FIRST_LOW | (number & 0x1f)), (uint8_t) ((number >> 5) - 1), shape);
	} else if (shape != NULL) {
		polypack_note_single(&dictionary->declared, (uint8_t) (POLYPACK_FIRST_ID + number), shape);
	}
	return true;
}

static polypack_dictionary *read_dictionary(zend_string *content)
{
	polypack_decoder decoder;
	polypack_choose_decoding(&decoder, POLYPACK_STRICT);
	decoder.p = (const uint8_t *) ZSTR_VAL(content);
	decoder.end = decoder.p + ZSTR_LEN(content);
	size_t count;
	if (!read_array(&decoder, &count) || count > POLYPACK_MAX_SHAPES) {
		return NULL;
	}
	polypack_dictionary *dictionary = ecalloc(1, sizeof(polypack_dictionary));
	dictionary->references = 1;
	dictionary->content = zend_string_copy(content);
	dictionary->mask = 2 * polypack_capacity(count) - 1;
	dictionary->shapes = ecalloc(count + 1, sizeof(*dictionary->shapes));
	dictionary->hashes = ecalloc(count + 1, sizeof(*dictionary->hashes));
	dictionary->numbers = ecalloc(dictionary->mask + 1, sizeof(*dictionary->numbers));
	bool is_good = true;
	while (is_good && dictionary->count < count) {
		is_good = read_shape(dictionary, &decoder);
	}
	if (!is_good || decoder.p != decoder.end) {
		free_dictionary(dictionary);
		return NULL;
	}
	return dictionary;
}

polypack_dictionary *polypack_dictionary_of(zend_string *content)
{
	polypack_dictionary **kept = POLYPACK_G(dictionaries);
	for (uint32_t i = 0; i < POLYPACK_DICTIONARIES; i++) {
		if (kept[i] != NULL && kept[i]->content == content) {
			kept[i]->references++;
			return kept[i];
		}
	}
	polypack_dictionary *dictionary = read_dictionary(content);
	if (dictionary != NULL) {
		if (kept[POLYPACK_DICTIONARIES - 1] != NULL) {
			polypack_release_dictionary(kept[POLYPACK_DICTIONARIES - 1]);
		}
		memmove(kept + 1, kept, (POLYPACK_DICTIONARIES - 1) * sizeof(*kept));
		kept[0] = dictionary;
		dictionary->references++;
	}
	return dictionary;
}
