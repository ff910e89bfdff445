/* The module: its globals, and what it is called. */
#ifndef PHP_POLYPACK_H
#define PHP_POLYPACK_H

#include "polypack_api.h"
#include "src/compat.h"
#include "src/limits.h"
#include "src/types.h"

#define PHP_POLYPACK_VERSION "0.1.0"

/* The version of the functions that the library calls. php/src/Native/Engine.php has the version that it needs. */
#ifndef POLYPACK_ABI /* a test builds other versions */
# define POLYPACK_ABI 13
#endif

extern zend_module_entry polypack_module_entry;
#define phpext_polypack_ptr &polypack_module_entry

ZEND_BEGIN_MODULE_GLOBALS(polypack)
	const polypack_api *api; /* comes first: polypack_api.h looks for it here */
	/* Of this request; RSHUTDOWN empties them. */
	polypack_class classes[POLYPACK_CLASSES];
	uint32_t seen_classes;               /* how many classes PHP had when these were looked for */
	zend_function *methods[POLYPACK_METHODS];
	zend_string *keys[POLYPACK_KEYS];    /* each with a reference */
	uint32_t interned_keys;
	polypack_dictionary *dictionaries[POLYPACK_DICTIONARIES]; /* the latest first, each with a reference */
	uint32_t levels;                     /* levels of the C stack that the calls around the current one use */
	size_t promises;                     /* what the message around the data of an extension has left of them */
	bool scratch_in_use;
	bool is_switched_off; /* POLYPACK_ENGINE=php */
	zend_string *session_bytes;    /* the bytes as they were read; NULL for none */
	zend_string *session_bytes_id; /* the id of the session that had them */
	bool session_is_broken;        /* the bytes could not be decoded, and are written back unchanged */
	bool session_has_logged;       /* the request has logged why a session could not be decoded before the script */
	/* Of the process: the seed of hashes in snapshots, 0 until the first one; and the counters for polypack_stats(). */
	uint64_t seed;
	zend_ulong stats[POLYPACK_STATS];
	char scratch[POLYPACK_SCRATCH];
ZEND_END_MODULE_GLOBALS(polypack)

ZEND_EXTERN_MODULE_GLOBALS(polypack)
#define POLYPACK_G(name) ZEND_MODULE_GLOBALS_ACCESSOR(polypack, name)

#if defined(ZTS) && defined(COMPILE_DL_POLYPACK)
ZEND_TSRMLS_CACHE_EXTERN()
#endif

/* Returns how many containers a message may open: its limit, or less if the C stack leaves less. */
static zend_always_inline uint32_t polypack_levels_left(zend_long most)
{
	uint32_t used = POLYPACK_G(levels);
	uint32_t left = used < POLYPACK_MAX_LEVELS ? POLYPACK_MAX_LEVELS - used : 0;
	return most < 0 ? 0 : (most < (zend_long) left ? (uint32_t) most : left);
}

#define POLYPACK_COUNT(stat) (POLYPACK_G(stats)[stat]++)

#endif
