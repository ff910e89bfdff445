/* Maps in lossless mode. */
#ifndef POLYPACK_LOSSLESS_H
#define POLYPACK_LOSSLESS_H

#include "decoder.h"

/* Decodes a map that is open, behind its head. */
bool polypack_decode_lossless_map(polypack_decoder *decoder, zval *to, size_t count, size_t owed);

/* Makes a stdClass of properties, which it takes over. */
void polypack_new_object(zval *to, zend_array *properties);

/* Makes an Entries of a map whose keys are all str. Takes the map over. */
bool polypack_entries_of(zval *to, zend_array *map);

#endif
