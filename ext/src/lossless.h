/* Decodes maps in lossless mode. */
#ifndef POLYPACK_LOSSLESS_H
#define POLYPACK_LOSSLESS_H

#include "decoder.h"

/* Decodes the entries of a map. The caller has read the head and checked the limits. */
bool polypack_decode_lossless_map(polypack_decoder *decoder, zval *to, size_t count, size_t owed);

/* Makes a stdClass. Takes over the properties. */
void polypack_new_object(zval *to, zend_array *properties);

/*
 * Makes an Entries from an array whose keys are names. Takes over the array. Returns false if the class can't be
 * loaded.
 */
bool polypack_entries_of(zval *to, zend_array *map);

#endif
