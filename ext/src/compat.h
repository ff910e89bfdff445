/* What differs between the versions of PHP that the extension builds with. Nothing else looks at PHP_VERSION_ID. */
#ifndef POLYPACK_COMPAT_H
#define POLYPACK_COMPAT_H

#include "php.h"

#if PHP_VERSION_ID < 80200
# error "polypack needs PHP 8.2 or newer"
#endif
#if SIZEOF_ZEND_LONG != 8
# error "polypack needs a PHP of 64 bits"
#endif

/* Reading the properties of a lazy object runs its initializer. */
#if PHP_VERSION_ID >= 80400
# include "Zend/zend_lazy_objects.h"
/* PHP asks for an object that may change, and changes none. */
# define POLYPACK_IS_LAZY(object) zend_object_is_lazy((zend_object *) (object))
#else
# define POLYPACK_IS_LAZY(object) 0
#endif

/* Assigning to a property may run code. */
#if PHP_VERSION_ID >= 80400
# define POLYPACK_HAS_PROPERTY_HOOKS(class) ((class)->num_hooked_props > 0)
#else
# define POLYPACK_HAS_PROPERTY_HOOKS(class) 0
#endif

/* The name of the session, which was a string of C. */
#if PHP_VERSION_ID >= 80500
# define POLYPACK_ZVAL_SESSION_NAME(value, name) ZVAL_STR_COPY(value, name)
#else
# define POLYPACK_ZVAL_SESSION_NAME(value, name) ZVAL_STRING(value, name)
#endif

#endif
