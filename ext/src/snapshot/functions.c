/*
 * Defines polypack_serialize() and polypack_unserialize(). Without the extension, php/src/Snapshot/functions.php
 * defines them. C does the work if there are no options, but calls the PHP library for uncommon values and faulty
 * bytes. With options, or if the environment has POLYPACK_ENGINE=php, the PHP library does all the work.
 */
#include "library.h"
#include "snapshot.h"
#include "../../php_polypack.h"

static bool is_empty(const zval *options)
{
	return options == NULL || zend_hash_num_elements(Z_ARRVAL_P(options)) == 0;
}

/* Calls a method of Serializer. On failure, returns false with an exception pending, and `result` is undefined. */
static bool call_serializer(const char *method, const char *who, zval *result, zval *first, zval *second)
{
	zval arguments[2];
	ZVAL_COPY_VALUE(&arguments[0], first);
	ZVAL_COPY_VALUE(&arguments[1], second);
	return polypack_call_snapshot_library("Serializer", method, who, result, 2, arguments);
}

zend_string *polypack_serialize_value(zval *value, const char *who)
{
	zend_array *answers = NULL;
	zval second, result;
	zend_string *out = polypack_write_snapshot(value, SNAPSHOT_MAX_DEPTH, SNAPSHOT_MAX_ELEMENTS, 0, &answers);
	if (EXPECTED(out != NULL) || UNEXPECTED(EG(exception) != NULL)) {
		return out;
	}
	if (answers == NULL) {
		ZVAL_NULL(&second);
	} else {
		ZVAL_ARR(&second, answers);
	}
	bool is_written = call_serializer("serializedeclined", who, &result, value, &second);
	zval_ptr_dtor(&second);
	return is_written ? Z_STR(result) : NULL;
}

bool polypack_unserialize_value(zval *to, const char *bytes, size_t length, size_t offset, const char *who)
{
	zend_string *missing = NULL;
	zval arguments[3];
	snapshot_answer answer = polypack_read_snapshot(to, bytes, length, &missing);
	if (UNEXPECTED(answer == SNAPSHOT_DECLINED)) {
		ZVAL_STRINGL(&arguments[0], bytes, length);
		if (missing == NULL) {
			ZVAL_NULL(&arguments[1]);
		} else {
			ZVAL_STR_COPY(&arguments[1], missing);
		}
		ZVAL_LONG(&arguments[2], (zend_long) offset);
		answer = polypack_call_snapshot_library("Serializer", "unserializedeclined", who, to, 3, arguments) ? SNAPSHOT_READ : SNAPSHOT_THREW;
		zval_ptr_dtor(&arguments[0]);
		zval_ptr_dtor(&arguments[1]);
	}
	if (UNEXPECTED(missing != NULL)) {
		zend_string_release(missing);
	}
	return answer == SNAPSHOT_READ;
}

/* Tells whether to leave a call to the PHP library. If so, sets `second` to the options to pass on. */
static bool is_of_library(const zval *options, zval *second)
{
	if (EXPECTED(is_empty(options)) && EXPECTED(!POLYPACK_G(is_switched_off))) {
		return false;
	}
	if (options == NULL) {
		ZVAL_EMPTY_ARRAY(second);
	} else {
		ZVAL_COPY_VALUE(second, options);
	}
	return true;
}

PHP_FUNCTION(polypack_serialize)
{
	zval *value, *options = NULL, second, result;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_ZVAL(value)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY(options)
	ZEND_PARSE_PARAMETERS_END();

	if (UNEXPECTED(is_of_library(options, &second))) {
		if (call_serializer("serialize", "polypack_serialize()", &result, value, &second)) {
			RETURN_COPY_VALUE(&result);
		}
		RETURN_THROWS();
	}
	zend_string *out = polypack_serialize_value(value, "polypack_serialize()");
	if (UNEXPECTED(out == NULL)) {
		RETURN_THROWS();
	}
	RETURN_STR(out);
}

PHP_FUNCTION(polypack_unserialize)
{
	zend_string *bytes;
	zval *options = NULL, first, second, value;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR_OR_NULL(bytes)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY(options)
	ZEND_PARSE_PARAMETERS_END();

	if (UNEXPECTED(bytes == NULL)) { /* a miss of a cache, say; PHP would take it for '' */
		zend_argument_type_error(1, "must be of type string, null given");
		RETURN_THROWS();
	}
	if (UNEXPECTED(is_of_library(options, &second))) {
		ZVAL_STR(&first, bytes);
		if (call_serializer("unserialize", "polypack_unserialize()", &value, &first, &second)) {
			RETURN_COPY_VALUE(&value);
		}
		RETURN_THROWS();
	}
	zend_string_addref(bytes); /* held, because hooks may change the variable */
	if (EXPECTED(polypack_unserialize_value(&value, ZSTR_VAL(bytes), ZSTR_LEN(bytes), 0, "polypack_unserialize()"))) {
		ZVAL_COPY_VALUE(return_value, &value);
	}
	zend_string_release(bytes);
}
