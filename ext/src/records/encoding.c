/*
 * Encodes what stands before the values of a record (spec/05-records.md): a declaration, or the id of a known shape.
 * Records/Shapes.php and SharedShapes.php of the library are the twins.
 */
#include "records.h"

typedef struct {
	zend_ulong hash;     /* of the names */
	uint32_t count;
	zend_string **names; /* each with a reference; NULL while the id is free */
} written_shape;

struct polypack_shapes {
	/* The ids that the message may declare: the first one's number, how many there are, and whether they are pairs. */
	uint32_t first;
	uint32_t ids;
	bool has_pairs;
	uint32_t next;
	written_shape holders[POLYPACK_IDS]; /* by id, from the first id that the message may declare */
	polypack_dictionary *dictionary;     /* NULL for none */
	bool may_declare; /* the message may declare shapes that the dictionary lacks; if not set, C declines instead */
};

polypack_shapes *polypack_new_shapes(void)
{
	polypack_shapes *shapes = ecalloc(1, sizeof(polypack_shapes));
	shapes->ids = POLYPACK_IDS;
	shapes->may_declare = true;
	return shapes;
}

polypack_shapes *polypack_new_shared_shapes(zend_string *dictionary, uint32_t reach, bool may_declare)
{
	polypack_dictionary *known = polypack_dictionary_of(dictionary);
	if (known == NULL) {
		return NULL;
	}
	polypack_shapes *shapes = polypack_new_shapes();
	shapes->dictionary = known;
	shapes->may_declare = may_declare;
	/* the same calculation as in Dictionary::ownIds() */
	if (reach <= POLYPACK_ONE_BYTE_SHAPES) {
		shapes->first = reach;
		shapes->ids = POLYPACK_IDS - reach;
	} else {
		shapes->first = reach > POLYPACK_IDS ? reach : POLYPACK_IDS;
		shapes->ids = reach - POLYPACK_ONE_BYTE_SHAPES < POLYPACK_LOWS ? reach - POLYPACK_ONE_BYTE_SHAPES : POLYPACK_LOWS;
		shapes->has_pairs = true;
	}
	return shapes;
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
	for (uint32_t i = 0; i < POLYPACK_IDS; i++) {
		free_shape(&shapes->holders[i]);
	}
	if (shapes->dictionary != NULL) {
		polypack_release_dictionary(shapes->dictionary);
	}
	efree(shapes);
}

/* Hashes the names of a map. Returns false if a key wouldn't become a str. */
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
		*hash = POLYPACK_HASH_NAME(*hash, name);
	} ZEND_HASH_FOREACH_END();
	return true;
}

static void write_id(polypack_encoder *encoder, uint32_t number, bool is_pair)
{
	polypack_reserve(encoder, 2);
	if (is_pair) {
		*encoder->p++ = (char) (POLYPACK_FIRST_LOW | (number & 0x1f));
		*encoder->p++ = (char) ((number >> 5) - 1);
	} else {
		*encoder->p++ = (char) (POLYPACK_FIRST_ID + number);
	}
}

/* Gives the names of a map the next id, and writes a declaration: the head, the id and the names. */
static bool declare(polypack_encoder *encoder, zend_array *map, zend_ulong hash)
{
	polypack_shapes *shapes = encoder->shapes;
	written_shape *shape = &shapes->holders[shapes->next];
	uint32_t count = zend_hash_num_elements(map);
	polypack_reserve(encoder, 2 * POLYPACK_MAX_HEAD);
	encoder->p = polypack_write_ext(encoder->p, POLYPACK_EXT_RECORD, shapes->has_pairs ? 2 : 1);
	write_id(encoder, shapes->first + shapes->next, shapes->has_pairs);
	encoder->p = polypack_write_array(encoder->p, count);

	free_shape(shape);
	shape->hash = hash;
	shape->count = 0;
	shape->names = safe_emalloc(count > 0 ? count : 1, sizeof(*shape->names), 0);
	shapes->next = (shapes->next + 1) % shapes->ids;
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
	if (shapes->dictionary != NULL) {
		int32_t number = polypack_number_of(shapes->dictionary, map, hash);
		if (EXPECTED(number >= 0)) {
			write_id(encoder, (uint32_t) number, number >= POLYPACK_ONE_BYTE_SHAPES);
			return true;
		}
	}
	for (uint32_t i = 0; i < shapes->ids && shapes->holders[i].names != NULL; i++) {
		const written_shape *shape = &shapes->holders[i];
		if (shape->hash == hash && shape->count == zend_hash_num_elements(map) && polypack_has_names(shape->names, map)) {
			write_id(encoder, shapes->first + i, shapes->has_pairs);
			return true;
		}
	}
	return shapes->may_declare && declare(encoder, map, hash);
}
