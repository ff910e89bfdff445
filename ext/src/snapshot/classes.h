/*
 * Tells which objects C can write. An object is called *plain* if it consists of its properties alone, and no user code
 * runs when it is read or written.
 */
#ifndef POLYPACK_SNAPSHOT_CLASSES_H
#define POLYPACK_SNAPSHOT_CLASSES_H

#include "../../php_polypack.h"

/* A shape has at most this many properties. */
#define SNAPSHOT_MOST_PROPERTIES 255

/*
 * Tells whether objects of a class may be plain: they have no hooks, no data besides properties, and each declared
 * property is a slot without code of its own.
 */
bool snapshot_is_plain_class(const zend_class_entry *class);

/* Tells whether an object has a value for each property of its plain class, and, except for stdClass, no others. */
bool snapshot_is_plain_object(zend_object *object);

/* Tells whether C may call an object's hooks: it isn't lazy, and serialize() doesn't refuse its class. */
bool snapshot_is_common_object(const zend_object *object);

/* Tells whether C may read the properties of such an object from their slots: none has code of its own. */
bool snapshot_has_common_properties(const zend_class_entry *class);

/* Tells whether an object's __serialize() is a method of PHP itself, as that of dates is, so that no user code runs. */
bool snapshot_has_own_data(const zend_object *object);

/* Returns what that method returns; the caller releases it. Returns NULL if it fails; the PHP library then throws. */
zend_array *snapshot_own_data(zend_object *object);

/* Returns the name of a declared property in a snapshot. The caller releases it. */
zend_string *snapshot_property_name(const zend_class_entry *class, const zend_property_info *info);

#endif
