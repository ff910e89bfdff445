/*
 * Records that a message declares (spec/05-records.md). Records/Shapes.php of the library is the twin for encoding,
 * Records/Declarations.php and InlineReading.php for decoding.
 */
#include "decoder.h"
#include "encoder.h"
#include "lossless.h"

/* Encoding */

#define IDS (POLYPACK_LAST_ID - POLYPACK_FIRST_ID + 1)

typedef struct {
	zend_ulong hash;     /* of the names */
	uint32_t count;
	zend_string **names; /* each with a reference; NULL while the id is free */
} written_shape;

struct polypack_shapes {
	uint32_t next;             /* the number of the next id */
	written_shape holders[IDS]; /* by number of the id */
};

polypack_shapes *polypack_new_shapes(void)
{
	return ecalloc(1, sizeof(polypack_shapes));
}

static void free_shape(written_shape *shape)
{
	if (shape->names != NULL) {
		for (uint32_t i = 0; i < shape->count; i++) {
			zend_string_release(shape->names[i]);
		}
		efree(shape->names);
		shape->names = NULL;
	}
}

void polypack_free_shapes(polypack_shapes *shapes)
{
	for (uint32_t i = 0; i < IDS; i++) {
		free_shape(&shapes->holders[i]);
	}
	efree(shapes);
}

/* Hashes the names of a map. Returns false when a key isn't a str. */
static bool hash_names(const polypack_encoder *encoder, zend_array *map, zend_ulong *hash)
{
	zend_string *name;
	*hash = zend_hash_num_elements(map);
	ZEND_HASH_FOREACH_STR_KEY(map, name) {
		if (name == NULL || encoder->force_bin) {
			return false;
		}
		if (encoder->detect_bin && !polypack_is_utf8((const uint8_t *) ZSTR_VAL(name), ZSTR_LEN(name))) {
			return false;
		}
		*hash = *hash * 33 + zend_string_hash_val(name);
	} ZEND_HASH_FOREACH_END();
	return true;
}

static bool has_names(const written_shape *shape, zend_array *map)
{
	zend_string *name;
	uint32_t i = 0;
	ZEND_HASH_FOREACH_STR_KEY(map, name) {
		if (!zend_string_equals(shape->names[i++], name)) {
			return false;
		}
	} ZEND_HASH_FOREACH_END();
	return true;
}

/* Gives the names of a map the next id, and writes the declaration. */
static bool declare(polypack_encoder *encoder, zend_array *map, zend_ulong hash)
{
	polypack_shapes *shapes = encoder->shapes;
	written_shape *shape = &shapes->holders[shapes->next];
	uint32_t count = zend_hash_num_elements(map);
	polypack_reserve(encoder, 2 * POLYPACK_MAX_HEAD);
	encoder->p = polypack_write_ext(encoder->p, POLYPACK_EXT_RECORD, 1);
	*encoder->p++ = (char) (POLYPACK_FIRST_ID + shapes->next);
	encoder->p = polypack_write_array(encoder->p, count);

	free_shape(shape);
	shape->hash = hash;
	shape->count = 0;
	shape->names = safe_emalloc(count > 0 ? count : 1, sizeof(*shape->names), 0);
	shapes->next = (shapes->next + 1) % IDS;
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(map, name) {
		if (UNEXPECTED(!polypack_encode_string(encoder, name))) {
			return false;
		}
		shape->names[shape->count++] = zend_string_copy(name);
	} ZEND_HASH_FOREACH_END();
	return true;
}

bool polypack_encode_record_head(polypack_encoder *encoder, zend_array *map, bool *is_record)
{
	zend_ulong hash;
	if (encoder->key_depth >= 0 || !hash_names(encoder, map, &hash)) {
		return true;
	}
	*is_record = true;
	polypack_shapes *shapes = encoder->shapes;
	for (uint32_t i = 0; i < IDS && shapes->holders[i].names != NULL; i++) {
		const written_shape *shape = &shapes->holders[i];
		if (shape->hash == hash && shape->count == zend_hash_num_elements(map) && has_names(shape, map)) {
			polypack_reserve(encoder, 1);
			*encoder->p++ = (char) (POLYPACK_FIRST_ID + i);
			return true;
		}
	}
	return declare(encoder, map, hash);
}

/* Decoding */

#define LOWS (POLYPACK_LAST_ID - POLYPACK_FIRST_LOW + 1)

static polypack_shape without_names;

typedef struct {
	polypack_shape *high[256];
} pair_table;

struct polypack_declarations {
	polypack_shape *last;
	polypack_shape *single[IDS];
	pair_table *pairs[LOWS]; /* by first byte; NULL until one is declared */
	/* How a first byte was declared last. */
	enum { UNDECLARED, SINGLE, PAIR } kind[IDS];
};

polypack_declarations *polypack_new_declarations(void)
{
	return ecalloc(1, sizeof(polypack_declarations));
}

static void free_read_shape(polypack_shape *shape)
{
	for (uint32_t i = 0; i < shape->count; i++) {
		zend_string_release(shape->names[i]);
	}
	efree(shape);
}

void polypack_free_declarations(polypack_declarations *declarations)
{
	polypack_shape *shape = declarations->last;
	while (shape != NULL) {
		polypack_shape *before = shape->before;
		free_read_shape(shape);
		shape = before;
	}
	for (uint32_t i = 0; i < LOWS; i++) {
		if (declarations->pairs[i] != NULL) {
			efree(declarations->pairs[i]);
		}
	}
	efree(declarations);
}

bool polypack_starts_instance(const polypack_decoder *decoder, uint8_t byte)
{
	return decoder->declarations->kind[byte - POLYPACK_FIRST_ID] != UNDECLARED;
}

/* Reads the names of a declaration. A name that occurs twice is a fault. */
static polypack_shape *read_names(polypack_decoder *decoder, uint32_t count)
{
	/* Each name takes a byte at least, so the message bounds the memory. All shapes without names are one. */
	if (count == 0) {
		return &without_names;
	}
	polypack_shape *shape = safe_emalloc(count, sizeof(zend_string *), sizeof(polypack_shape));
	zend_array *seen = zend_new_array(count < 64 ? count : 64);
	shape->count = 0;
	shape->has_nul = false;
	while (shape->count < count) {
		const uint8_t *bytes;
		size_t length;
		if (!polypack_read_str(decoder, &bytes, &length)) {
			break;
		}
		zend_string *name = polypack_key(decoder, bytes, length);
		zval *slot = polypack_name_slot(seen, zend_string_copy(name));
		if (Z_TYPE_P(slot) != IS_UNDEF) {
			zend_string_release(name);
			break;
		}
		ZVAL_NULL(slot);
		shape->has_nul = shape->has_nul || (length > 0 && bytes[0] == 0);
		shape->names[shape->count++] = name;
	}
	zend_array_release(seen);
	if (shape->count < count) {
		free_read_shape(shape);
		return NULL;
	}
	return shape;
}

static bool decode_fields(polypack_decoder *decoder, zend_array *map, const polypack_shape *shape, size_t owed)
{
	for (uint32_t i = 0; i < shape->count; i++) {
		zend_string *name = shape->names[i];
		zend_ulong number;
		zval *slot = !decoder->lossless && ZSTR_LEN(name) > 0 && ZEND_HANDLE_NUMERIC(name, number)
			? polypack_number_slot(map, number)
			: polypack_name_slot(map, zend_string_copy(name));
		if (UNEXPECTED(!polypack_decode_value(decoder, slot, owed + (shape->count - i - 1)))) {
			return false;
		}
	}
	return true;
}

/* Decodes the values of an instance, which is open. */
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

/* Reads the head of the array of names. Returns false at a fault, also where a limit doesn't allow so many. */
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
	if (2 * *count + owed > (size_t) (decoder->end - decoder->p) || *count > decoder->budget || *count > POLYPACK_MAX_NAMES) {
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
	polypack_shape *shape = read_count(decoder, owed, &count) ? read_names(decoder, (uint32_t) count) : NULL;
	if (shape == NULL) {
		return NULL;
	}
	if (shape != &without_names) {
		shape->before = declarations->last;
		declarations->last = shape;
	}
	if (length == 1) {
		declarations->kind[id - POLYPACK_FIRST_ID] = SINGLE;
		declarations->single[id - POLYPACK_FIRST_ID] = shape;
	} else {
		pair_table **table = &declarations->pairs[id - POLYPACK_FIRST_LOW];
		if (*table == NULL) {
			*table = ecalloc(1, sizeof(pair_table));
		}
		declarations->kind[id - POLYPACK_FIRST_ID] = PAIR;
		(*table)->high[high] = shape;
	}
	return shape;
}

const polypack_shape *polypack_read_instance(polypack_decoder *decoder, size_t owed)
{
	const polypack_declarations *declarations = decoder->declarations;
	uint8_t byte = *decoder->p++;
	const polypack_shape *shape;
	if (declarations->kind[byte - POLYPACK_FIRST_ID] == SINGLE) {
		shape = declarations->single[byte - POLYPACK_FIRST_ID];
	} else if (decoder->p < decoder->end) {
		shape = declarations->pairs[byte - POLYPACK_FIRST_LOW]->high[*decoder->p++];
	} else {
		return NULL;
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
