/*
 * Writes and reads snapshots, and calls the PHP library for what C can't do alone. The global functions, sessions and
 * APCu use these functions.
 */
#ifndef POLYPACK_SNAPSHOT_LIBRARY_H
#define POLYPACK_SNAPSHOT_LIBRARY_H

#include "../compat.h"

/*
 * Calls a static method of a class in Polypack\Snapshot. `method` has to be in lower case. If the class or the method
 * doesn't exist, the error says that `who` needs the library: "this session needs…". On failure, returns false with an
 * exception pending, and sets `result` to IS_UNDEF.
 */
bool polypack_call_snapshot_library(const char *class_name, const char *method, const char *who, zval *result, uint32_t count, zval *arguments);

/* Writes a value without options, and returns the snapshot. On failure, returns NULL with an exception pending. */
zend_string *polypack_serialize_value(zval *value, const char *who);

/*
 * Reads a value without options. `offset` says where the bytes begin in the user's string, because errors name offsets
 * in that string. On failure, returns false with an exception pending. The caller must not use `to` then.
 */
bool polypack_unserialize_value(zval *to, const char *bytes, size_t length, size_t offset, const char *who);

#endif
