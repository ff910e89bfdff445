/* The limits of spec/06-limits.md that aren't simple comparisons, and those of the C stack. */
#ifndef POLYPACK_LIMITS_H
#define POLYPACK_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Containers and call-backs recurse on the C stack. All calls of this thread together may use so many levels. The
 * frames of one level take about 500 bytes (the build fails on a frame over 384), and a call-back counts as many levels
 * as PHP's own frames for it may take. So 1 MB is the most, and a fiber has 2 MB. Beyond that, PHP's code takes over,
 * which doesn't recurse in C.
 */
#define POLYPACK_MAX_LEVELS 2000
#define POLYPACK_CALL_BACK_LEVELS 8

/*
 * Bytes that all open containers of a message together may take for what hasn't arrived
 * (spec/06-limits.md#preallocation); in a message of POLYPACK_LONG bytes or more, some bytes for each of it. A container
 * beyond that starts small, and grows with what arrives. For a map that takes half as much memory again, because PHP
 * copies its table; so arrays may take less.
 */
#define POLYPACK_PROMISES 1000000
#define POLYPACK_PROMISES_OF_A_BYTE 20
#define POLYPACK_LONG 100000
#define POLYPACK_ELEMENT_PROMISES 500000
#define POLYPACK_SMALLEST 8

/* Entries after which a map that began with an int reserves capacity. */
#define POLYPACK_SEEN 64

/* A key that is compared with so many others needs the judgement of the PHP code (spec/06-limits.md#collisions). */
#define POLYPACK_MAX_CHAIN 255
#define POLYPACK_MAX_STEPS 200000000

/* Keys that are kept for the next map. Longer ones aren't. */
#define POLYPACK_KEYS 512
#define POLYPACK_LONG_KEY 64
#define POLYPACK_INTERNED_KEYS 1024

/* Maps whose keys the decoder expects again. */
#define POLYPACK_MODELS 8

/* A record with more names is judged by the PHP code: each instance builds a hash table of them. */
#define POLYPACK_MAX_NAMES 256

/* Bytes of output that a message may have without memory of its own. */
#define POLYPACK_SCRATCH 4096

#endif
