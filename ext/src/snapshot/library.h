/* Snapshots for code that isn't called by the library: what C leaves to PHP code is given to the library. */
#ifndef POLYPACK_SNAPSHOT_LIBRARY_H
#define POLYPACK_SNAPSHOT_LIBRARY_H

#include "../compat.h"

/*
 * Calls a static method, written in small letters, of a class in Polypack\Snapshot. `who` is named where no autoloader
 * finds the class: "this session". Returns false with an exception pending, and `result` undefined.
 */
bool polypack_call_snapshot_library(const char *class_name, const char *method, const char *who, zval *result, uint32_t count, zval *arguments);

/* Writes a value without options. NULL with an exception pending. */
zend_string *polypack_serialize_value(zval *value, const char *who);

/*
 * Reads a value without options. Returns false with an exception pending, and `to` undefined. `offset` is that of the
 * bytes in what was given, for errors.
 */
bool polypack_unserialize_value(zval *to, const char *bytes, size_t length, size_t offset, const char *who);

#endif
