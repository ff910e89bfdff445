/*
 * Paths to values, and calls to the PHP library. The library packs and unpacks the uncommon values that the extension
 * doesn't handle, and throws most errors (docs/decisions/0020-native-seam.md).
 */
#ifndef POLYPACK_ERRORS_H
#define POLYPACK_ERRORS_H

#include "compat.h"

typedef enum {
	POLYPACK_STEP_NUMBER, /* an index, or an int key */
	POLYPACK_STEP_NAME,   /* a string key, or the name of a property */
	POLYPACK_STEP_BIN,    /* a bin key that has been decoded; `name` has its bytes */
	POLYPACK_STEP_OBJECT, /* a Bin or UInt64 that is encoded as a key */
	POLYPACK_STEP_ENTRY   /* the index of an entry whose key is of any other type */
} polypack_step_kind;

/* A step of a path. Steps lie on the C stack. `around` links to the step in the next outer container. */
typedef struct polypack_step {
	const struct polypack_step *around; /* NULL for a step in the outermost container */
	polypack_step_kind kind;
	union {
		zend_long number;
		zend_string *name;
		zend_object *object;
	} key;
} polypack_step;

static zend_always_inline void polypack_step_to_number(polypack_step *step, zend_long number)
{
	step->kind = POLYPACK_STEP_NUMBER;
	step->key.number = number;
}

static zend_always_inline void polypack_step_to_name(polypack_step *step, zend_string *name)
{
	step->kind = POLYPACK_STEP_NAME;
	step->key.name = name;
}

/* Makes a PHP array of the steps, the outermost first. */
void polypack_make_steps(zval *steps, const polypack_step *path);

/*
 * Lets the packer pack a value, or throw an error about it. If the value is in a map key, `key_depth` is the depth of
 * the map, because errors in keys have the map's path. Otherwise `key_depth` is negative.
 *
 * Returns a string that the caller releases. On failure, returns NULL with an exception pending.
 */
zend_string *polypack_pack_inside(zend_object *packer, zval *value, const polypack_step *path, zend_long key_depth, uint32_t levels);

/*
 * Lets the unpacker decode the value at the offset, in a message that starts at `start`. Moves the offset past the
 * value, and sets `comparisons` and `memory` to what is left of these limits. On failure, returns false with an
 * exception pending.
 */
bool polypack_unpack_inside(zval *to, zend_object *unpacker, zend_string *buffer, size_t start, size_t *offset,
	const polypack_step *path, size_t owed, uint64_t *comparisons, uint64_t *memory, uint32_t levels);

/*
 * Tells the unpacker what is left of two limits after C has decoded a message in the data of an ext value. The outer
 * message, which contains the ext value, shares these limits.
 */
void polypack_leave_inside(zend_object *unpacker, uint64_t comparisons, uint64_t memory);

/* Lets the unpacker throw the error for a faulty message that begins at `start`. */
void polypack_fail_inside(zend_object *unpacker, zend_string *buffer, size_t start);

/*
 * Calls MessagePack::pack() or unpack() of the library, when C has declined a value or must throw an error. If the
 * library isn't installed, throws an error that says so.
 */
void polypack_call_library(const char *method, zval *result, zval *value, zend_long options);

/* Tells whether options are valid: each bit set in them is in a group, and at most one bit of each group is set. */
bool polypack_are_options(zend_long options, const zend_long *groups, size_t count);

#endif
