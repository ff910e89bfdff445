/* Reads and writes whole snapshots. */
#ifndef POLYPACK_SNAPSHOT_H
#define POLYPACK_SNAPSHOT_H

#include "../compat.h"

#define SNAPSHOT_MAX_DEPTH 512
#define SNAPSHOT_MAX_ELEMENTS 1048576

typedef enum {
	SNAPSHOT_DECLINED, /* the PHP library has to read the bytes, or to throw an error about them */
	SNAPSHOT_READ,
	SNAPSHOT_THREW     /* an exception is pending */
} snapshot_answer;

/*
 * Writes a value as a snapshot, and returns the snapshot. Returns NULL if an exception is pending, or if C declines and
 * the PHP library has to write the value. C may have called hooks before it declines. Then it sets `*answers` to their
 * results, so that the library doesn't call these hooks again. If `answers` is NULL, C calls no hooks of user code, and
 * declines values that need them.
 */
zend_string *polypack_write_snapshot(zval *value, zend_long max_depth, zend_long max_elements, zend_long floats, zend_array **answers);

/*
 * Reads a snapshot with default options. If the autoloaders don't find a class, declines and sets `*missing` to the
 * class's name, which the caller releases. Otherwise sets `*missing` to NULL.
 */
snapshot_answer polypack_read_snapshot(zval *to, const char *bytes, size_t length, zend_string **missing);

#endif
