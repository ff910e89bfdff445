/* The encoder of one message: its state, which lives on the call, and what its files share. */
#ifndef POLYPACK_ENCODER_H
#define POLYPACK_ENCODER_H

#include "../php_polypack.h"
#include "errors.h"
#include "writer.h"

/* The constants of PackOptions */
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
	/* The output: a scratch buffer, or, once there is a string, its memory. */
	char *p;
	char *end;
	char *base;
	zend_string *string;
	bool uses_scratch;

	bool plain_strings;  /* strings are packed as str, unchecked; otherwise the three below decide */
	bool force_bin;
	bool detect_bin;
	bool check_utf8;
	bool force_array;
	bool force_map;
	bool force_float32;
	bool has_transformers;
	bool is_plain_packer; /* a Packer itself, of which no method is overridden */
	bool throws;          /* throws errors itself, because the library isn't installed (faults.h) */
	bool is_inside;       /* an object that is packing itself has called the packer */
	int64_t fixint_end;

	uint32_t level;      /* open containers of this message */
	uint32_t most_levels;
	zend_long depth;     /* containers around the message */
	zend_long key_depth; /* depth of the map whose key is being packed; -1 outside of keys */
	const polypack_step *path;
	zend_object *packer; /* NULL for none: values that only a packer can pack are then declined */
	polypack_shapes *shapes; /* NULL where records are off */
} polypack_encoder;

/* The output has to be begun, ended once if all is well, and freed in any case. */
void polypack_begin_output(polypack_encoder *encoder);
zend_string *polypack_end_output(polypack_encoder *encoder);
void polypack_free_output(polypack_encoder *encoder);

void polypack_grow(polypack_encoder *encoder, size_t length);

/* Makes sure that so many more bytes fit. */
static zend_always_inline void polypack_reserve(polypack_encoder *encoder, size_t length)
{
	if (UNEXPECTED((size_t) (encoder->end - encoder->p) < length)) {
		polypack_grow(encoder, length);
	}
}

/* Tells whether the packer allows another container, and the C stack, too. */
static zend_always_inline bool polypack_may_open(const polypack_encoder *encoder)
{
	return encoder->level < encoder->most_levels;
}

/*
 * The functions below return false to stop: with an exception pending, or without one to decline. They may decline as
 * long as the packer hasn't been asked. The caller then calls only polypack_encode_end().
 */
bool polypack_encode_value(polypack_encoder *encoder, zval *value);

/* Lets the packer pack a value, or declines where records are on: the packer doesn't know those of this message. */
bool polypack_encode_by_asking(polypack_encoder *encoder, zval *value);

/* Encodes a string that the options may turn into bin, also as a key. */
bool polypack_encode_string(polypack_encoder *encoder, zend_string *string);

/* Encodes an array as map; a record if it can be one and may_be_record says so. The caller has asked may_open(). */
bool polypack_encode_map(polypack_encoder *encoder, zend_array *map, bool may_be_record);

/* Packs a value for polypack_pack(). Returns NULL with an exception pending. */
zend_string *polypack_pack_value(zval *value, zend_long options);

/* Encodes an object, in extension.c. */
bool polypack_encode_object(polypack_encoder *encoder, zval *value);

/* In records/ */
polypack_shapes *polypack_new_shapes(void);

/*
 * With the content of a dictionary, `reach` is how many shapes it has or may get. `may_declare` says whether the
 * message may declare shapes that the dictionary lacks; if not, such a message is declined. Returns NULL if the content
 * is no dictionary.
 */
polypack_shapes *polypack_new_shared_shapes(zend_string *dictionary, uint32_t reach, bool may_declare);

void polypack_free_shapes(polypack_shapes *shapes);

/* Writes the head of an instance. If a key isn't a str, it sets is_record to false and writes nothing. */
bool polypack_encode_record_head(polypack_encoder *encoder, zend_array *map, bool *is_record);

#endif
