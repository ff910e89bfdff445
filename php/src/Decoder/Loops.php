<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Type\Entries;

/**
 * Declares what the generated loops need from the rest of the unpacker.
 *
 * The loops of each mode are a class that extends this one, not a trait: PHP optimises a trait's method without
 * knowing the class it ends up in, and so without knowing what its calls and properties are.
 *
 * @internal
 */
abstract class Loops
{
    /** A map that declares more entries pauses, see WideMaps. */
    final public const NARROW = 2048;

    /** Entries that a wide map has when it pauses for the first time. */
    final public const SEEN = 64;

    // What containers and objects weigh, by estimate in bytes (spec/06-limits.md#memory). Empty containers weigh
    // nothing, because PHP has one empty array for all. A pair is what an entry of Entries is.
    final public const ARRAY_WEIGHT = 200;
    final public const ELEMENT_WEIGHT = 64;
    final public const MAP_WEIGHT = 320;
    final public const ENTRY_WEIGHT = 144;
    final public const PAIR_WEIGHT = 256;
    final public const OBJECT_WEIGHT = 96;

    // Buffer and offset change with every value. Typed properties would be checked each time.

    /** @var string */
    protected $buffer;
    /** @var int read position in the buffer */
    protected $offset = 0;
    /** @var int bytes that the message may still take, by estimate; below 0 after a fault */
    protected $memory = \PHP_INT_MAX;
    /**
     * @var ?bool whether four calls of ord() are faster than one of unpack(); null until a container with a long head
     *     is read
     */
    protected $hasJit;

    /**
     * Notes the fault of a container that must not be opened; for the parameters see the loops.
     */
    abstract protected function refuse(int $byte, int $head, int $depthLeft, int $limit): void;

    /**
     * Decodes a value that the loops have no branch for, at the read position.
     *
     * @param int $depthLeft how many containers may be opened inside it
     */
    abstract protected function decodeUncommon(int $depthLeft, int $limit): mixed;

    /**
     * Tells whether the keys of a wide map cost too many comparisons. In lossless mode also, once they had to be
     * counted, whether the map can't become an object.
     *
     * @param int $head of the map
     */
    abstract protected function collides(int $entries, int $head): bool;

    /**
     * Tells whether the message may reserve the capacity for all entries of a map, and notes that it does. The loop
     * asks once per map, after SEEN entries: later, copying the entries would cost as much as doubling the table.
     *
     * @param array<array-key, mixed> $map
     * @param int                     $total     entries that the map declares
     * @param int                     $depthLeft how many containers may be opened, counting this one
     *
     * @phpstan-impure
     */
    abstract protected function reserveCapacity(array $map, int $total, int $depthLeft): bool;

    /**
     * Copies a map into a table with the capacity for all entries that it declares.
     *
     * @param array<array-key, mixed> $map
     *
     * @return array<array-key, mixed>
     */
    abstract protected function withCapacity(array $map, int $total): array;

    /**
     * Decodes the elements of an array that a loop has left.
     *
     * @param list<mixed> $array  the elements so far; when a fault is noted, the last one has failed
     * @param int         $after  number of elements after the current one
     * @param int         $offset of the current element; -1 when $array has it already
     *
     * @return list<mixed>
     */
    abstract protected function leftArray(array $array, int $after, int $offset, int $depthLeft, int $limit): array;

    /**
     * Decodes the entries of a map that a loop has left.
     *
     * @param array<array-key, mixed> $map
     * @param int                     $after number of keys and values after the current entry
     * @param int                     $entry offset of the current entry; its complement when $map has it already, or
     *                                       when it failed
     *
     * @return array<array-key, mixed>
     */
    abstract protected function leftMap(array $map, int $after, int $entry, int $depthLeft, int $limit): array;

    /**
     * Decodes the entries of a map that a loop has left, in lossless mode.
     *
     * @param array<array-key, mixed> $properties
     */
    abstract protected function leftMapWithAnyKeys(
        array $properties,
        int $after,
        int $entry,
        int $depthLeft,
        int $limit,
    ): \stdClass|Entries;

    /**
     * Decodes a map in lossless mode whose keys must not become a hash table.
     *
     * @param int $count  of entries
     * @param int $offset of the first
     */
    abstract protected function leftCollidingMap(
        int $count,
        int $offset,
        int $depthLeft,
        int $limit,
    ): \stdClass|Entries;
}
