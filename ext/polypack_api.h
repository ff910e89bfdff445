/*
 * Polypack for other extensions of PHP, such as caches and queues: a table of functions. Nothing is linked, so an
 * extension that uses it loads without polypack, too. This header is all it needs; it is installed as
 * ext/polypack/polypack_api.h.
 *
 * Look for the table when it is first needed in a request. Name polypack among the dependencies of your module
 * (ZEND_MOD_OPTIONAL("polypack")), so that it starts first.
 */
#ifndef POLYPACK_API_H
#define POLYPACK_API_H

#include "php.h"

/* A later version adds members at the end; existing ones stay as they are. */
#ifndef POLYPACK_API_VERSION
# define POLYPACK_API_VERSION 1
#endif

typedef struct {
	uint32_t version;

	/*
	 * Packs a value; options are constants of PackOptions, 0 for none. Returns a string with a reference, or NULL with
	 * an exception pending. Objects may run user code, which may change what you hold without a reference.
	 */
	zend_string *(*pack)(zval *value, zend_long options);

	/*
	 * Unpacks bytes that are exactly one value; options are constants of UnpackOptions, 0 for none. Returns false with
	 * an exception pending; then there is nothing to free.
	 */
	bool (*unpack)(zval *to, zend_string *packed, zend_long options);
} polypack_api;

/* Returns the table; NULL if the extension isn't loaded, or is older than this header. */
static inline const polypack_api *polypack_find_api(void)
{
	const zend_module_entry *module = (const zend_module_entry *) zend_hash_str_find_ptr(&module_registry, ZEND_STRL("polypack"));
	if (module == NULL) {
		return NULL;
	}
	/* The globals of the module begin with the address of the table. */
#ifdef ZTS
	const polypack_api *const *globals = TSRMG_BULK(*module->globals_id_ptr, const polypack_api *const *);
#else
	const polypack_api *const *globals = (const polypack_api *const *) module->globals_ptr;
#endif
	return (*globals)->version >= POLYPACK_API_VERSION ? *globals : NULL;
}

#endif
