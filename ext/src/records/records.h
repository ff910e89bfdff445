/*
 * Declares what the files of this folder share, and types that stream.c uses. Functions that other files call are in
 * decoder.h and encoder.h.
 */
#ifndef POLYPACK_RECORDS_H
#define POLYPACK_RECORDS_H

#include "../decoder.h"
#include "../encoder.h"

#define POLYPACK_IDS (POLYPACK_LAST_ID - POLYPACK_FIRST_ID + 1)
#define POLYPACK_LOWS (POLYPACK_LAST_ID - POLYPACK_FIRST_LOW + 1)

/* How many shapes at the start of a dictionary have ids of one byte. */
#define POLYPACK_ONE_BYTE_SHAPES (POLYPACK_FIRST_LOW - POLYPACK_FIRST_ID)

/* The shapes whose ids are pairs (two bytes) with one first byte. The index is the second byte. */
typedef struct {
	polypack_shape *high[256];
} polypack_pairs;

struct polypack_declarations {
	polypack_shape *last;
	polypack_shape *single[POLYPACK_IDS];
	polypack_pairs *pairs[POLYPACK_LOWS]; /* by first byte of the id; NULL if no pair begins with the byte */
	/* For each first byte, whether it is an id itself, or begins a pair. The last declaration decides. */
	enum { POLYPACK_UNDECLARED, POLYPACK_SINGLE, POLYPACK_PAIR } kind[POLYPACK_IDS];
	polypack_dictionary *dictionary; /* NULL for none; it may own tables in `pairs` */
};

/* A dictionary that has been read. Each message that uses it, and the cache, hold a reference. */
struct polypack_dictionary {
	uint32_t references;
	zend_string *content;
	uint32_t count;
	polypack_shape **shapes; /* by number; NULL if no shape has the number */
	zend_ulong *hashes;      /* of the shapes' names, by number */
	uint32_t *numbers;       /* hash table of the shapes: each entry is a shape's number plus 1, or 0 if free */
	uint32_t mask;           /* size of the hash table minus 1 */
	polypack_declarations declared; /* all shapes; each message starts with a copy */
};

/* Reads the names of a shape. Returns NULL if a name is faulty, or if a name occurs twice and sorts_keys is false. */
polypack_shape *polypack_read_names(polypack_decoder *decoder, uint32_t count);
void polypack_free_shape(polypack_shape *shape);

/*
 * Both functions set the shape of an id. polypack_note_single() is for ids of one byte, polypack_note_pair() for pairs.
 */
void polypack_note_single(polypack_declarations *declarations, uint8_t id, polypack_shape *shape);
void polypack_note_pair(polypack_declarations *declarations, uint8_t low, uint8_t high, polypack_shape *shape);

/* Frees the tables of pairs, but neither the shapes nor the tables that belong to the dictionary. */
void polypack_free_pairs(polypack_declarations *declarations);

/* Returns the number of the shape whose names are the keys of a map, or -1. `hash` is the hash of the names. */
int32_t polypack_number_of(const polypack_dictionary *dictionary, zend_array *map, zend_ulong hash);

/* Adds a name to the hash of several names. The hash starts as their count. */
#define POLYPACK_HASH_NAME(hash, name) ((hash) * 33 + zend_string_hash_val(name))

/*
 * Tells whether the keys of a map are these names in this order. The keys must be strings, and there must be as many of
 * them as names.
 */
static zend_always_inline bool polypack_has_names(zend_string *const *names, zend_array *map)
{
	zend_string *name;
	uint32_t i = 0;
	ZEND_HASH_FOREACH_STR_KEY(map, name) {
		if (!zend_string_equals(names[i++], name)) {
			return false;
		}
	} ZEND_HASH_FOREACH_END();
	return true;
}

#endif
