/* An extension that uses polypack_api.h, for use.phpt. */
#include "polypack_api.h"

ZEND_BEGIN_ARG_INFO_EX(arginfo, 0, 0, 0)
ZEND_END_ARG_INFO()

/* Returns the version of the table; null if there is no table. */
static PHP_FUNCTION(api_version)
{
	const polypack_api *api = polypack_find_api();
	ZEND_PARSE_PARAMETERS_NONE();
	if (api != NULL) {
		RETURN_LONG(api->version);
	}
}

static PHP_FUNCTION(api_pack)
{
	zval *value;
	zend_long options;
	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_ZVAL(value)
		Z_PARAM_LONG(options)
	ZEND_PARSE_PARAMETERS_END();
	zend_string *packed = polypack_find_api()->pack(value, options);
	if (packed != NULL) {
		RETURN_STR(packed);
	}
}

static PHP_FUNCTION(api_unpack)
{
	zend_string *packed;
	zend_long options;
	zval value;
	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(packed)
		Z_PARAM_LONG(options)
	ZEND_PARSE_PARAMETERS_END();
	if (polypack_find_api()->unpack(&value, packed, options)) {
		RETURN_COPY_VALUE(&value);
	}
}

static const zend_function_entry functions[] = {
	PHP_FE(api_version, arginfo)
	PHP_FE(api_pack, arginfo)
	PHP_FE(api_unpack, arginfo)
	PHP_FE_END
};

static const zend_module_dep dependencies[] = {
	ZEND_MOD_OPTIONAL("polypack")
	ZEND_MOD_END
};

static zend_module_entry user_module_entry = {
	STANDARD_MODULE_HEADER_EX, NULL, dependencies, "polypack_api_user", functions,
	NULL, NULL, NULL, NULL, NULL, "1", STANDARD_MODULE_PROPERTIES
};

ZEND_GET_MODULE(user)
