/*
 * A target for libFuzzer: the whole extension, in a PHP that is embedded in this process. Each input goes to the
 * function that target.php returns, which says whether the extension and the PHP code of the library agree on it.
 * Coverage is measured in the extension alone.
 */
#include "../php_polypack.h"
#include "Zend/zend_exceptions.h"
#include "sapi/embed/php_embed.h"

static zval target;

/* PHP keeps what it has allocated until it ends; php/fuzz/operations.php looks for leaks in rounds. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

static int start(sapi_module_struct *module)
{
	return php_module_startup(module, phpext_polypack_ptr);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	zend_file_handle file;
	(void) argc;
	/* Memory comes from malloc(), so that the sanitizer sees all of it. */
	setenv("USE_ZEND_ALLOC", "0", 1);
	setenv("POLYPACK_ENGINE", "ext", 1);
	setenv("PHP_INI_SCAN_DIR", "", 1);
	php_embed_module.startup = start;
	php_embed_module.php_ini_ignore = 1;
	if (php_embed_init(1, *argv) == FAILURE) {
		abort();
	}
	zend_stream_init_filename(&file, POLYPACK_TARGET);
	zend_first_try {
		if (zend_execute_scripts(ZEND_REQUIRE, &target, 1, &file) == FAILURE || Z_TYPE(target) != IS_OBJECT) {
			fprintf(stderr, "embed.c: %s returns no function\n", POLYPACK_TARGET);
			abort();
		}
	} zend_end_try();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	zval input, answer;
	volatile bool is_good = false;
	ZVAL_STRINGL(&input, (const char *) data, size);
	ZVAL_UNDEF(&answer);
	zend_first_try {
		call_user_function(NULL, NULL, &target, &answer, 1, &input);
		if (EG(exception)) {
			zend_exception_error(EG(exception), E_ERROR);
		}
		is_good = Z_TYPE(answer) == IS_TRUE;
	} zend_end_try();
	zval_ptr_dtor(&answer);
	zval_ptr_dtor(&input);
	if (!is_good) {
		abort();
	}
	return 0;
}
