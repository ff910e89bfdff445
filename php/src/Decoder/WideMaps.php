<?php

declare(strict_types=1);

namespace Polypack\Decoder;

/**
 * Reserves capacity for wide maps, and watches for keys that collide. The loops call it between entries.
 *
 * A loop of maps pauses when a wide map has SEEN entries. PHP doubles the table of an array by copying it, and
 * meanwhile holds both tables, which takes half as much memory again as the result. So withCapacity() makes a table of
 * the declared size at once, if the message may reserve that much (spec/06-limits.md#preallocation). From
 * Collisions::FREE entries on, the loop pauses to sample keys (spec/06-limits.md#collisions).
 *
 * @internal
 */
trait WideMaps
{
    /** Bytes of an entry in PHP's table: 32 for a bucket, and 4 for each of two slots of the hash. */
    private const ENTRY_BYTES = 40;

    /** Bytes that all open maps of a message together may reserve (spec/06-limits.md#preallocation). */
    private const PROMISES = 1_000_000;

    /** In a message of LONG bytes or more, they may reserve this many bytes per byte of the message. */
    private const PROMISES_OF_A_BYTE = 20;
    private const LONG = 100_000;

    /** withCapacity() merges arrays of 2 to the power of this many names. */
    private const NAMES_BITS = 7;

    final protected function pause(array $map, int $count, int $offset, int $bound, int $depthLeft, int $limit): int
    {
        $arrived = ($bound - $limit + $count >> 1) - 1; // entries
        if ($arrived < Collisions::FREE) { // the pause after SEEN entries
            $next = \min($limit, $bound + 2 * (Collisions::FREE - $arrived) - 2);

            return $this->reserveCapacity($map, $count >> 1, $depthLeft) ? ~$next : $next;
        }

        $size = \count($map);
        if ($size <= Collisions::FREE) { // the first sample of this map
            $this->watched[$depthLeft] = new Collisions($this->maxCollisions);
        }
        $key = \array_key_last($map);
        \assert($key !== null);
        $watch = $this->watched[$depthLeft];
        if ($watch->findWithLast($key, $size)) {
            $this->colliding($offset, $this->maxDepth - $depthLeft);
            $this->offset = self::FAILED_OFFSET;
            $next = 0;
        } else {
            $next = \min($limit, $bound + 2 * $watch->step() - 2);
        }
        if ($next === 0 || $next === $limit) { // the last pause of this map
            unset($this->watched[$depthLeft]);
        }

        return $next;
    }

    /**
     * Tells whether the message may reserve the capacity for all entries of a map, and notes that it does. The loop
     * asks once per map, after SEEN entries: later, copying the entries would cost as much as doubling the table.
     *
     * @param array<array-key, mixed> $map
     * @param int                     $total  entries that the map declares
     * @param int                     $depthLeft how many containers may be opened, counting this one
     */
    private function reserveCapacity(array $map, int $total, int $depthLeft): bool
    {
        // Extensions may be nested in the data of extensions. If each could reserve its own share, they could reserve
        // too much together.
        if ($this->ground > 0 || self::mayBePacked($map)) {
            return false;
        }
        foreach ($this->promised as $inside => $_) {
            if ($inside <= $depthLeft) { // that map is closed: it was at least as deep as this one
                unset($this->promised[$inside]);
            }
        }
        $length = \strlen($this->buffer);
        $promise = self::ENTRY_BYTES * (self::capacity($total) - 2 * \count($map));
        if ($promise + \array_sum($this->promised) > ($length < self::LONG ? self::PROMISES : self::PROMISES_OF_A_BYTE * $length)) {
            return false;
        }
        $this->promised[$depthLeft] = $promise;

        return true;
    }

    final protected function withCapacity(array $map, int $count): array
    {
        // array_merge() makes a table for the sum of the counts, even when the names are the same, and a table never
        // shrinks.
        $names = \array_fill_keys(\range("\x80", "\xff"), null);
        $copy = \array_merge(...\array_fill(0, (self::capacity($count >> 1) >> 1 + self::NAMES_BITS) + 1, $names));
        foreach ($names as $name => $_) { // empties the table, which keeps its size
            unset($copy[$name]);
        }
        $copy += $map; // `$copy + $map` would copy the table without its capacity

        return $copy;
    }

    /**
     * Returns a copy of a map without its spare capacity. The general decoder works on a copy while the loop still
     * holds the map, and PHP's own copy would have the same capacity again.
     *
     * @param array<array-key, mixed> $map
     *
     * @return array<array-key, mixed>
     */
    private function withoutCapacity(array $map): array
    {
        return $this->promised !== [] ? \array_slice($map, 0, preserve_keys: true) : $map;
    }

    /**
     * Returns the size of PHP's table for this many entries.
     */
    private static function capacity(int $entries): int
    {
        $capacity = 2 * self::NARROW;
        while ($capacity < $entries) {
            $capacity *= 2;
        }

        return $capacity;
    }

    /**
     * Tells whether PHP may hold the map as a list, without a hash. It does so for ascending ints while a quarter of
     * the slots is used; a hash would reserve more than twice the memory that the list takes.
     *
     * @param array<array-key, mixed> $map
     */
    private static function mayBePacked(array $map): bool
    {
        $last = \array_key_last($map);
        if (!\is_int($last) || $last >= 4 * \count($map)) {
            return false;
        }
        $before = -1;
        foreach ($map as $key => $_) {
            if (!\is_int($key) || $key <= $before) {
                return false;
            }
            $before = $key;
        }

        return true;
    }
}
