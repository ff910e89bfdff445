/* Throws errors if the library polypack/polypack isn't installed. Some errors only say that the library is needed. */
#ifndef POLYPACK_FAULTS_H
#define POLYPACK_FAULTS_H

#include "compat.h"
#include "errors.h"

/* Tells whether the library is installed, by loading its class MessagePack. */
bool polypack_has_library(void);

/*
 * Throws the error for a message that the decoder has declined. If it can't find the fault, the error says that the
 * library is needed.
 */
void polypack_throw_unpacking_fault(zend_string *packed, zend_long options);

/* Throws trailing_data, because `length` bytes follow the value of a message. */
void polypack_throw_trailing_data(size_t offset, size_t length);

typedef enum {
	POLYPACK_NOT_UTF8,
	POLYPACK_TOO_LONG, /* a string of more than 2^32 - 1 bytes */
	POLYPACK_NO_FLOAT32,
	POLYPACK_TOO_DEEP,
	POLYPACK_NEEDS_LIBRARY,
	POLYPACK_UNSUPPORTED
} polypack_packing_fault;

/* Throws the error for a value that the encoder has declined. */
void polypack_throw_packing_fault(zval *value, const polypack_step *path, polypack_packing_fault fault);

/* Throws the error for invalid options. `class` is "PackOptions" or "UnpackOptions". */
void polypack_throw_option_fault(const char *class, zend_long options);

#endif
