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
 * Bytes that all open containers of a message together may allocate for what hasn't arrived
 * (spec/06-limits.md#preallocation). A message of POLYPACK_LONG bytes or more may use POLYPACK_PROMISES_OF_A_BYTE for
 * each of its bytes instead. Once that is used up, a container starts small and grows as its values arrive. While a map
 * grows, it takes half as much memory again, because PHP copies its table; so arrays may use less.
 */
#define POLYPACK_PROMISES 1000000
#define POLYPACK_PROMISES_OF_A_BYTE 20
#define POLYPACK_LONG 100000
#define POLYPACK_ELEMENT_PROMISES 500000
#define POLYPACK_SMALLEST 8

/* Entries after which a map that began with an int reserves capacity. */
#define POLYPACK_SEEN 64

/* Maps and records of up to so many entries cost no comparisons (spec/06-limits.md#collisions). */
#define POLYPACK_FREE_ENTRIES 256
#define POLYPACK_MAX_COLLISIONS 200000000

/* What values weigh, by estimate in bytes (spec/06-limits.md#memory). */
#define POLYPACK_ARRAY_WEIGHT 200
#define POLYPACK_ELEMENT_WEIGHT 64
#define POLYPACK_MAP_WEIGHT 320
#define POLYPACK_ENTRY_WEIGHT 144
#define POLYPACK_PAIR_WEIGHT 256
#define POLYPACK_OBJECT_WEIGHT 96
#define POLYPACK_STRICT_MEMORY 67108864

/* Slots of the cache of keys; keys from POLYPACK_LONG_KEY bytes on aren't kept; how many a request may intern. */
#define POLYPACK_KEYS 512
#define POLYPACK_LONG_KEY 64
#define POLYPACK_INTERNED_KEYS 1024

/* Maps whose keys the decoder expects again. */
#define POLYPACK_MODELS 8

/* Records with more names are left to the PHP code: each instance builds a hash table of them. */
#define POLYPACK_MAX_NAMES 256

/* Shapes of a dictionary (spec/05-records.md#shared), and how many dictionaries are kept for the next message. */
#define POLYPACK_MAX_SHAPES 8160
#define POLYPACK_DICTIONARIES 4

/*
 * Bytes that names of records may take in a canonical form. More of them are left to the PHP code, which finds every
 * fault before it writes a name: a small message may repeat long names for megabytes, and end with a fault.
 */
#define POLYPACK_MAX_NAME_BYTES 1000000

/* Bytes of output that a message may have without memory of its own. */
#define POLYPACK_SCRATCH 4096

#endif
