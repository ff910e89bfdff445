/*
 * Tells which objects C can write. An object is called *plain* if it consists of its properties alone, and no user code
 * runs when it is written.
 */
#ifndef POLYPACK_SNAPSHOT_CLASSES_H
#define POLYPACK_SNAPSHOT_CLASSES_H

#include "../../php_polypack.h"

/* A shape has at most this many properties with a value, and at most this many without a value. */
#define SNAPSHOT_MOST_PROPERTIES 255

/*
 * Tells whether objects of a class may be plain. They must be serializable without a hook, and have no data besides
 * properties. Each declared property must have a slot and no property hooks.
 */
bool snapshot_is_plain_class(const zend_class_entry *class);

/*
 * Tells whether an object is plain, if snapshot_is_plain_class() is true for its class. It must not be lazy, and each
 * declared property must have a value. Only a stdClass may have dynamic properties. They must be few enough for a
 * shape, and their names must be strings that aren't empty and don't start with a NUL byte.
 */
bool snapshot_is_plain_object(zend_object *object);

/*
 * Tells whether C may call an object's hooks. The object must not be lazy. Its class must be defined by PHP code, and
 * serialize() must accept it. If the class has an internal ancestor, that ancestor must have __serialize().
 */
bool snapshot_is_common_object(const zend_object *object);

/*
 * Tells whether C may read the properties of a class's objects from their slots. The class must have no internal
 * ancestor, no property with hooks, and few enough properties for a shape.
 */
bool snapshot_has_common_properties(const zend_class_entry *class);

/*
 * Tells whether C may call an object's __serialize() because PHP or an extension defines the method, for example that
 * of DateTime. C trusts such methods not to run user code.
 */
bool snapshot_has_own_data(const zend_object *object);

/*
 * Calls the __serialize() of an object for which snapshot_has_own_data() is true. Returns the resulting array, which
 * the caller releases. Returns NULL if __serialize() fails. The PHP library then throws.
 */
zend_array *snapshot_own_data(zend_object *object);

/* Returns the name that a declared property has in a snapshot. The caller releases the string. */
zend_string *snapshot_property_name(const zend_class_entry *class, const zend_property_info *info);

#endif
