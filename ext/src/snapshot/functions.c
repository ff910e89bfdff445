/*
 * polypack_serialize() and polypack_unserialize(), which php/src/Snapshot/functions.php defines where there is no
 * extension. Without options C does all it can; options, faults and uncommon values are the library's.
 */
#include "library.h"
#include "snapshot.h"
#include "../../php_polypack.h"

static bool is_empty(const zend_array *options)
{
	return options == NULL || zend_hash_num_elements(options) == 0;
}

/* Calls a method of Serializer. */
static void call_serializer(const char *method, const char *who, zval *return_value, zval *first, zval *second)
{
	zval arguments[2], result;
	ZVAL_COPY_VALUE(&arguments[0], first);
	ZVAL_COPY_VALUE(&arguments[1], second);
	if (polypack_call_snapshot_library("Serializer", method, who, &result, 2, arguments)) {
		RETURN_COPY_VALUE(&result);
	}
}

PHP_FUNCTION(polypack_serialize)
{
	zval *value, second;
	zend_array *options = NULL, *answers = NULL;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_ZVAL(value)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY_HT(options)
	ZEND_PARSE_PARAMETERS_END();

	if (UNEXPECTED(!is_empty(options)) || UNEXPECTED(POLYPACK_G(is_switched_off))) {
		ZVAL_ARR(&second, options == NULL ? (zend_array *) &zend_empty_array : options);
		call_serializer("serialize", "polypack_serialize()", return_value, value, &second);
		return;
	}
	zend_string *out = polypack_write_snapshot(value, SNAPSHOT_MAX_DEPTH, SNAPSHOT_MAX_ELEMENTS, 0, &answers);
	if (EXPECTED(out != NULL)) {
		RETURN_NEW_STR(out);
	}
	if (UNEXPECTED(EG(exception) != NULL)) {
		RETURN_THROWS();
	}
	if (answers == NULL) {
		ZVAL_NULL(&second);
	} else {
		ZVAL_ARR(&second, answers);
	}
	call_serializer("serializedeclined", "polypack_serialize()", return_value, value, &second);
	zval_ptr_dtor(&second);
}

PHP_FUNCTION(polypack_unserialize)
{
	zend_string *bytes, *missing = NULL;
	zend_array *options = NULL;
	zval first, second, value;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(bytes)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY_HT(options)
	ZEND_PARSE_PARAMETERS_END();

	ZVAL_STR(&first, bytes);
	if (UNEXPECTED(!is_empty(options)) || UNEXPECTED(POLYPACK_G(is_switched_off))) {
		ZVAL_ARR(&second, options == NULL ? (zend_array *) &zend_empty_array : options);
		call_serializer("unserialize", "polypack_unserialize()", return_value, &first, &second);
		return;
	}
	zend_string_addref(bytes); /* hooks may change the variable */
	snapshot_answer answer = polypack_read_snapshot(&value, ZSTR_VAL(bytes), ZSTR_LEN(bytes), &missing);
	if (EXPECTED(answer == SNAPSHOT_READ)) {
		ZVAL_COPY_VALUE(return_value, &value);
	} else if (answer == SNAPSHOT_DECLINED) {
		if (missing == NULL) {
			ZVAL_NULL(&second);
		} else {
			ZVAL_STR_COPY(&second, missing);
		}
		call_serializer("unserializedeclined", "polypack_unserialize()", return_value, &first, &second);
		zval_ptr_dtor(&second);
	}
	zend_string_release(bytes);
	if (UNEXPECTED(missing != NULL)) {
		zend_string_release(missing);
	}
}
