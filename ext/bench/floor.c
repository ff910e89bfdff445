/*
 * Measures the floor for decoders. floor_rebuild() does what every decoder must do, without reading bytes: it builds
 * the arrays of a value again, and copies its strings. Keys are shared, as a decoder shares those it has seen. A
 * decoder may still be faster, because it reads bytes in a row, while the values here are spread over memory. For
 * php/bench only.
 */
#include "php.h"
#include "../src/writer.h"

static void rebuild(zval *to, zval *from);

static zend_always_inline void rebuild_any(zval *to, zval *from)
{
	if (Z_TYPE_P(from) <= IS_DOUBLE) {
		ZVAL_COPY_VALUE(to, from);
	} else {
		rebuild(to, from);
	}
}

static void rebuild(zval *to, zval *from)
{
	zend_string *key;
	zend_ulong number;
	zval *value, copy;
	ZVAL_DEREF(from);
	if (Z_TYPE_P(from) == IS_STRING) {
		size_t length = Z_STRLEN_P(from);
		if (length <= 1) {
			ZVAL_INTERNED_STR(to, length == 0 ? ZSTR_EMPTY_ALLOC() : ZSTR_CHAR((zend_uchar) Z_STRVAL_P(from)[0]));
			return;
		}
		ZVAL_NEW_STR(to, zend_string_alloc(length, 0));
		*polypack_write_bytes(Z_STRVAL_P(to), Z_STRVAL_P(from), length) = '\0';
		return;
	}
	if (Z_TYPE_P(from) != IS_ARRAY || zend_hash_num_elements(Z_ARRVAL_P(from)) == 0) {
		ZVAL_COPY(to, from);
		return;
	}
	zend_array *array = Z_ARRVAL_P(from);
	zend_array *made = zend_new_array(zend_hash_num_elements(array));
	ZVAL_ARR(to, made);
	if (HT_IS_PACKED(array)) {
		zend_hash_real_init_packed(made);
		ZEND_HASH_FILL_PACKED(made) {
			ZEND_HASH_FOREACH_VAL(array, value) {
				rebuild_any(&copy, value);
				ZEND_HASH_FILL_SET(&copy);
				ZEND_HASH_FILL_NEXT();
			} ZEND_HASH_FOREACH_END();
		} ZEND_HASH_FILL_END();
		return;
	}
	zend_hash_real_init_mixed(made);
	ZEND_HASH_FOREACH_KEY_VAL(array, number, key, value) {
		rebuild_any(&copy, value);
		if (key != NULL) {
			_zend_hash_append(made, key, &copy);
		} else {
			zend_hash_index_add_new(made, number, &copy);
		}
	} ZEND_HASH_FOREACH_END();
}

ZEND_BEGIN_ARG_INFO_EX(arginfo, 0, 0, 1)
	ZEND_ARG_INFO(0, value)
ZEND_END_ARG_INFO()

static PHP_FUNCTION(floor_rebuild)
{
	zval *value;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ZVAL(value)
	ZEND_PARSE_PARAMETERS_END();
	rebuild(return_value, value);
}

static const zend_function_entry functions[] = {
	PHP_FE(floor_rebuild, arginfo)
	PHP_FE_END
};

static zend_module_entry floor_module_entry = {
	STANDARD_MODULE_HEADER, "polypack_floor", functions, NULL, NULL, NULL, NULL, NULL, "1", STANDARD_MODULE_PROPERTIES
};

ZEND_GET_MODULE(floor)
