/* The state while one message is encoded, and the functions that the files of the encoder share. */
#ifndef POLYPACK_ENCODER_H
#define POLYPACK_ENCODER_H

#include "../php_polypack.h"
#include "errors.h"
#include "writer.h"

/* The constants of PackOptions. UnpackOptions also has the last three. */
#define POLYPACK_FORCE_STR 1
#define POLYPACK_FORCE_BIN 2
#define POLYPACK_DETECT_STR_BIN 4
#define POLYPACK_FORCE_ARR 8
#define POLYPACK_FORCE_MAP 16
#define POLYPACK_DETECT_ARR_MAP 32
#define POLYPACK_FORCE_FLOAT32 64
#define POLYPACK_FORCE_FLOAT64 128
#define POLYPACK_STRICT (1 << 16)
#define POLYPACK_LOSSLESS (1 << 17)
#define POLYPACK_RECORDS_INLINE (1 << 18)

typedef struct polypack_shapes polypack_shapes;

typedef struct {
	/* The output: bytes in the scratch buffer if `string` is NULL, otherwise in `string`. */
	char *p;
	char *end;
	char *base;
	zend_string *string;
	bool uses_scratch;

	bool plain_strings;  /* strings become str unchecked; if not set, force_bin, detect_bin and check_utf8 decide */
	bool force_bin;
	bool detect_bin;
	bool check_utf8;
	bool force_array;
	bool force_map;
	bool force_float32;
	bool has_transformers;
	bool is_plain_packer; /* there is no packer, or its class is Packer itself; a subclass may override methods */
	bool throws;          /* C throws errors instead of declining, because the library isn't installed */
	bool is_inside;       /* an object that packs itself, or a transformer, has called the packer */
	int64_t fixint_end;

	uint32_t level;      /* number of open containers of this message */
	uint32_t most_levels;
	zend_long depth;     /* number of containers that are open around the message */
	zend_long key_depth; /* depth of the map whose key is being packed; -1 outside of keys */
	const polypack_step *path;
	zend_object *packer; /* NULL for none; polypack_encode_by_asking() then declines or throws */
	polypack_shapes *shapes; /* NULL if records are off */
} polypack_encoder;

/*
 * These functions begin the output, return the output as a string, and free its memory. The caller always calls
 * polypack_free_output(), even after a failure.
 */
void polypack_begin_output(polypack_encoder *encoder);
zend_string *polypack_end_output(polypack_encoder *encoder);
void polypack_free_output(polypack_encoder *encoder);

void polypack_grow(polypack_encoder *encoder, size_t length);

/* Makes sure that `length` more bytes fit. */
static zend_always_inline void polypack_reserve(polypack_encoder *encoder, size_t length)
{
	if (UNEXPECTED((size_t) (encoder->end - encoder->p) < length)) {
		polypack_grow(encoder, length);
	}
}

/* Tells whether the depth limit and the C stack allow another container. */
static zend_always_inline bool polypack_may_open(const polypack_encoder *encoder)
{
	return encoder->level < encoder->most_levels;
}

/*
 * The polypack_encode_…() functions below return false to stop. Then an exception is pending, or C declines and the PHP
 * library packs the whole message. C doesn't decline once it has called the packer, because user code may have run. A
 * caller frees what it owns, and returns false as well.
 */
bool polypack_encode_value(polypack_encoder *encoder, zval *value);

/*
 * Lets the packer pack a value. If there is no packer, declines, or throws if `throws` is set. The same happens if
 * records are on, because the packer doesn't know the shapes that this message has declared.
 */
bool polypack_encode_by_asking(polypack_encoder *encoder, zval *value);

/* Encodes a string, as a value or a key. The options may turn it into a bin. */
bool polypack_encode_string(polypack_encoder *encoder, zend_string *string);

/* Encodes an array as a map, or as a record if possible and allowed. The caller has called polypack_may_open(). */
bool polypack_encode_map(polypack_encoder *encoder, zend_array *map, bool may_be_record);

/*
 * Packs a value, for polypack_pack() and polypack_api.h. The caller releases the string. On failure, returns NULL with
 * an exception pending.
 */
zend_string *polypack_pack_value(zval *value, zend_long options);

/* These functions are in extension.c. */
bool polypack_encode_object(polypack_encoder *encoder, zval *value);
bool polypack_has_only_foreign(const polypack_encoder *encoder, zend_array *array);

/* Makes an empty list of shapes, for a message without a dictionary. The functions below are in records/. */
polypack_shapes *polypack_new_shapes(void);

/*
 * Makes the shapes of a message with a dictionary. `dictionary` is the dictionary's content, and `reach` is how many
 * shapes the dictionary has or may grow to. The message declares each shape that the dictionary lacks. If `may_declare`
 * is false, C declines a message that needs such a shape. Returns NULL if the content isn't a dictionary.
 */
polypack_shapes *polypack_new_shared_shapes(zend_string *dictionary, uint32_t reach, bool may_declare);

void polypack_free_shapes(polypack_shapes *shapes);

/*
 * Writes the head of a record and sets `is_record` to true. Writes nothing if the map can't be a record: a key wouldn't
 * become a str, or the map is inside a key.
 */
bool polypack_encode_record_head(polypack_encoder *encoder, zend_array *map, bool *is_record);

#endif
