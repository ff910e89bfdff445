<?php

declare(strict_types=1);

namespace Polypack\BufferUnpacker;

use Polypack\Collisions;

/**
 * What the loops do between the entries of maps that declare many: take room for them, and watch whether their keys collide.
 *
 * A loop of maps pauses when SEEN entries of a wide map are there. PHP doubles the table of an array by copying it, and has both
 * meanwhile: half of the result of a wide map. So roomy() makes a table of the size that the map declares as soon as the
 * message may have that much on a promise (spec/06-limits.md#preallocation). From Collisions::FREE entries on the pauses are for
 * the keys (spec/06-limits.md#collisions).
 *
 * @internal
 */
trait WideMaps
{
    /** Bytes of an entry in PHP's table: a bucket of 32 and twice a hash of 4. */
    private const ENTRY_BYTES = 40;

    /** Bytes that all open maps of a message may have on promises (spec/06-limits.md#preallocation). */
    private const PROMISES = 1_000_000;

    /** Bytes that they may have besides, for each of the message behind the first SHORT ones. */
    private const PROMISES_OF_A_BYTE = 20;
    private const SHORT = 100_000;

    /** Names in roomy(). */
    private const NAMES_BITS = 7;

    protected function pause(array $map, int $count, int $offset, int $bound, int $levels, int $limit): int
    {
        $arrived = ($bound - $limit + $count >> 1) - 1; // entries
        $more = $arrived < Collisions::FREE || $arrived >= $this->roomAt[$levels]
            ? $this->entriesUntilRoom($map, $count >> 1, $arrived, $levels)
            : $this->roomAt[$levels];
        $this->roomAt[$levels] = $more === 0 ? \PHP_INT_MAX : $more;
        if ($arrived < Collisions::FREE) {
            $next = \min($limit, $bound + 2 * (\min($this->roomAt[$levels], Collisions::FREE) - $arrived) - 2);

            return $more === 0 ? ~$next : $next;
        }

        $size = \count($map);
        if ($size <= Collisions::FREE) { // the first time in this map
            $this->watched[$levels] = new Collisions($this->maxCollisions);
        }
        $key = \array_key_last($map);
        \assert($key !== null);
        $watch = $this->watched[$levels];
        if ($watch->findWithLast($key, $size)) {
            $this->colliding($offset, $this->maxDepth - $levels);
            $this->offset = self::NOWHERE;
            $next = 0;
        } else {
            $next = \min($limit, $bound + 2 * $watch->step() - 2);
        }
        if ($next === 0 || $next === $limit) { // the last time
            unset($this->watched[$levels]);

            return $next;
        }

        return $more === 0 ? ~$next : $next;
    }

    /**
     * Tells after how many entries of a map, which has SEEN of them or more, to ask again for room for all: as soon as it may be on
     * the account, but not when so many are there that copying them takes as much as doubling their table for the last time.
     *
     * In long messages entries that are there pay for as much again. In short ones it is now or never: many entries and room for
     * all beside them would be more than the 1 MB that refusing them may cost (spec/06-limits.md#cost-of-bad-input).
     *
     * @param array<array-key, mixed> $map
     * @param int                     $total   entries that the map declares
     * @param int                     $arrived entries
     * @param int                     $levels  how many containers may be opened one in the other, this one included
     *
     * @return int 0 when room is to be made now, and is on the account
     */
    private function entriesUntilRoom(array $map, int $total, int $arrived, int $levels): int
    {
        // Inside of an extension's data there may be another's and so on: each with an account would be too much together.
        if ($this->ground > 0 || ($arrived === self::SEEN && self::mayBePacked($map))) {
            return \PHP_INT_MAX;
        }
        foreach ($this->promised as $inside => $_) {
            if ($inside <= $levels) { // it was as deep as this map, or deeper, and is closed
                unset($this->promised[$inside]);
            }
        }
        $more = \max(0, \strlen($this->buffer) - self::SHORT);
        $capacity = self::capacity($total);
        $promise = self::ENTRY_BYTES * ($capacity - 2 * \count($map));
        $missing = $promise - (self::PROMISES + self::PROMISES_OF_A_BYTE * $more - \array_sum($this->promised));
        if ($missing <= 0) {
            $this->promised[$levels] = \max(0, $promise);

            return 0;
        }
        $next = $arrived + \max(self::SEEN, \intdiv($missing, 2 * self::ENTRY_BYTES) + 1); // these pay for what is missing

        return $more > 0 && $next <= $capacity >> 2 ? $next : \PHP_INT_MAX;
    }

    protected function roomy(array $map, int $count): array
    {
        // array_merge() makes a table for the sum of the counts, also when the names are the same, and a table does not shrink.
        $names = \array_fill_keys(\range("\x80", "\xff"), null);
        $roomy = \array_merge(...\array_fill(0, (self::capacity($count >> 1) >> 1 + self::NAMES_BITS) + 1, $names));
        foreach ($names as $name => $_) { // with the last the table is as if it had never had an entry
            unset($roomy[$name]);
        }
        $roomy += $map; // `+` would copy the table, without its room

        return $roomy;
    }

    /**
     * Returns a copy of a map without its room. The general decoder works on a copy, while the loop still has the map, and PHP's
     * own copies have the same room again.
     *
     * @param array<array-key, mixed> $map
     *
     * @return array<array-key, mixed>
     */
    private function withoutRoom(array $map): array
    {
        return $this->promised !== [] ? \array_slice($map, 0, preserve_keys: true) : $map;
    }

    /**
     * Returns the size of PHP's table for so many entries.
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
     * Tells whether PHP may hold the map as a list, without a hash. It does for ints in ascending order as long as a quarter of the places
     * is taken: room in a hash would be more than twice of what they take.
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
