/* Faults where the library polypack/polypack isn't installed. */
#ifndef POLYPACK_FAULTS_H
#define POLYPACK_FAULTS_H

#include "compat.h"
#include "errors.h"

/* Tells whether the library is installed; then it words the faults. Loads its class MessagePack. */
bool polypack_has_library(void);

/* Throws the error of a message that the decoder refused, or an error which says that only the library can read it. */
void polypack_throw_unpacking_fault(zend_string *packed, zend_long options);

/* Throws trailing_data: bytes follow the value of a message. */
void polypack_throw_trailing_data(size_t offset, size_t length);

/* Throws the error of a value that the encoder can't pack without the library. */
void polypack_throw_packing_fault(zval *value, const polypack_step *path, bool is_too_deep);

/* Throws the error for a bitmask that isn't made of the constants of a class. */
void polypack_throw_option_fault(const char *class, zend_long options);

#endif
