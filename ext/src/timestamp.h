/* Reads and writes timestamps: ext type -1 (spec/04-timestamp.md). */
#ifndef POLYPACK_TIMESTAMP_H
#define POLYPACK_TIMESTAMP_H

#include "compat.h"

/* Reads seconds and nanoseconds from the data of an ext value of type -1. Returns false if the data is invalid. */
bool polypack_split_timestamp(const uint8_t *data, size_t length, zend_long *seconds, zend_long *nanoseconds);

/* Writes a timestamp in the shortest form that can hold it, at most 15 bytes. Returns the position after it. */
char *polypack_write_timestamp(char *p, zend_long seconds, zend_long nanoseconds);

/*
 * Reads the moment of a DateTime or DateTimeImmutable. Returns false for subclasses, because they may override methods.
 * Also returns false for other classes, and if the object has no valid time.
 */
bool polypack_read_date(zend_object *object, zend_long *seconds, zend_long *nanoseconds);

#endif
