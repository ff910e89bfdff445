<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Extension;
use Polypack\Format;
use Polypack\Type\Ext;
use Polypack\Type\Timestamp;

/**
 * Declares what the generated loops need from the rest of the unpacker, and decodes the most common ext values. This
 * file is small, because almost every request that unpacks loads it.
 *
 * The loops of each mode are in a class that extends this one rather than in a trait. PHP optimises a trait's method
 * without knowing which class uses it, so it can't resolve the calls and properties in the method.
 *
 * @internal
 */
abstract class Loops
{
    /** In a map that declares more entries than this, a loop calls reserveCapacity() once. */
    final public const NARROW = 2048;

    /** How many entries a loop decodes before it calls reserveCapacity(). */
    final public const SEEN = 64;

    // Estimated bytes that containers and objects take (spec/06-limits.md#memory). Empty containers weigh nothing. A
    // pair is the array that Entries holds for an entry.
    final public const ARRAY_WEIGHT = 200;
    final public const ELEMENT_WEIGHT = 64;
    final public const MAP_WEIGHT = 320;
    final public const ENTRY_WEIGHT = 144;
    final public const PAIR_WEIGHT = 256;
    final public const OBJECT_WEIGHT = 96;

    // The properties have no native types, because PHP would check them on each assignment.

    /** @var string */
    protected $buffer;
    /** @var int read position in the buffer */
    protected $offset = 0;
    /** @var int estimated bytes of memory that the message may still take; below 0 after maxMemory was exceeded */
    protected $memory = \PHP_INT_MAX;
    /**
     * @var ?bool whether a JIT is on. With a JIT, four calls of ord() are faster than one call of unpack(). Null until
     *     a container with a count of 16 or 32 bits is read
     */
    protected $hasJit;

    /**
     * Notes the fault of a container that must not be opened, and sets the read position to FAILED_OFFSET.
     *
     * @param int $byte      head byte of the container
     * @param int $head      offset of the head byte
     * @param int $depthLeft how many containers may be nested, counting this one
     * @param int $limit     end of the buffer, minus a byte for each value that outer containers still have to deliver
     */
    abstract protected function refuse(int $byte, int $head, int $depthLeft, int $limit): void;

    /**
     * Decodes the value at the read position, for which the loops have no branch.
     *
     * @param int $depthLeft how many containers may be nested inside the current container
     */
    abstract protected function decodeUncommon(int $depthLeft, int $limit): mixed;

    /**
     * Tells whether a map of more than Collisions::FREE entries must not become a hash table, because its keys cost too
     * many comparisons. In lossless mode it also returns true for a map that can't become an object, once keys have to
     * be counted.
     *
     * @param int $head offset of the head of the map
     */
    abstract protected function collides(int $entries, int $head): bool;

    /**
     * Tells whether the message may reserve the capacity for all entries of a map. If so, it notes the reservation. A
     * loop asks once per map, after SEEN entries. Asking much later would gain little, because the entries so far would
     * have to be copied.
     *
     * @param array<array-key, mixed> $map
     * @param int                     $total     entries that the map declares
     * @param int                     $depthLeft how many containers may be nested, counting this one
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
     * Decodes the remaining elements of an array that a loop has handed over.
     *
     * @param list<mixed> $array  the elements so far; if a fault is noted, the last element has failed
     * @param int         $after  number of elements after the current one
     * @param int         $offset offset of the current element; -1 if $array already has it
     *
     * @return list<mixed>
     */
    abstract protected function leftArray(array $array, int $after, int $offset, int $depthLeft, int $limit): array;

    /**
     * Decodes the remaining entries of a map that a loop has handed over.
     *
     * @param array<array-key, mixed> $map
     * @param int                     $after number of keys and values after the current entry
     * @param int                     $entry offset of the current entry; its bitwise complement if $map already has
     *                                       the entry, or if the entry's value failed
     *
     * @return array<array-key, mixed>
     */
    abstract protected function leftMap(array $map, int $after, int $entry, int $depthLeft, int $limit): array;

    // The most common ext values: valid ones without a registered extension

    /**
     * Decodes an ext value if it is complete and no extension is registered for it. It decodes only the types 1 to 0x71
     * and timestamps, because other types may have rules of their own.
     *
     * The native return type isn't Ext|Timestamp, because PHP would look the classes up on each return.
     *
     * @param int                   $byte       the head byte of an ext value
     * @param array<int, Extension> $extensions by type
     *
     * @return Ext|Timestamp|null null if ext() must decode the value
     */
    final protected function plainExt(int $byte, int $head, array $extensions): ?object
    {
        $buffer = $this->buffer;
        if ($byte >= 0xd4) { // fixext 1 to fixext 16
            $length = 1 << $byte - 0xd4;
            $offset = $head + 1;
        } elseif ($byte === 0xc7) { // ext 8
            $length = \ord($buffer[$head + 1] ?? "\x00");
            $offset = $head + 2;
        } elseif (isset($buffer[$head + 4])) {
            $length = $byte === 0xc8
                ? \ord($buffer[$head + 1]) << 8 | \ord($buffer[$head + 2]) // ext 16
                : \unpack('Na', $buffer, $head + 1)['a']; // ext 32
            $offset = $head + ($byte === 0xc8 ? 3 : 5);
        } else {
            return null;
        }
        if ($length === 0 || !isset($buffer[$offset + $length])) {
            return null;
        }
        $type = \ord($buffer[$offset]);
        if ($this->memory < self::OBJECT_WEIGHT) {
            return null;
        }
        if ($type > 0 && $type < Format::EXT_RECORD && !isset($extensions[$type])) {
            $this->memory -= self::OBJECT_WEIGHT;
            $this->offset = $offset + 1 + $length;

            return new Ext($type, \substr($buffer, $offset + 1, $length));
        }

        return $type === 0xff ? $this->plainTimestamp($length, $offset + 1, $extensions) : null;
    }

    /**
     * Decodes the data of a timestamp if it is valid and no extension is registered for timestamps. The buffer must
     * have all of the data.
     *
     * @param array<int, Extension> $extensions by type
     *
     * @return ?Timestamp null if ext() must decode the value
     */
    final protected function plainTimestamp(int $length, int $offset, array $extensions): ?object
    {
        if (isset($extensions[Format::EXT_TIMESTAMP])) {
            return null;
        }
        $buffer = $this->buffer;
        if ($length === 4) { // timestamp 32
            $this->memory -= self::OBJECT_WEIGHT;
            $this->offset = $offset + 4;

            return new Timestamp(\unpack('Na', $buffer, $offset)['a']);
        }
        if ($length === 8) { // timestamp 64
            $bits = \unpack('Ja', $buffer, $offset)['a'];
            $seconds = $bits & 0x3ffffffff;
            $nanoseconds = $bits >> 34 & 0x3fffffff;
        } elseif ($length === 12) { // timestamp 96
            $seconds = \unpack('Ja', $buffer, $offset + 4)['a'];
            $nanoseconds = \unpack('Na', $buffer, $offset)['a'];
        } else {
            return null;
        }
        if ($nanoseconds > 999_999_999) {
            return null;
        }
        $this->memory -= self::OBJECT_WEIGHT;
        $this->offset = $offset + $length;

        return new Timestamp($seconds, $nanoseconds);
    }
}
