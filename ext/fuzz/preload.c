/*
 * Lets a PHP that is built as usual load an extension with AddressSanitizer. PHP calls dlopen() with RTLD_DEEPBIND,
 * which makes the sanitizer refuse to go on, so this dlopen() removes that flag. Preload it before libasan.
 */
#define _GNU_SOURCE
#include <dlfcn.h>

void *dlopen(const char *file, int mode)
{
	void *(*next)(const char *, int);
	*(void **) &next = dlsym(RTLD_NEXT, "dlopen");
	return next(file, mode & ~RTLD_DEEPBIND);
}
