/* Snapshots for global functions, sessions and APCu. Whatever C declines is handed to the PHP library. */
#ifndef POLYPACK_SNAPSHOT_LIBRARY_H
#define POLYPACK_SNAPSHOT_LIBRARY_H

#include "../compat.h"

/*
 * Calls a static method of a class in Polypack\Snapshot. `method` has to be in lower case. If no autoloader finds the
 * class, the error says that `who` needs it: "this session needs…". Returns false with an exception pending, and
 * `result` undefined.
 */
bool polypack_call_snapshot_library(const char *class_name, const char *method, const char *who, zval *result, uint32_t count, zval *arguments);

/* Writes a value without options. NULL with an exception pending. */
zend_string *polypack_serialize_value(zval *value, const char *who);

/*
 * Reads a value without options. Returns false with an exception pending, and `to` undefined. `offset` says where the
 * bytes begin in what the user gave, because errors name offsets in that.
 */
bool polypack_unserialize_value(zval *to, const char *bytes, size_t length, size_t offset, const char *who);

#endif
