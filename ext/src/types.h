/* The classes of the library that the extension makes, recognizes and calls. */
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

/* What polypack_stats() counts. */
typedef enum {
	POLYPACK_ENCODED,
	POLYPACK_ENCODE_DECLINED,
	POLYPACK_ENCODE_ASKED,
	POLYPACK_DECODED,
	POLYPACK_DECODE_DECLINED,
	POLYPACK_DECODE_ASKED,
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
	uint32_t properties[2];  /* offsets of the properties that types.c names */
} polypack_class;

/* Returns the class, loading it if need be; NULL if there is none, or an exception is pending. */
const polypack_class *polypack_load_class(polypack_class_index index);

/* Looks for the classes that are loaded by now, and returns the table. */
const polypack_class *polypack_known_classes(void);

/* Returns a method of Packer or BufferUnpacker that the seam names; NULL if the library is of another version. */
zend_function *polypack_method(polypack_method_index index);

#define POLYPACK_PROPERTY(object, class, index) OBJ_PROP(object, (class)->properties[index])

/* Each makes an object. They return false if the class can't be loaded, and take over strings and arrays anyway. */
bool polypack_new_bin(zval *to, zend_string *data);
bool polypack_new_ext(zval *to, zend_long type, zend_string *data);
bool polypack_new_timestamp(zval *to, zend_long seconds, zend_long nanoseconds);
bool polypack_new_uint64(zval *to, uint64_t number);
bool polypack_new_entries(zval *to, zend_array *entries);

/* Returns a number from 2^63 on as its digits. */
zend_string *polypack_digits(uint64_t number);

/* Reads the digits of a UInt64. Returns false if they aren't what its constructor lets through. */
bool polypack_read_digits(const zend_string *digits, uint64_t *number);

#endif
