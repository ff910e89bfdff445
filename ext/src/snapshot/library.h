/* Values and bytes that C leaves to the library's PHP code, outside calls of that library. */
#ifndef POLYPACK_SNAPSHOT_LIBRARY_H
#define POLYPACK_SNAPSHOT_LIBRARY_H

#include "../compat.h"

/*
 * Calls a static method, written in small letters, of a class in Polypack\Snapshot. `who` is named where no autoloader
 * finds the class: "this session". Returns false with an exception pending, and `result` undefined.
 */
bool polypack_call_snapshot_library(const char *class_name, const char *method, const char *who, zval *result, uint32_t count, zval *arguments);

#endif
