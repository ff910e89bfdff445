/*
 * The extension polypack: MessagePack in C, behind the classes of the library polypack/polypack.
 *
 * The library calls polypack_encode() and polypack_decode() once per message (docs/decisions/0020-native-seam.md);
 * users may call polypack_pack() and polypack_unpack(); other extensions call the same through polypack_api.h. This
 * file is the module; src/ has one file for each room.
 */
#ifdef HAVE_CONFIG_H
# include "config.h"
#endif

#include "php_polypack.h"
#include "Zend/zend_attributes.h"
#include "ext/standard/info.h"
#include "polypack_arginfo.h"
#include "src/decoder.h"
#include "src/encoder.h"
#include "src/snapshot/apcu.h"
#include "src/snapshot/session.h"
#include "src/snapshot/sha256.h"

ZEND_DECLARE_MODULE_GLOBALS(polypack)

static const polypack_api API = {POLYPACK_API_VERSION, polypack_pack_value, polypack_unpack_value};

static const char *const STAT_NAMES[POLYPACK_STATS] = {
	[POLYPACK_ENCODED] = "encoded",
	[POLYPACK_ENCODE_DECLINED] = "encodeDeclined",
	[POLYPACK_ENCODE_ASKED] = "encodeAsked",
	[POLYPACK_DECODED] = "decoded",
	[POLYPACK_DECODE_DECLINED] = "decodeDeclined",
	[POLYPACK_DECODE_ASKED] = "decodeAsked",
	[POLYPACK_SCANNED] = "scanned",
	[POLYPACK_SCAN_DECLINED] = "scanDeclined",
	[POLYPACK_CANONICALIZED] = "canonicalized",
	[POLYPACK_CANONICALIZE_DECLINED] = "canonicalizeDeclined",
	[POLYPACK_SNAPSHOTS_WRITTEN] = "snapshotsWritten",
	[POLYPACK_SNAPSHOTS_WRITE_DECLINED] = "snapshotWritesDeclined",
	[POLYPACK_SNAPSHOTS_READ] = "snapshotsRead",
	[POLYPACK_SNAPSHOTS_READ_DECLINED] = "snapshotReadsDeclined",
};

PHP_FUNCTION(polypack_stats)
{
	ZEND_PARSE_PARAMETERS_NONE();
	array_init_size(return_value, POLYPACK_STATS);
	for (int i = 0; i < POLYPACK_STATS; i++) {
		add_assoc_long(return_value, STAT_NAMES[i], (zend_long) POLYPACK_G(stats)[i]);
	}
}

static PHP_GINIT_FUNCTION(polypack)
{
#if defined(COMPILE_DL_POLYPACK) && defined(ZTS)
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	memset(polypack_globals, 0, sizeof(*polypack_globals));
	polypack_globals->api = &API;
}

/* Refuses other words, so that a misspelt setting isn't taken for the default without a word. */
static PHP_INI_MH(on_failure)
{
	if (ZSTR_LEN(new_value) != 0 && !polypack_session_destroys(ZSTR_VAL(new_value)) && strcasecmp(ZSTR_VAL(new_value), "keep") != 0) {
		php_error_docref(NULL, E_WARNING, "polypack.session_on_failure is keep or destroy, not \"%s\"; sessions are kept", ZSTR_VAL(new_value));
		return FAILURE;
	}
	return SUCCESS;
}

/* Settings of sessions (docs/guides/cache.md#sessions): php.ini, the server and folders can set them, scripts can't. */
PHP_INI_BEGIN()
	PHP_INI_ENTRY("polypack.session_key_file", "", PHP_INI_PERDIR, NULL)
	PHP_INI_ENTRY("polypack.session_key_env", "", PHP_INI_PERDIR, NULL)
	PHP_INI_ENTRY("polypack.session_bind_id", "0", PHP_INI_PERDIR, NULL)
	PHP_INI_ENTRY("polypack.session_migrate_until", "", PHP_INI_PERDIR, NULL)
	PHP_INI_ENTRY("polypack.session_allowed_classes", "", PHP_INI_PERDIR, NULL)
	PHP_INI_ENTRY("polypack.session_on_failure", "keep", PHP_INI_PERDIR, on_failure)
PHP_INI_END()

PHP_MINIT_FUNCTION(polypack)
{
	REGISTER_INI_ENTRIES();
	register_polypack_symbols(module_number);
	polypack_sha256_startup();
	polypack_session_startup();
	polypack_apcu_startup();
	/* Not for opcache's file cache: a later process that uses it may have another version of the extension. */
	REGISTER_LONG_CONSTANT("POLYPACK_ABI", POLYPACK_ABI, CONST_PERSISTENT | CONST_NO_FILE_CACHE);
	return SUCCESS;
}

static PHP_MSHUTDOWN_FUNCTION(polypack)
{
	UNREGISTER_INI_ENTRIES();
	return SUCCESS;
}

PHP_RINIT_FUNCTION(polypack)
{
#if defined(COMPILE_DL_POLYPACK) && defined(ZTS)
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	tsrm_env_lock(); /* another thread may call putenv() */
	const char *engine = getenv("POLYPACK_ENGINE");
	POLYPACK_G(is_switched_off) = engine != NULL && strcmp(engine, "php") == 0;
	tsrm_env_unlock();
	polypack_session_begin();
	return SUCCESS;
}

/* Nothing of a request may outlive it: PHP frees its classes and strings, and after a fatal error counters aren't 0. */
PHP_RSHUTDOWN_FUNCTION(polypack)
{
	polypack_session_end();
	for (int i = 0; i < POLYPACK_KEYS; i++) {
		if (POLYPACK_G(keys)[i] != NULL) {
			zend_string_release(POLYPACK_G(keys)[i]);
			POLYPACK_G(keys)[i] = NULL;
		}
	}
	for (int i = 0; i < POLYPACK_DICTIONARIES; i++) {
		if (POLYPACK_G(dictionaries)[i] != NULL) {
			polypack_release_dictionary(POLYPACK_G(dictionaries)[i]);
			POLYPACK_G(dictionaries)[i] = NULL;
		}
	}
	memset(POLYPACK_G(classes), 0, sizeof(POLYPACK_G(classes)));
	memset(POLYPACK_G(methods), 0, sizeof(POLYPACK_G(methods)));
	POLYPACK_G(seen_classes) = 0;
	POLYPACK_G(interned_keys) = 0;
	POLYPACK_G(levels) = 0;
	POLYPACK_G(promises) = 0;
	POLYPACK_G(scratch_in_use) = false;
	return SUCCESS;
}

PHP_MINFO_FUNCTION(polypack)
{
	char number[MAX_LENGTH_OF_LONG];
	snprintf(number, sizeof(number), "%d", POLYPACK_ABI);
	php_info_print_table_start();
	php_info_print_table_row(2, "MessagePack in C (polypack)", "enabled");
	php_info_print_table_row(2, "Version", PHP_POLYPACK_VERSION);
	php_info_print_table_row(2, "ABI that the library polypack/polypack must know", number);
	php_info_print_table_end();
	DISPLAY_INI_ENTRIES();
}

static const zend_module_dep polypack_dependencies[] = {
	ZEND_MOD_REQUIRED("date")
	ZEND_MOD_REQUIRED("hash")
	ZEND_MOD_OPTIONAL("session")
	ZEND_MOD_OPTIONAL("apcu") /* it then starts first, whatever the order in php.ini */
	ZEND_MOD_END
};

zend_module_entry polypack_module_entry = {
	STANDARD_MODULE_HEADER_EX,
	NULL,
	polypack_dependencies,
	"polypack",
	ext_functions,
	PHP_MINIT(polypack),
	PHP_MSHUTDOWN(polypack),
	PHP_RINIT(polypack),
	PHP_RSHUTDOWN(polypack),
	PHP_MINFO(polypack),
	PHP_POLYPACK_VERSION,
	PHP_MODULE_GLOBALS(polypack),
	PHP_GINIT(polypack),
	NULL,
	NULL,
	STANDARD_MODULE_PROPERTIES_EX
};

#ifdef COMPILE_DL_POLYPACK
# ifdef ZTS
ZEND_TSRMLS_CACHE_DEFINE()
# endif
ZEND_GET_MODULE(polypack)
#endif
