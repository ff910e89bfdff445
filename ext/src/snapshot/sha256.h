/* Computes SHA-256 and HMAC-SHA256, for signatures (spec/11-envelope.md). */
#ifndef POLYPACK_SNAPSHOT_SHA256_H
#define POLYPACK_SNAPSHOT_SHA256_H

#include "../compat.h"

#define SHA256_BLOCK 64
#define SHA256_LENGTH 32

typedef struct {
	uint32_t state[8];
	uint64_t length;               /* number of bytes added so far */
	uint8_t pending[SHA256_BLOCK]; /* the last length % SHA256_BLOCK bytes, which don't fill a block yet */
} sha256;

typedef struct {
	sha256 inner, outer;
} hmac_sha256;

/*
 * Makes the functions below use the processor's SHA instructions, if it has them and a test gives the same result as
 * ext/hash.
 */
void polypack_sha256_startup(void);

void polypack_sha256_begin(sha256 *hash);
void polypack_sha256_add(sha256 *hash, const void *bytes, size_t length);
void polypack_sha256_end(sha256 *hash, uint8_t to[SHA256_LENGTH]);

void polypack_hmac_begin(hmac_sha256 *hmac, const zend_string *key);

static zend_always_inline void polypack_hmac_add(hmac_sha256 *hmac, const void *bytes, size_t length)
{
	polypack_sha256_add(&hmac->inner, bytes, length);
}

/* Writes the HMAC, then wipes `hmac`, because its state depends on the key. */
void polypack_hmac_end(hmac_sha256 *hmac, uint8_t to[SHA256_LENGTH]);

#endif
