<?php

declare(strict_types=1);

namespace Polypack\BufferUnpacker;

use Polypack\Type\Entries;

/**
 * What the generated loops need of the rest of the unpacker.
 *
 * The loops of each mode are a class below this one and not a trait: PHP optimises a method of a trait without knowing the
 * class, and so every call and every property in it.
 *
 * @internal
 */
abstract class Loops
{
    // Buffer and offset change with every value, and typed properties would check their type every time.

    /** @var string */
    protected $buffer;
    /** @var int read position in the buffer */
    protected $offset = 0;
    /** @var int */
    protected $maxDepth;

    /**
     * Notes the fault of a container that must not be opened.
     */
    abstract protected function refuse(int $children, int $head, int $offset, int $depth, int $limit): void;

    /**
     * Decodes a value that the loops have no branch for, at the read position.
     */
    abstract protected function rare(int $depth, int $limit): mixed;

    /**
     * Decodes what a loop left of an array: the elements from $offset on, unless the latest one failed.
     *
     * @param list<mixed> $array
     *
     * @return list<mixed>
     */
    abstract protected function leftArray(array $array, int $count, int $offset, int $depth, int $limit): array;

    /**
     * Decodes what a loop left of a map.
     *
     * @param array<array-key, mixed> $map
     * @param int                     $after keys and values after the current entry
     * @param int                     $entry offset of this entry, or its complement when the value was decoded or failed
     *
     * @return array<array-key, mixed>
     */
    abstract protected function leftMap(array $map, int $after, int $entry, int $depth, int $limit): array;

    /**
     * Does the same in lossless mode.
     *
     * @param array<array-key, mixed> $properties
     * @param int                     $count      of all entries
     */
    abstract protected function leftMapWithAnyKeys(
        array $properties,
        int $count,
        int $after,
        int $entry,
        int $depth,
        int $limit,
    ): \stdClass|Entries;
}
