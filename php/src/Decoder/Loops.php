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

    // Buffer and offset change with every value. Typed properties would be checked each time.

    /** @var string */
    protected $buffer;
    /** @var int read position in the buffer */
    protected $offset = 0;
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
     * Looks at a wide map between two entries. Returns the bound at which to look again. Returns the complement of that
     * bound when the loop should continue with the map that withCapacity() returns, and 0 when too many keys collide;
     * then it has noted the fault.
     *
     * @param array<array-key, mixed> $map
     * @param int                     $count  number of keys and values that the map declares
     * @param int                     $offset of the next entry
     * @param int                     $bound  of the next entry
     *
     * @phpstan-impure
     */
    abstract protected function pause(array $map, int $count, int $offset, int $bound, int $depthLeft, int $limit): int;

    /**
     * Copies a map into a table with the capacity for all entries that it declares.
     *
     * @param array<array-key, mixed> $map
     * @param int                     $count keys and values
     *
     * @return array<array-key, mixed>
     */
    abstract protected function withCapacity(array $map, int $count): array;

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
}
