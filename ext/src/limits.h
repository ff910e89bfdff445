/* Limits of the C stack, of caches and of memory. Some of them are limits of spec/06-limits.md. */
#ifndef POLYPACK_LIMITS_H
#define POLYPACK_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Nested containers and call-backs recurse on the C stack. Each open container is a level. A call-back counts as
 * POLYPACK_CALL_BACK_LEVELS, because PHP's own frames also need stack. All calls in a thread together may use
 * POLYPACK_MAX_LEVELS levels. A level takes up to 500 bytes, so all levels take up to 1 MB. A fiber's stack has 2 MB
 * by default. The build option --enable-polypack-warnings refuses frames of more than 384 bytes. A value that is nested
 * more deeply is left to the PHP library, which doesn't recurse in C.
 */
#define POLYPACK_MAX_LEVELS 2000
#define POLYPACK_CALL_BACK_LEVELS 8

/*
 * The head of a container promises values that the decoder hasn't read yet, and it may lie. So all open containers of a
 * message together may allocate only POLYPACK_PROMISES bytes for promised values (spec/06-limits.md#preallocation). If
 * POLYPACK_LONG bytes or more follow the start of the message, the containers may instead allocate
 * POLYPACK_PROMISES_OF_A_BYTE bytes for each byte that follows. The bytes of later messages count as well, because the
 * decoder doesn't know yet where the message ends. A message in the data of an ext value may allocate at most what the
 * outer message has left.
 *
 * If too few of these bytes are left, a container starts with capacity for POLYPACK_SMALLEST values, and grows as
 * values are read. A map that grows needs half as much memory again, because PHP copies its table. So arrays may use
 * only POLYPACK_ELEMENT_PROMISES bytes. The rest is kept for maps.
 */
#define POLYPACK_PROMISES 1000000
#define POLYPACK_PROMISES_OF_A_BYTE 20
#define POLYPACK_LONG 100000
#define POLYPACK_ELEMENT_PROMISES 500000
#define POLYPACK_SMALLEST 8

/*
 * A map whose first key isn't a fixstr may become a list. So capacity for its declared count is reserved only after
 * this many entries.
 */
#define POLYPACK_SEEN 64

/*
 * A map or record counts no key comparisons if it has at most POLYPACK_FREE_ENTRIES entries. By default, all other maps
 * and records of a message may count POLYPACK_MAX_COLLISIONS together (spec/06-limits.md#collisions).
 */
#define POLYPACK_FREE_ENTRIES 256
#define POLYPACK_MAX_COLLISIONS 200000000

/*
 * Estimates of the bytes that values take in memory, and the sum that strict mode allows for a message by default
 * (spec/06-limits.md#memory).
 */
#define POLYPACK_ARRAY_WEIGHT 200
#define POLYPACK_ELEMENT_WEIGHT 64
#define POLYPACK_MAP_WEIGHT 320
#define POLYPACK_ENTRY_WEIGHT 144
#define POLYPACK_PAIR_WEIGHT 256
#define POLYPACK_OBJECT_WEIGHT 96
#define POLYPACK_STRICT_MEMORY 67108864

/*
 * The cache of map keys: its number of slots, the length in bytes from which on keys aren't cached, and how many keys
 * of a request may become interned strings.
 */
#define POLYPACK_KEYS 512
#define POLYPACK_LONG_KEY 64
#define POLYPACK_INTERNED_KEYS 1024

/* How many earlier maps of a message the decoder remembers, because later maps often have the same keys. */
#define POLYPACK_MODELS 8

/* How many shapes a dictionary may have (spec/05-records.md#shared), and how many dictionaries are cached. */
#define POLYPACK_MAX_SHAPES 8160
#define POLYPACK_DICTIONARIES 4

/*
 * How many bytes the map heads and names of records may take in a canonical form that C writes. A small message of
 * records may become megabytes of repeated names, which would be wasted if the last byte is faulty. Above this limit C
 * declines, and the PHP library checks the whole message for faults before it writes the first name.
 */
#define POLYPACK_MAX_NAME_BYTES 1000000

/* Size in bytes of the buffer in which a message is encoded. The output moves to a string when it gets longer. */
#define POLYPACK_SCRATCH 4096

#endif
