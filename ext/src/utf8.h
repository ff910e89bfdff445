/*
 * Decides whether bytes are UTF-8 as spec/02-wire.md#str defines it. Texts under POLYPACK_LONG_TEXT bytes are first
 * checked for ASCII, up to 8 bytes at a time. Longer texts, and short texts that aren't ASCII, get a full check. This
 * check uses vector instructions of x86-64 (SSSE3) if the text has 16 bytes or more and the processor has them.
 * Otherwise it goes character by character. ext/fuzz/heads.c compares the results with those of a plain decoder of code
 * points.
 */
#ifndef POLYPACK_UTF8_H
#define POLYPACK_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define POLYPACK_NOT_ASCII UINT64_C(0x8080808080808080)

/*
 * Returns the length in bytes of the UTF-8 character at p, or 0 if there is no valid one. The byte at p must be 0x80 or
 * more, because ASCII is left to the caller.
 */
static inline size_t polypack_utf8_character(const uint8_t *p, size_t left)
{
	uint8_t first = p[0];
	if (first < 0xc2 || left < 2 || (p[1] & 0xc0) != 0x80) {
		return 0;
	}
	if (first < 0xe0) {
		return 2;
	}
	if (left < 3 || (p[2] & 0xc0) != 0x80) {
		return 0;
	}
	if (first < 0xf0) {
		/* overlong forms and surrogates aren't valid */
		return (first == 0xe0 && p[1] < 0xa0) || (first == 0xed && p[1] > 0x9f) ? 0 : 3;
	}
	if (left < 4 || (p[3] & 0xc0) != 0x80 || first > 0xf4) {
		return 0;
	}
	return (first == 0xf0 && p[1] < 0x90) || (first == 0xf4 && p[1] > 0x8f) ? 0 : 4;
}

static inline bool polypack_is_utf8_by_characters(const uint8_t *p, size_t length)
{
	const uint8_t *end = p + length;
	while (p < end) {
		uint64_t eight;
		if (*p >= 0x80) {
			size_t character = polypack_utf8_character(p, (size_t) (end - p));
			if (character == 0) {
				return false;
			}
			p += character;
		} else if (end - p >= 8 && (memcpy(&eight, p, 8), (eight & POLYPACK_NOT_ASCII) == 0)) {
			p += 8;
		} else {
			p++;
		}
	}
	return true;
}

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
# define POLYPACK_UTF8_BY_VECTORS 1
# include <immintrin.h>

/*
 * Properties that two consecutive bytes may have. All but POLYPACK_CONTINUATIONS are faults. polypack_utf8_faults()
 * looks up three sets of properties: by the high half of the first byte, by its low half, and by the high half of the
 * second byte. Two bytes have a property if it is in all three sets. The method is that of Keiser and Lemire,
 * "Validating UTF-8 In Less Than One Instruction Per Byte" (2021).
 */
enum {
	POLYPACK_CUT_SHORT = 1 << 0,    /* a leading byte, then a byte that isn't a continuation */
	POLYPACK_STRAY = 1 << 1,        /* a continuation after ASCII */
	POLYPACK_OVERLONG3 = 1 << 2,    /* e0 80 to e0 9f */
	POLYPACK_TOO_LARGE = 1 << 3,    /* f4 to ff with 90 to bf */
	POLYPACK_SURROGATE = 1 << 4,    /* ed a0 to ed bf */
	POLYPACK_OVERLONG2 = 1 << 5,    /* c0 and c1 */
	POLYPACK_OUTSIDE4 = 1 << 6,     /* f0 80 to f0 8f (overlong); f5 to ff with 80 to 8f (too large) */
	POLYPACK_CONTINUATIONS = 1 << 7 /* two continuations, which only characters of three or four bytes have */
};

/* Properties that don't depend on the low half of the first byte. */
# define POLYPACK_ANY_LOW (POLYPACK_CUT_SHORT | POLYPACK_STRAY | POLYPACK_CONTINUATIONS)

/* Properties that are possible with every continuation as the second byte. */
# define POLYPACK_ANY_NEXT (POLYPACK_STRAY | POLYPACK_OVERLONG2 | POLYPACK_CONTINUATIONS)

/* Returns a vector with a nonzero byte wherever the text isn't UTF-8. `before` is the block before this one. */
__attribute__((target("ssse3"))) static inline __m128i polypack_utf8_faults(__m128i block, __m128i before)
{
	const char stray = POLYPACK_STRAY, continuations = (char) POLYPACK_CONTINUATIONS, cut_short = POLYPACK_CUT_SHORT;
	const __m128i by_first_high = _mm_setr_epi8(
		stray, stray, stray, stray, stray, stray, stray, stray, continuations, continuations, continuations, continuations,
		POLYPACK_CUT_SHORT | POLYPACK_OVERLONG2, cut_short, POLYPACK_CUT_SHORT | POLYPACK_OVERLONG3 | POLYPACK_SURROGATE,
		POLYPACK_CUT_SHORT | POLYPACK_TOO_LARGE | POLYPACK_OUTSIDE4);
	const char large = (char) (POLYPACK_ANY_LOW | POLYPACK_TOO_LARGE | POLYPACK_OUTSIDE4), other = (char) POLYPACK_ANY_LOW;
	const __m128i by_first_low = _mm_setr_epi8(
		(char) (other | POLYPACK_OVERLONG2 | POLYPACK_OVERLONG3 | POLYPACK_OUTSIDE4), (char) (other | POLYPACK_OVERLONG2), other, other,
		(char) (other | POLYPACK_TOO_LARGE), large, large, large, large, large, large, large, large, (char) (large | POLYPACK_SURROGATE),
		large, large);
	const char high_next = (char) (POLYPACK_ANY_NEXT | POLYPACK_SURROGATE | POLYPACK_TOO_LARGE);
	const __m128i by_second_high = _mm_setr_epi8(
		cut_short, cut_short, cut_short, cut_short, cut_short, cut_short, cut_short, cut_short,
		(char) (POLYPACK_ANY_NEXT | POLYPACK_OVERLONG3 | POLYPACK_OUTSIDE4), (char) (POLYPACK_ANY_NEXT | POLYPACK_OVERLONG3 | POLYPACK_TOO_LARGE),
		high_next, high_next, cut_short, cut_short, cut_short, cut_short);
	const __m128i low_bits = _mm_set1_epi8(0x0f);
	__m128i first = _mm_alignr_epi8(block, before, 15); /* for each byte, the byte before it */
	__m128i pairs = _mm_and_si128(_mm_and_si128(
		_mm_shuffle_epi8(by_first_high, _mm_and_si128(_mm_srli_epi16(first, 4), low_bits)),
		_mm_shuffle_epi8(by_first_low, _mm_and_si128(first, low_bits))),
		_mm_shuffle_epi8(by_second_high, _mm_and_si128(_mm_srli_epi16(block, 4), low_bits)));
	/* The third and fourth bytes of a character must each be the second of two continuations. No other byte may be. */
	__m128i third = _mm_subs_epu8(_mm_alignr_epi8(block, before, 14), _mm_set1_epi8(0xe0 - 0x80));
	__m128i fourth = _mm_subs_epu8(_mm_alignr_epi8(block, before, 13), _mm_set1_epi8(0xf0 - 0x80));
	return _mm_xor_si128(pairs, _mm_and_si128(_mm_or_si128(third, fourth), _mm_set1_epi8((char) 0x80)));
}

static inline bool polypack_is_zero(__m128i vector)
{
	return _mm_movemask_epi8(_mm_cmpeq_epi8(vector, _mm_setzero_si128())) == 0xffff;
}

/* Returns a vector that isn't all zero if the last character of the block continues in the next block. */
static inline __m128i polypack_utf8_unfinished(__m128i block)
{
	return _mm_subs_epu8(block, _mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, (char) 0xef, (char) 0xdf, (char) 0xbf));
}

/* Tells whether a text is UTF-8. `length` must be at least 16. */
__attribute__((target("ssse3"))) static inline bool polypack_is_utf8_by_vectors(const uint8_t *p, size_t length)
{
	__m128i before = _mm_setzero_si128(), faults = _mm_setzero_si128();
	for (; length >= 64; p += 64, length -= 64) {
		const __m128i *blocks = (const __m128i *) p;
		__m128i first = _mm_loadu_si128(blocks), second = _mm_loadu_si128(blocks + 1);
		__m128i third = _mm_loadu_si128(blocks + 2), fourth = _mm_loadu_si128(blocks + 3);
		__m128i all = _mm_or_si128(_mm_or_si128(first, second), _mm_or_si128(third, fourth));
		if (_mm_movemask_epi8(all) == 0) {
			faults = _mm_or_si128(faults, polypack_utf8_unfinished(before));
		} else {
			__m128i half = _mm_or_si128(polypack_utf8_faults(first, before), polypack_utf8_faults(second, first));
			faults = _mm_or_si128(faults, half);
			half = _mm_or_si128(polypack_utf8_faults(third, second), polypack_utf8_faults(fourth, third));
			faults = _mm_or_si128(faults, half);
			if (!polypack_is_zero(faults)) {
				return false; /* bytes that aren't text usually have a fault in their first 64 bytes */
			}
		}
		before = fourth;
	}
	for (; length >= 16; p += 16, length -= 16) {
		__m128i block = _mm_loadu_si128((const __m128i *) p);
		faults = _mm_or_si128(faults, polypack_utf8_faults(block, before));
		before = block;
	}
	/*
	 * The last 0 to 15 bytes are loaded together with bytes before them. The shuffle removes the earlier bytes, and
	 * fills the rest of the block with NULs. NUL is ASCII, so a character that is cut off at the end is found as a
	 * fault.
	 */
	static const uint8_t shifts[32] = {
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
		0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
	};
	__m128i rest = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *) (p + length - 16)), _mm_loadu_si128((const __m128i *) (shifts + 16 - length)));
	faults = _mm_or_si128(faults, polypack_utf8_faults(rest, before));
	return polypack_is_zero(faults);
}
#endif

/* Tells whether all bytes are ASCII. Meant for short texts, because it never stops early. */
static inline bool polypack_is_ascii(const uint8_t *p, size_t length)
{
	if (length >= 8) {
		uint64_t all = 0, eight;
		const uint8_t *last = p + length - 8;
		for (; p < last; p += 8) {
			memcpy(&eight, p, 8);
			all |= eight;
		}
		memcpy(&eight, last, 8); /* some of these bytes may have been checked already */
		return ((all | eight) & POLYPACK_NOT_ASCII) == 0;
	}
	if (length >= 4) {
		uint32_t first, last;
		memcpy(&first, p, 4);
		memcpy(&last, p + length - 4, 4);
		return ((first | last) & (uint32_t) POLYPACK_NOT_ASCII) == 0;
	}
	return length == 0 || (p[0] | p[length >> 1] | p[length - 1]) < 0x80;
}

/* From this length in bytes on, checking for ASCII first isn't worth the time. */
#define POLYPACK_LONG_TEXT 32

static inline bool polypack_is_utf8(const uint8_t *p, size_t length)
{
	if (length < POLYPACK_LONG_TEXT && polypack_is_ascii(p, length)) {
		return true;
	}
#ifdef POLYPACK_UTF8_BY_VECTORS
	if (length >= 16 && __builtin_cpu_supports("ssse3")) {
		return polypack_is_utf8_by_vectors(p, length);
	}
#endif
	return polypack_is_utf8_by_characters(p, length);
}

#endif
