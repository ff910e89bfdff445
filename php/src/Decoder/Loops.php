<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Type\Entries;

/**
 * What the generated loops need of the rest of the unpacker.
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
     * @param int $depthLeft how many containers may be opened inside of it
     */
    abstract protected function decodeUncommon(int $depthLeft, int $limit): mixed;

    /**
     * Looks at a wide map between two entries. Returns the bound at which to do so again; 0 when too many keys
     * collide, and the fault is noted; the complement of the bound when the loop should go on with what withCapacity()
     * makes of the map.
     *
     * @param array<array-key, mixed> $map
     * @param int                     $count  keys and values that the map declares
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
     * Decodes what a loop left of an array.
     *
     * @param list<mixed> $array  what is there; the latest element failed when a fault is noted
     * @param int         $after  elements after the current one
     * @param int         $offset of the current one; -1 when that is there
     *
     * @return list<mixed>
     */
    abstract protected function leftArray(array $array, int $after, int $offset, int $depthLeft, int $limit): array;

    /**
     * Decodes what a loop left of a map.
     *
     * @param array<array-key, mixed> $map
     * @param int                     $after keys and values after the current entry
     * @param int                     $entry offset of the current entry; its complement when that is there, or failed
     *
     * @return array<array-key, mixed>
     */
    abstract protected function leftMap(array $map, int $after, int $entry, int $depthLeft, int $limit): array;

    /**
     * Does the same in lossless mode.
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
