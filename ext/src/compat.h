/* Hides the differences between PHP versions. No other C file looks at PHP_VERSION_ID. */
#ifndef POLYPACK_COMPAT_H
#define POLYPACK_COMPAT_H

#include "php.h"

#if PHP_VERSION_ID < 80200
# error "polypack needs PHP 8.2 or newer"
#endif
#if SIZEOF_ZEND_LONG != 8
# error "polypack needs a PHP of 64 bits"
#endif

/*
 * Tells whether an object is lazy. Reading the properties of a lazy object may run its initializer, which is user code.
 * PHP 8.4 introduced lazy objects.
 */
#if PHP_VERSION_ID >= 80400
# include "Zend/zend_lazy_objects.h"
/* The cast is needed for PHP 8.4, where the parameter of zend_object_is_lazy() isn't const. */
# define POLYPACK_IS_LAZY(object) zend_object_is_lazy((zend_object *) (object))
#else
# define POLYPACK_IS_LAZY(object) 0
#endif

/*
 * Tells whether a class has properties with hooks. Reading or assigning such a property may run user code. PHP 8.4
 * introduced property hooks.
 */
#if PHP_VERSION_ID >= 80400
# define POLYPACK_HAS_PROPERTY_HOOKS(class) ((class)->num_hooked_props > 0)
#else
# define POLYPACK_HAS_PROPERTY_HOOKS(class) 0
#endif

/* Sets a zval to the name of a session. From PHP 8.5 on the name is a zend_string, before it is a C string. */
#if PHP_VERSION_ID >= 80500
# define POLYPACK_ZVAL_SESSION_NAME(value, name) ZVAL_STR_COPY(value, name)
#else
# define POLYPACK_ZVAL_SESSION_NAME(value, name) ZVAL_STRING(value, name)
#endif

#endif
