/*
 * The path to a value, and the calls to classes of the library for what the extension can't do itself: uncommon values,
 * and the words of errors (docs/decisions/0020-native-seam.md).
 */
#ifndef POLYPACK_ERRORS_H
#define POLYPACK_ERRORS_H

#include "compat.h"

typedef enum {
	POLYPACK_STEP_NUMBER, /* an index, or an int key */
	POLYPACK_STEP_NAME,   /* a str key */
	POLYPACK_STEP_BIN,    /* a bin key */
	POLYPACK_STEP_OBJECT, /* a key that is a Bin or a UInt64 */
	POLYPACK_STEP_ENTRY   /* any other key: the index of the entry */
} polypack_step_kind;

/* One step of a path. The steps of the containers around a value are linked, on the C stack. */
typedef struct polypack_step {
	const struct polypack_step *around; /* NULL in the outermost container */
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

/* Makes the list of steps that the methods below take. */
void polypack_make_steps(zval *steps, const polypack_step *path);

/*
 * Lets the packer pack a value, or throw its error. In a map key, the path of the error has only the steps up to
 * key_depth; elsewhere key_depth is negative.
 *
 * Returns a string with a reference, or NULL with an exception pending.
 */
zend_string *polypack_pack_inside(zend_object *packer, zval *value, const polypack_step *path, zend_long key_depth, uint32_t levels);

/*
 * Lets the unpacker decode the value at the offset, in a message that starts at `start`; moves the offset, and changes
 * the budgets. Returns false with an exception pending.
 */
bool polypack_unpack_inside(zval *to, zend_object *unpacker, zend_string *buffer, size_t start, size_t *offset,
	const polypack_step *path, size_t owed, uint64_t *comparisons, uint64_t *memory, uint32_t levels);

/* Tells the unpacker what a message in the data of an extension has left of its budgets. */
void polypack_leave_inside(zend_object *unpacker, uint64_t comparisons, uint64_t memory);

/* Lets the unpacker throw the error for a faulty message that begins at the offset. */
void polypack_fail_inside(zend_object *unpacker, zend_string *buffer, size_t start);

/*
 * Calls MessagePack::pack() or unpack(), for a value that the functions for users have declined, or that is faulty.
 * faults.h has what happens without the library.
 */
void polypack_call_library(const char *method, zval *result, zval *value, zend_long options);

/* Tells whether a bitmask has only bits of the groups, and at most one of each. */
bool polypack_are_options(zend_long options, const zend_long *groups, size_t count);

#endif
