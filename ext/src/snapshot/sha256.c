/*
 * Computes SHA-256 and HMAC for signed snapshots. This file splits the input into blocks and pads the last one. If the
 * processor has the SHA instructions of x86-64, they mix each block into the state. Otherwise the slower ext/hash does.
 */
#include "sha256.h"

#include "ext/hash/php_hash.h"
#include "ext/hash/php_hash_sha.h"

static const uint32_t START[8] = {
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

typedef void (*mix_function)(uint32_t state[8], const uint8_t *blocks, size_t count);

static void mix_by_php(uint32_t state[8], const uint8_t *blocks, size_t count)
{
	PHP_SHA256_CTX context;
	PHP_SHA256InitArgs(&context, NULL);
	memcpy(context.state, state, sizeof(context.state));
	PHP_SHA256Update(&context, blocks, count * SHA256_BLOCK);
	memcpy(state, context.state, sizeof(context.state));
	ZEND_SECURE_ZERO(&context, sizeof(context));
}

/* The function that mixes blocks into a state. polypack_sha256_startup() may replace it once per process. */
static mix_function mix = mix_by_php;

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
# include <cpuid.h>
# include <immintrin.h>

static const uint32_t CONSTANTS[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/*
 * Mixes blocks into a state. The SHA instructions keep the state's eight words, A to H, in two vectors: ABEF and CDGH.
 */
__attribute__((target("sha,sse4.1,ssse3"))) static void mix_by_instructions(uint32_t state[8], const uint8_t *blocks, size_t count)
{
	const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
	const __m128i dcba = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *) state), 0xb1);
	const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *) (state + 4)), 0x1b);
	__m128i abef = _mm_alignr_epi8(dcba, hgfe, 8);
	__m128i cdgh = _mm_blend_epi16(hgfe, dcba, 0xf0);

	for (; count > 0; count--, blocks += SHA256_BLOCK) {
		const __m128i abef_before = abef, cdgh_before = cdgh;
		__m128i words[4];
# pragma GCC unroll 16
		for (int i = 0; i < 16; i++) {
			if (i < 4) {
				words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *) blocks + i), big_endian);
			} else {
				const __m128i latest = words[(i + 3) & 3];
				const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(words[i & 3], words[(i + 1) & 3]), _mm_alignr_epi8(latest, words[(i + 2) & 3], 4));
				words[i & 3] = _mm_sha256msg2_epu32(sum, latest);
			}
			const __m128i added = _mm_add_epi32(words[i & 3], _mm_loadu_si128((const __m128i *) CONSTANTS + i));
			cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
			abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0e));
		}
		abef = _mm_add_epi32(abef, abef_before);
		cdgh = _mm_add_epi32(cdgh, cdgh_before);
	}
	const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
	const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
	_mm_storeu_si128((__m128i *) state, _mm_blend_epi16(feba, dchg, 0xf0));
	_mm_storeu_si128((__m128i *) (state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

static bool has_instructions(void)
{
	const unsigned ssse3_and_sse41 = 1u << 9 | 1u << 19, sha = 1u << 29;
	unsigned a, b, c, d;
	return __get_cpuid(1, &a, &b, &c, &d) && (c & ssse3_and_sse41) == ssse3_and_sse41 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & sha) != 0;
}

void polypack_sha256_startup(void)
{
	uint8_t blocks[2 * SHA256_BLOCK];
	uint32_t expected[8], found[8];
	if (!has_instructions()) {
		return;
	}
	for (size_t i = 0; i < sizeof(blocks); i++) {
		blocks[i] = (uint8_t) (i * 151 + 7);
	}
	memcpy(expected, START, sizeof(expected));
	memcpy(found, START, sizeof(found));
	mix_by_php(expected, blocks, 2);
	mix_by_instructions(found, blocks, 2);
	if (memcmp(expected, found, sizeof(found)) == 0) {
		mix = mix_by_instructions;
	}
}
#else
void polypack_sha256_startup(void)
{
}
#endif

void polypack_sha256_begin(sha256 *hash)
{
	memcpy(hash->state, START, sizeof(START));
	hash->length = 0;
}

void polypack_sha256_add(sha256 *hash, const void *given, size_t length)
{
	const uint8_t *bytes = given;
	size_t pending = hash->length % SHA256_BLOCK;
	hash->length += length;
	if (pending > 0) {
		size_t missing = SHA256_BLOCK - pending;
		if (length < missing) {
			memcpy(hash->pending + pending, bytes, length);
			return;
		}
		memcpy(hash->pending + pending, bytes, missing);
		mix(hash->state, hash->pending, 1);
		bytes += missing;
		length -= missing;
	}
	if (length >= SHA256_BLOCK) {
		mix(hash->state, bytes, length / SHA256_BLOCK);
		bytes += length / SHA256_BLOCK * SHA256_BLOCK;
		length %= SHA256_BLOCK;
	}
	if (length > 0) { /* otherwise `bytes` may be NULL, which memcpy() doesn't allow */
		memcpy(hash->pending, bytes, length);
	}
}

void polypack_sha256_end(sha256 *hash, uint8_t to[SHA256_LENGTH])
{
	uint64_t bits = hash->length * 8;
	size_t pending = hash->length % SHA256_BLOCK;
	hash->pending[pending++] = 0x80;
	if (pending > SHA256_BLOCK - 8) {
		memset(hash->pending + pending, 0, SHA256_BLOCK - pending);
		mix(hash->state, hash->pending, 1);
		pending = 0;
	}
	memset(hash->pending + pending, 0, SHA256_BLOCK - 8 - pending);
	for (int i = 0; i < 8; i++) {
		hash->pending[SHA256_BLOCK - 1 - i] = (uint8_t) (bits >> 8 * i);
	}
	mix(hash->state, hash->pending, 1);
	for (int i = 0; i < SHA256_LENGTH; i++) {
		to[i] = (uint8_t) (hash->state[i / 4] >> (24 - 8 * (i % 4)));
	}
}

void polypack_hmac_begin(hmac_sha256 *hmac, const zend_string *key)
{
	uint8_t block[SHA256_BLOCK] = {0};
	if (ZSTR_LEN(key) <= SHA256_BLOCK) {
		memcpy(block, ZSTR_VAL(key), ZSTR_LEN(key));
	} else {
		polypack_sha256_begin(&hmac->inner);
		polypack_sha256_add(&hmac->inner, ZSTR_VAL(key), ZSTR_LEN(key));
		polypack_sha256_end(&hmac->inner, block);
	}
	for (int i = 0; i < SHA256_BLOCK; i++) {
		block[i] ^= 0x36;
	}
	polypack_sha256_begin(&hmac->inner);
	polypack_sha256_add(&hmac->inner, block, SHA256_BLOCK);
	for (int i = 0; i < SHA256_BLOCK; i++) {
		block[i] ^= 0x36 ^ 0x5c;
	}
	polypack_sha256_begin(&hmac->outer);
	polypack_sha256_add(&hmac->outer, block, SHA256_BLOCK);
	ZEND_SECURE_ZERO(block, sizeof(block));
}

void polypack_hmac_end(hmac_sha256 *hmac, uint8_t to[SHA256_LENGTH])
{
	polypack_sha256_end(&hmac->inner, to);
	polypack_sha256_add(&hmac->outer, to, SHA256_LENGTH);
	polypack_sha256_end(&hmac->outer, to);
	ZEND_SECURE_ZERO(hmac, sizeof(*hmac));
}
