/* What the files of records share; see decoder.h and encoder.h for what others call. */
#ifndef POLYPACK_RECORDS_H
#define POLYPACK_RECORDS_H

#include "../decoder.h"
#include "../encoder.h"

#define POLYPACK_IDS (POLYPACK_LAST_ID - POLYPACK_FIRST_ID + 1)
#define POLYPACK_LOWS (POLYPACK_LAST_ID - POLYPACK_FIRST_LOW + 1)

/* How many shapes of a dictionary have ids of one byte. */
#define POLYPACK_ONE_BYTE_SHAPES (POLYPACK_FIRST_LOW - POLYPACK_FIRST_ID)

/* The shapes of ids with the same first byte, by their second. */
typedef struct {
	polypack_shape *high[256];
} polypack_pairs;

struct polypack_declarations {
	polypack_shape *last;
	polypack_shape *single[POLYPACK_IDS];
	polypack_pairs *pairs[POLYPACK_LOWS]; /* by first byte; NULL until one is declared */
	/* what each first byte was last declared as */
	enum { POLYPACK_UNDECLARED, POLYPACK_SINGLE, POLYPACK_PAIR } kind[POLYPACK_IDS];
	polypack_dictionary *dictionary; /* dictionary of the message, whose pairs it may use; NULL for none */
};

/* Made once and used for many messages. */
struct polypack_dictionary {
	uint32_t references;
	zend_string *content;
	uint32_t count;
	polypack_shape **shapes; /* by number; NULL for a place without a shape */
	zend_ulong *hashes;      /* of their names */
	uint32_t *numbers;       /* a hash table of numbers, each plus 1 */
	uint32_t mask;           /* its size minus 1 */
	polypack_declarations declared; /* what a message begins with */
};

/* Reads names, none of which may occur twice. Returns NULL at a fault. */
polypack_shape *polypack_read_names(polypack_decoder *decoder, uint32_t count);
void polypack_free_shape(polypack_shape *shape);

/* Notes what an id means from now on. */
void polypack_note_single(polypack_declarations *declarations, uint8_t id, polypack_shape *shape);
void polypack_note_pair(polypack_declarations *declarations, uint8_t low, uint8_t high, polypack_shape *shape);

/* Frees the tables of declarations, but not the shapes. */
void polypack_free_pairs(polypack_declarations *declarations);

/* Returns the number of the shape with the names of a map; -1 for none. `hash` is that of the names. */
int32_t polypack_number_of(const polypack_dictionary *dictionary, zend_array *map, zend_ulong hash);

/* Adds a name to a hash, which begins with the count of the names. */
#define POLYPACK_HASH_NAME(hash, name) ((hash) * 33 + zend_string_hash_val(name))

/* Tells whether the keys of a map, which are all str, are these names in this order. */
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
