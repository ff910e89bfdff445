/*
 * Snapshots in APCu: apc.serializer=polypack (docs/guides/cache.md#apcu). APCu calls no serializer for null, numbers
 * and strings. All classes are allowed, because only processes of one server write to its memory.
 *
 * APCu says where to register in a constant; its header apc_serializer.h describes it, with its types, as version "0".
 */
#include "apcu.h"
#include "library.h"
#include "snapshot.h"

#define CONSTANT "\0apc_register_serializer-0"

typedef int (*serialize_function)(unsigned char **bytes, size_t *length, const zval *value, void *config);
typedef int (*unserialize_function)(zval *value, unsigned char *bytes, size_t length, void *config);
typedef int (*register_function)(const char *name, serialize_function serialize, unserialize_function unserialize, void *config);

/* APCu frees the bytes with efree(). Returns 0 with an exception pending; apcu_store() has stored nothing then. */
static int serialize(unsigned char **bytes, size_t *length, const zval *value, void *config)
{
	zval copy, result;
	ZVAL_COPY(&copy, value); /* hooks may change the variable */
	zend_string *out = polypack_write_snapshot(&copy, SNAPSHOT_MAX_DEPTH, SNAPSHOT_MAX_ELEMENTS, 0, NULL);
	if (out == NULL && EG(exception) == NULL && polypack_call_snapshot_library("Serializer", "serialize", "apc.serializer", &result, 1, &copy)) {
		out = Z_STR(result);
	}
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
	snapshot_answer answer = polypack_read_snapshot(value, (const char *) bytes, length, NULL);
	if (answer == SNAPSHOT_DECLINED) {
		zval argument;
		ZVAL_STRINGL(&argument, (const char *) bytes, length);
		answer = polypack_call_snapshot_library("Serializer", "unserialize", "apc.serializer", value, 1, &argument) ? SNAPSHOT_READ : SNAPSHOT_THREW;
		zval_ptr_dtor(&argument);
	}
	if (EXPECTED(answer == SNAPSHOT_READ)) {
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
