/*
 * Stores values in APCu as snapshots: apc.serializer=polypack (docs/guides/cache.md#apcu). APCu calls no serializer for
 * null, bools, numbers and strings. All classes are allowed, because only processes of the same server write to APCu's
 * memory.
 *
 * APCu puts the address of the function that registers a serializer into a constant. APCu's header apc_serializer.h
 * defines the constant's name and the types below; this file uses version "0" of both.
 */
#include "apcu.h"
#include "library.h"

#define CONSTANT "\0apc_register_serializer-0"

typedef int (*serialize_function)(unsigned char **bytes, size_t *length, const zval *value, void *config);
typedef int (*unserialize_function)(zval *value, unsigned char *bytes, size_t length, void *config);
typedef int (*register_function)(const char *name, serialize_function serialize, unserialize_function unserialize, void *config);

/*
 * Makes bytes that APCu frees with efree(). On failure, returns 0 with an exception pending, and apcu_store() stores
 * nothing.
 */
static int serialize(unsigned char **bytes, size_t *length, const zval *value, void *config)
{
	zval copy;
	ZVAL_COPY(&copy, value); /* held, because hooks may change the variable */
	zend_string *out = polypack_serialize_value(&copy, "apc.serializer");
	zval_ptr_dtor(&copy);
	if (UNEXPECTED(out == NULL)) {
		return 0;
	}
	*length = ZSTR_LEN(out);
	*bytes = (unsigned char *) estrndup(ZSTR_VAL(out), ZSTR_LEN(out));
	zend_string_release(out);
	return 1;
}

static int unserialize(zval *value, unsigned char *bytes, size_t length, void *config)
{
	if (EXPECTED(polypack_unserialize_value(value, (const char *) bytes, length, 0, "apc.serializer"))) {
		return 1;
	}
	ZVAL_NULL(value);
	return 0;
}

void polypack_apcu_startup(void)
{
	zval *address = zend_get_constant_str(CONSTANT, sizeof(CONSTANT) - 1);
	if (address != NULL && Z_TYPE_P(address) == IS_LONG && Z_LVAL_P(address) != 0) {
		((register_function) Z_LVAL_P(address))("polypack", serialize, unserialize, NULL);
	}
}
