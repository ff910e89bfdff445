/* The decoder of one message: its state, which lives on the call, and what its files share. */
#ifndef POLYPACK_DECODER_H
#define POLYPACK_DECODER_H

#include "../php_polypack.h"
#include "errors.h"
#include "reader.h"

/* The constants of UnpackOptions; those of the modes and of records are in encoder.h, as PackOptions has them, too. */
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
	size_t start; /* where the message starts in the buffer */

	bool strict;
	bool lossless;
	bool check_utf8;
	bool may_ask;   /* whether values may be given to the unpacker; it doesn't know this message's records and budget */
	bool has_asked; /* the unpacker was called: user code may have run, so the message can't be declined any more */
	uint8_t fixint_end; /* the first byte that isn't always a positive fixint: 0x40 with records, else 0x80 */
	zend_long options;

	uint32_t level; /* open containers of this message */
	uint32_t most_levels;
	size_t promises;         /* bytes that may still be allocated for values that haven't arrived */
	size_t element_promises; /* how many of these bytes arrays may use */
	zend_ulong budget; /* values that containers may still declare */
	uint64_t comparisons; /* budget that is left if all keys of each wide map share a bucket */
	uint64_t memory;   /* bytes that the message may still take, by estimate */
	zend_string **keys; /* the cache of this request */
	const zend_array *models[POLYPACK_MODELS]; /* the latest map of each count of entries, by count */
	zend_array *extensions; /* by type; NULL for none */
	zend_object *unpacker;  /* NULL if there is none to ask */
	const polypack_step *path;
	polypack_declarations *declarations; /* NULL where records are off */
} polypack_decoder;

/* Prepares decoding with these options, and default limits. */
void polypack_choose_decoding(polypack_decoder *decoder, zend_long options);

/* Turns records on, with the content of a dictionary, or NULL for none. Returns false if it is no dictionary. */
bool polypack_choose_records(polypack_decoder *decoder, zend_string *dictionary);

/*
 * The functions below decode into `to`. It is valid and has to be freed even when they fail. They return false with an
 * exception pending, or without one if the value is faulty or uncommon. In the second case the message is declined, or,
 * once the unpacker has been asked, its error is thrown. `owed` is how many values the containers around a value still
 * have to deliver after it (spec/06-limits.md#counts).
 */
bool polypack_decode_value(polypack_decoder *decoder, zval *to, size_t owed);

/* Tells whether a container may be opened, behind its head, and counts its children (spec/06-limits.md#counts). */
static zend_always_inline bool polypack_open(polypack_decoder *decoder, size_t children, size_t owed)
{
	if (UNEXPECTED(decoder->level >= decoder->most_levels) || UNEXPECTED(children + owed > (size_t) (decoder->end - decoder->p))
		|| UNEXPECTED(children > decoder->budget)) {
		return false;
	}
	decoder->budget -= children;
	return true;
}

/* Subtracts a weight from the memory that is left to the message. Returns false if it is too much. */
static zend_always_inline bool polypack_weigh(polypack_decoder *decoder, uint64_t weight)
{
	if (UNEXPECTED(weight > decoder->memory)) {
		return false;
	}
	decoder->memory -= weight;
	return true;
}

/* Pays for a map or record: its memory, and the comparisons of its keys. Returns false if too little is left. */
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

/* Bytes that PHP's tables take for each place. */
#define POLYPACK_ELEMENT_BYTES 16
#define POLYPACK_ENTRY_BYTES 40

/* The capacity of PHP's tables: a power of two. */
static zend_always_inline uint32_t polypack_capacity(size_t count)
{
	return count <= POLYPACK_SMALLEST ? POLYPACK_SMALLEST : UINT32_C(1) << (32 - polypack_leading_zeros((uint32_t) (count - 1)));
}

/*
 * Returns how many entries of a map to allocate at once, and takes their bytes from the promises. When the map is
 * complete, the caller gives the `taken` bytes back.
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

/* Does the same for an array. */
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

/* Lets the unpacker decode the value at the head, which may run user code. */
bool polypack_decode_by_asking(polypack_decoder *decoder, zval *to, const uint8_t *head, size_t owed);

/*
 * Handles a value that the extension doesn't decode: it is faulty or uncommon. Before user code has run, the message is
 * declined. Afterwards it can't be read again from its start, so the unpacker decodes this value or throws its error.
 */
bool polypack_refuse(polypack_decoder *decoder, zval *to, const uint8_t *head, size_t owed);

/* In decoder_map.c, as the functions up to polypack_kept_key(). Decodes a map whose head has been read. */
bool polypack_decode_map(polypack_decoder *decoder, zval *to, const uint8_t *head, size_t count, size_t owed);

/* Makes an array with capacity for so many entries that aren't all ascending ints. */
zend_array *polypack_new_map(uint32_t capacity);

/*
 * Return the slot of a key in a map; it is undefined if the key is new. They take over the name. The budget of
 * comparisons isn't checked here but at the map's head: see polypack_pay_for_map().
 */
zval *polypack_name_slot(zend_array *map, zend_string *name);
zval *polypack_number_slot(zend_array *map, zend_ulong number);

/* Returns a key as a string, from the cache if possible. */
zend_string *polypack_key(polypack_decoder *decoder, const uint8_t *bytes, size_t length);
zend_string *polypack_kept_key(const uint8_t *bytes, size_t length);

/* Reads a str from its head byte on and moves behind it. Returns false for anything else, and if it is faulty. */
bool polypack_read_str(polypack_decoder *decoder, const uint8_t **bytes, size_t *length);

/* Unpacks bytes for polypack_unpack(). Returns false with an exception pending; then there is nothing to free. */
bool polypack_unpack_value(zval *to, zend_string *packed, zend_long options);

/* In extension.c. */
bool polypack_decode_ext(polypack_decoder *decoder, zval *to, size_t owed);

/* In records/. */
typedef struct polypack_shape {
	struct polypack_shape *before; /* links all shapes of the message, so that they can be freed */
	uint32_t count;
	bool has_nul;          /* whether a name starts with a NUL byte */
	zend_string *names[1]; /* as many as count, each with a reference */
} polypack_shape;

/*
 * What the library knows of a dictionary in the content of a store. Returns NULL for anything else; otherwise it has a
 * reference to give back.
 */
polypack_dictionary *polypack_dictionary_of(zend_string *content);
void polypack_release_dictionary(polypack_dictionary *dictionary);

/* Takes the content of a dictionary, or NULL for none. Returns NULL when it is no dictionary. */
polypack_declarations *polypack_new_declarations(zend_string *dictionary);
void polypack_free_declarations(polypack_declarations *declarations);

/*
 * Both read from an id on, up to the values: of a declaration, whose length is given, or of an instance that is
 * declared. They return NULL at a fault.
 */
const polypack_shape *polypack_read_declaration(polypack_decoder *decoder, const uint8_t *head, size_t length, size_t owed);
const polypack_shape *polypack_read_instance(polypack_decoder *decoder, size_t owed);

bool polypack_decode_declaration(polypack_decoder *decoder, zval *to, const uint8_t *head, size_t length, size_t owed);

/* Decodes what begins with a byte from 40 to 7f: an instance, or a positive fixint. */
bool polypack_decode_instance(polypack_decoder *decoder, zval *to, size_t owed);

/* Tells whether a byte from 40 to 7f begins an instance. With a dictionary it always does, or is a fault. */
bool polypack_starts_instance(const polypack_decoder *decoder, uint8_t byte);

#endif
