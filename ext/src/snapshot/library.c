/*
 * Calls the PHP library for snapshots that C can't handle alone. If the library isn't installed, C still handles all
 * other snapshots.
 */
#include "library.h"

#include "Zend/zend_exceptions.h"

bool polypack_call_snapshot_library(const char *class_name, const char *method, const char *who, zval *result, uint32_t count, zval *arguments)
{
	ZVAL_UNDEF(result);
	zend_string *name = strpprintf(0, "Polypack\\Snapshot\\%s", class_name);
	zend_class_entry *class = zend_lookup_class(name);
	zend_string_release(name);
	zend_function *function = class == NULL ? NULL : zend_hash_str_find_ptr(&class->function_table, method, strlen(method));
	if (UNEXPECTED(function == NULL)) {
		if (class != NULL) {
			zend_throw_error(NULL, "%s needs a version of the PHP library polypack/polypack that fits the extension", who);
		} else if (EG(exception) == NULL) {
			zend_throw_error(NULL, "%s needs the PHP library polypack/polypack, which no autoloader has found", who);
		}
		return false;
	}
	zend_call_known_function(function, NULL, class, result, count, arguments, NULL);
	if (UNEXPECTED(EG(exception) != NULL)) {
		zval_ptr_dtor(result);
		ZVAL_UNDEF(result);
		return false;
	}
	return true;
}
