/* The state while one message is decoded, and the functions that the files of the decoder share. */
#ifndef POLYPACK_DECODER_H
#define POLYPACK_DECODER_H

#include "../php_polypack.h"
#include "errors.h"
#include "reader.h"

/* The constants of UnpackOptions. Constants that PackOptions also has are in encoder.h. */
#define POLYPACK_BIGINT_AS_STR 1
#define POLYPACK_BIGINT_AS_GMP 2
#define POLYPACK_BIGINT_AS_DEC 4
#define POLYPACK_BIGINT_AS_BCMATH (1 << 20)
#define POLYPACK_BIGINT_AS_FLOAT (1 << 21)
#define POLYPACK_BIGINT_THROW (1 << 22)

typedef struct polypack_declarations polypack_declarations;

typedef struct {
	const uint8_t *p;
	const uint8_t *end;
	zend_string *buffer;
	size_t start; /* offset of the message in the buffer */

	bool strict;
	bool lossless;
	bool check_utf8;
	bool sorts_keys; /* the caller is canonical.c, which finds equal keys: polypack_read_names() needn't */
	bool is_inside;  /* the message is in the data of an ext value that an extension decodes */
	bool may_ask;   /* C may call the unpacker for user code; false with records, maxValues or lossless mode */
	bool has_asked; /* polypack_decode_by_asking() has called the unpacker, so C can't decline any more */
	uint8_t fixint_end; /* the first byte that isn't always a positive fixint: 0x40 with records, else 0x80 */
	zend_long options;

	uint32_t level; /* number of open containers of this message */
	uint32_t most_levels;
	size_t promises;         /* bytes that may still be allocated for values that haven't been read (limits.h) */
	size_t element_promises; /* how many bytes of `promises` may be used for arrays */
	zend_ulong budget; /* number of values that containers may still declare (maxValues) */
	uint64_t comparisons; /* key comparisons that are left; polypack_pay_for_map() subtracts from them */
	uint64_t memory;   /* bytes of memory that values may still take, by estimate (spec/06-limits.md#memory) */
	zend_string **keys; /* the request's cache of map keys */
	const zend_array *models[POLYPACK_MODELS]; /* latest maps, by entry count % POLYPACK_MODELS; for decode_like() */
	zend_array *extensions; /* by ext type; NULL for none */
	zend_object *unpacker;  /* NULL for none */
	const polypack_step *path;
	polypack_declarations *declarations; /* NULL if records are off */
} polypack_decoder;

/* Prepares decoding with these options and default limits. most_levels is 0 until the caller sets it. */
void polypack_choose_decoding(polypack_decoder *decoder, zend_long options);

/* Turns records on. `dictionary` is the content of a dictionary, or NULL. Returns false if the content is faulty. */
bool polypack_choose_records(polypack_decoder *decoder, zend_string *dictionary);

/*
 * The functions below that decode into `to` return false if an exception is pending, or if the value is faulty or
 * uncommon. The caller frees `to` even after a failure. If no exception is pending, decode() declines the message. But
 * if has_asked is set, decode() lets the unpacker throw the error.
 *
 * `owed` is how many values must follow the current value in all containers around it (spec/06-limits.md#counts).
 */
bool polypack_decode_value(polypack_decoder *decoder, zval *to, size_t owed);

/*
 * Tells whether a container may be opened after its head has been read: the limits must allow it, and enough bytes must
 * remain for its children (spec/06-limits.md#counts). If so, subtracts the number of children from the budget.
 */
static zend_always_inline bool polypack_open(polypack_decoder *decoder, size_t children, size_t owed)
{
	if (UNEXPECTED(decoder->level >= decoder->most_levels) || UNEXPECTED(children + owed > (size_t) (decoder->end - decoder->p))
		|| UNEXPECTED(children > decoder->budget)) {
		return false;
	}
	decoder->budget -= children;
	return true;
}

/* Subtracts an estimate in bytes from the memory that is left. Returns false if too little is left. */
static zend_always_inline bool polypack_weigh(polypack_decoder *decoder, uint64_t weight)
{
	if (UNEXPECTED(weight > decoder->memory)) {
		return false;
	}
	decoder->memory -= weight;
	return true;
}

/*
 * Subtracts the memory and the key comparisons of a map or record from what is left. Returns false if too little is
 * left. With at most POLYPACK_FREE_ENTRIES keys, no comparisons are counted. With more, they are counted as if all keys
 * shared a bucket of the hash table.
 */
static zend_always_inline bool polypack_pay_for_map(polypack_decoder *decoder, uint64_t count)
{
	uint64_t comparisons = EXPECTED(count <= POLYPACK_FREE_ENTRIES) ? 0 : count * (count - 1) / 2;
	if (UNEXPECTED(comparisons > decoder->comparisons)) {
		return false;
	}
	uint64_t entry = decoder->lossless ? POLYPACK_ENTRY_WEIGHT + POLYPACK_PAIR_WEIGHT : POLYPACK_ENTRY_WEIGHT;
	if (!polypack_weigh(decoder, POLYPACK_MAP_WEIGHT + entry * count)) {
		return false;
	}
	decoder->comparisons -= comparisons;
	return true;
}

/* How many bytes a PHP array takes per element of its capacity: as a packed array, and as a hash table. */
#define POLYPACK_ELEMENT_BYTES 16
#define POLYPACK_ENTRY_BYTES 40

/*
 * Returns the capacity that PHP gives to an array of `count` elements: a power of two, at least 8. Returns UINT32_MAX
 * for more than 2^31 elements, which no PHP array can have.
 */
static zend_always_inline uint32_t polypack_capacity(size_t count)
{
	if (count <= POLYPACK_SMALLEST) {
		return POLYPACK_SMALLEST;
	}
	uint32_t zeros = polypack_leading_zeros((uint32_t) (count - 1));
	return zeros == 0 ? UINT32_MAX : UINT32_C(1) << (32 - zeros);
}

/*
 * Returns the capacity to allocate for a map of `count` entries: enough for all of them if `promises` (limits.h) has
 * enough bytes left, else POLYPACK_SMALLEST. Sets `taken` to the bytes that it subtracts from `promises`. The caller
 * adds them back when the map is complete.
 */
static zend_always_inline uint32_t polypack_promise_entries(polypack_decoder *decoder, size_t count, size_t *taken)
{
	uint32_t capacity = polypack_capacity(count);
	*taken = capacity > POLYPACK_SMALLEST ? (size_t) capacity * POLYPACK_ENTRY_BYTES : 0;
	if (EXPECTED(*taken <= decoder->promises)) {
		decoder->promises -= *taken;
		return capacity;
	}
	*taken = 0;
	return POLYPACK_SMALLEST;
}

/*
 * Returns the capacity to allocate for an array of `count` elements: enough for all of them if both `promises` and
 * `element_promises` have enough bytes left, else POLYPACK_SMALLEST. Sets `taken` to the bytes that it subtracts from
 * both. The caller adds them back to both when the array is complete.
 */
static zend_always_inline uint32_t polypack_promise_elements(polypack_decoder *decoder, size_t count, size_t *taken)
{
	uint32_t capacity = polypack_capacity(count);
	*taken = capacity > POLYPACK_SMALLEST ? (size_t) capacity * POLYPACK_ELEMENT_BYTES : 0;
	if (EXPECTED(*taken <= decoder->element_promises) && EXPECTED(*taken <= decoder->promises)) {
		decoder->element_promises -= *taken;
		decoder->promises -= *taken;
		return capacity;
	}
	*taken = 0;
	return POLYPACK_SMALLEST;
}

/*
 * Lets the unpacker decode the value at `head`, which may run user code. Returns false without a call if may_ask is
 * false.
 */
bool polypack_decode_by_asking(polypack_decoder *decoder, zval *to, const uint8_t *head, size_t owed);

/*
 * Handles a value that exceeds a limit, or a container that declares more values than there are bytes. Returns false to
 * decline the message if has_asked is false. Otherwise the message can't be read again from its start, because user
 * code may have run. So the unpacker decodes this value, or throws an error about it.
 */
bool polypack_refuse(polypack_decoder *decoder, zval *to, const uint8_t *head, size_t owed);

/* Decodes a map whose head has been read. This and the functions up to polypack_kept_key() are in decoder_map.c. */
bool polypack_decode_map(polypack_decoder *decoder, zval *to, const uint8_t *head, size_t count, size_t owed);

/* Makes an array that has a hash table with this capacity. */
zend_array *polypack_new_map(uint32_t capacity);

/*
 * Both functions return the slot of a key in a map. They add a slot with an undefined value if the key is new.
 * polypack_name_slot() takes over the reference to the name. Neither function limits key comparisons. For maps of a
 * message, polypack_pay_for_map() does.
 */
zval *polypack_name_slot(zend_array *map, zend_string *name);
zval *polypack_number_slot(zend_array *map, zend_ulong number);

/*
 * Adds an entry for a name of a record, and returns the entry's slot. If `may_be_number` is set, a name such as "12"
 * becomes an int key. The function doesn't look for an equal name, because the names were compared when the record was
 * declared. Comparing long names with equal hashes again in each instance could take too long.
 */
zval *polypack_new_slot(zend_array *map, zend_string *name, bool may_be_number);

/* Both functions return a map key as a string, from the request's cache if possible. The caller releases the string. */
zend_string *polypack_key(polypack_decoder *decoder, const uint8_t *bytes, size_t length);
zend_string *polypack_kept_key(const uint8_t *bytes, size_t length);

/*
 * Reads the next str, and moves past it. Returns false if the next value isn't a complete str, or if check_utf8 is set
 * and the str isn't UTF-8.
 */
bool polypack_read_str(polypack_decoder *decoder, const uint8_t **bytes, size_t *length);

/*
 * Unpacks bytes, for polypack_unpack() and polypack_api.h. On failure, returns false with an exception pending, and
 * there is nothing to free.
 */
bool polypack_unpack_value(zval *to, zend_string *packed, zend_long options);

/* Decodes an ext value from its head byte on. The function is in extension.c. */
bool polypack_decode_ext(polypack_decoder *decoder, zval *to, size_t owed);

/* A shape of a record: its names in order. The functions below are in records/. */
typedef struct polypack_shape {
	struct polypack_shape *before; /* the shape that the message declared before this one; links all shapes to free */
	uint32_t count;
	bool has_nul;          /* whether a name starts with a NUL byte */
	zend_string *names[1]; /* `count` names, each with a reference */
} polypack_shape;

/*
 * Reads a dictionary from the content of a store, or finds it in the cache. The caller releases the dictionary. Returns
 * NULL if the content isn't a dictionary.
 */
polypack_dictionary *polypack_dictionary_of(zend_string *content);
void polypack_release_dictionary(polypack_dictionary *dictionary);

/*
 * Makes the declarations for a new message. `dictionary` is the content of a dictionary, or NULL. Returns NULL if the
 * content isn't a dictionary.
 */
polypack_declarations *polypack_new_declarations(zend_string *dictionary);
void polypack_free_declarations(polypack_declarations *declarations);

/*
 * Both functions read a record from its id on, and stop before its values. polypack_read_declaration() reads the id of
 * `length` bytes, and the names. polypack_read_instance() reads only an id. Both return NULL if the record is faulty,
 * exceeds a limit, or has an unknown id.
 */
const polypack_shape *polypack_read_declaration(polypack_decoder *decoder, const uint8_t *head, size_t length, size_t owed);
const polypack_shape *polypack_read_instance(polypack_decoder *decoder, size_t owed);

bool polypack_decode_declaration(polypack_decoder *decoder, zval *to, const uint8_t *head, size_t length, size_t owed);

/* Decodes a value that begins with a byte from 0x40 to 0x7f while records are on: an instance, or a positive fixint. */
bool polypack_decode_instance(polypack_decoder *decoder, zval *to, size_t owed);

/* Tells whether a byte from 0x40 to 0x7f begins an instance. With a dictionary, each such byte does. */
bool polypack_starts_instance(const polypack_decoder *decoder, uint8_t byte);

#endif
