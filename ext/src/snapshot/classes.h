/* Which objects are plain: those that are only their properties, and that no code of the user takes part in. */
#ifndef POLYPACK_SNAPSHOT_CLASSES_H
#define POLYPACK_SNAPSHOT_CLASSES_H

#include "../../php_polypack.h"

/* Names of properties in a shape, at most. */
#define SNAPSHOT_MOST_PROPERTIES 255

/* Tells whether objects of a class have no hooks, no places of their own, and no property that is more than a value. */
bool snapshot_is_plain_class(const zend_class_entry *class);

/* Tells whether an object of a plain class has a value for each declared property. Only a stdClass may have others. */
bool snapshot_is_plain_object(zend_object *object);

/* Tells whether PHP itself says what the data of an object are, and no code of the user. */
bool snapshot_has_own_data(const zend_object *object);

/* Returns these data, with a reference, or NULL without them: the PHP code then words the error. */
zend_array *snapshot_own_data(zend_object *object);

/* Returns the name that a snapshot has for a declared property, with a reference. */
zend_string *snapshot_property_name(const zend_class_entry *class, const zend_property_info *info);

#endif
