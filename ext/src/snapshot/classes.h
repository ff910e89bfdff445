/* Plain objects: their properties are all that they have, and no user code takes part in reading or writing them. */
#ifndef POLYPACK_SNAPSHOT_CLASSES_H
#define POLYPACK_SNAPSHOT_CLASSES_H

#include "../../php_polypack.h"

/* Names of properties in a shape, at most. */
#define SNAPSHOT_MOST_PROPERTIES 255

/*
 * Tells whether objects of a class have no hooks, no memory beside their properties, and only properties that are
 * simple slots.
 */
bool snapshot_is_plain_class(const zend_class_entry *class);

/* Tells whether an object of a plain class has a value for each declared property. Only a stdClass may have others. */
bool snapshot_is_plain_object(zend_object *object);

/* Tells whether an object's hooks may be called here: PHP surely serializes it, and it isn't lazy. */
bool snapshot_is_common_object(const zend_object *object);

/* Tells whether the properties of a common object can be taken here: none has code, and all have slots. */
bool snapshot_has_common_properties(const zend_class_entry *class);

/* Tells whether the data of an object come from PHP itself, without user code. */
bool snapshot_has_own_data(const zend_object *object);

/* Returns these data, with a reference. Returns NULL if there are none; the PHP code then words the error. */
zend_array *snapshot_own_data(zend_object *object);

/* Returns the name that a snapshot has for a declared property, with a reference. */
zend_string *snapshot_property_name(const zend_class_entry *class, const zend_property_info *info);

#endif
