/*
 * Lets a PHP that is built as usual load an extension with AddressSanitizer: PHP asks for RTLD_DEEPBIND, with which the
 * sanitizer refuses to go on. Preloaded before libasan.
 */
#define _GNU_SOURCE
#include <dlfcn.h>

void *dlopen(const char *file, int mode)
{
	void *(*next)(const char *, int);
	*(void **) &next = dlsym(RTLD_NEXT, "dlopen");
	return next(file, mode & ~RTLD_DEEPBIND);
}
