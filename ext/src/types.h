/* Finds the PHP library's classes, and makes objects of them. */
#ifndef POLYPACK_TYPES_H
#define POLYPACK_TYPES_H

#include "compat.h"

typedef enum {
	POLYPACK_TYPE_BIN,
	POLYPACK_TYPE_EXT,
	POLYPACK_TYPE_TIMESTAMP,
	POLYPACK_TYPE_UINT64,
	POLYPACK_TYPE_ENTRIES,
	POLYPACK_TYPE_MAP,
	POLYPACK_CAN_BE_PACKED,
	POLYPACK_PACKER,
	POLYPACK_UNPACKER,
	POLYPACK_CLASSES
} polypack_class_index;

typedef enum {
	POLYPACK_PACK_INSIDE,
	POLYPACK_UNPACK_INSIDE,
	POLYPACK_LEAVE_INSIDE,
	POLYPACK_FAIL_INSIDE,
	POLYPACK_METHODS
} polypack_method_index;

typedef struct polypack_dictionary polypack_dictionary;

/* The counters of polypack_stats(). */
typedef enum {
	POLYPACK_ENCODED,
	POLYPACK_ENCODE_DECLINED,
	POLYPACK_ENCODE_ASKED,
	POLYPACK_DECODED,
	POLYPACK_DECODE_DECLINED,
	POLYPACK_DECODE_ASKED,
	POLYPACK_SCANNED,
	POLYPACK_SCAN_DECLINED,
	POLYPACK_CANONICALIZED,
	POLYPACK_CANONICALIZE_DECLINED,
	POLYPACK_SNAPSHOTS_WRITTEN,
	POLYPACK_SNAPSHOTS_WRITE_DECLINED,
	POLYPACK_SNAPSHOTS_READ,
	POLYPACK_SNAPSHOTS_READ_DECLINED,
	POLYPACK_STATS
} polypack_stat;

typedef struct {
	zend_class_entry *entry; /* NULL until the class is found */
	uint32_t properties[2];  /* offsets of the properties that CLASS_NAMES in types.c lists */
} polypack_class;

/*
 * Returns a class. Calls the autoloaders if it isn't loaded. Returns NULL if the class isn't found, if it lacks a
 * property that C uses, or if an autoloader throws.
 */
const polypack_class *polypack_load_class(polypack_class_index index);

/* Returns the table of the library's classes. First adds the classes that PHP has loaded by now, but loads none. */
const polypack_class *polypack_known_classes(void);

/* Returns a method that C calls. Returns NULL if its class isn't found, or has no such method. */
zend_function *polypack_method(polypack_method_index index);

#define POLYPACK_PROPERTY(object, class, index) OBJ_PROP(object, (class)->properties[index])

/*
 * The next five functions make an object. If they get a string or an array, they take it over. They return false if the
 * class can't be loaded.
 */
bool polypack_new_bin(zval *to, zend_string *data);
bool polypack_new_ext(zval *to, zend_long type, zend_string *data);
bool polypack_new_timestamp(zval *to, zend_long seconds, zend_long nanoseconds);
bool polypack_new_uint64(zval *to, uint64_t number);
bool polypack_new_entries(zval *to, zend_array *entries);

/* Returns the decimal digits of a number, which may be too large for an int of PHP. */
zend_string *polypack_digits(uint64_t number);

/* Reads the digits of a UInt64. Returns false if they aren't 1 to 20 decimal digits, or exceed 2^64 - 1. */
bool polypack_read_digits(const zend_string *digits, uint64_t *number);

#endif
