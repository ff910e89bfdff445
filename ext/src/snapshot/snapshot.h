/* Snapshots for other rooms: whole values, with limits. */
#ifndef POLYPACK_SNAPSHOT_H
#define POLYPACK_SNAPSHOT_H

#include "../compat.h"

#define SNAPSHOT_MAX_DEPTH 512
#define SNAPSHOT_MAX_ELEMENTS 1048576

typedef enum {
	SNAPSHOT_DECLINED, /* the PHP code has to read the bytes, and words the faults */
	SNAPSHOT_READ,
	SNAPSHOT_THREW     /* an exception of user code is pending */
} snapshot_answer;

/*
 * Writes a value. NULL if it is left to the PHP code, or if an exception is pending. The PHP code needs the answers of
 * hooks that have been called, if that isn't NULL then. With NULL for `answers`, no hook is called, and values with
 * hooks are left to the PHP code.
 */
zend_string *polypack_write_snapshot(zval *value, zend_long max_depth, zend_long max_elements, zend_long floats, zend_array **answers);

/*
 * Reads a value with default options. If it declines, `missing` is a class that autoloaders don't know, or NULL. The
 * caller owns it; `missing` may be NULL.
 */
snapshot_answer polypack_read_snapshot(zval *to, const char *bytes, size_t length, zend_string **missing);

#endif
