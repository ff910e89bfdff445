<?php

declare(strict_types=1);

namespace Polypack\Decoder;

/**
 * Reserves capacity for wide maps, and finds wide maps whose keys cost too many comparisons.
 *
 * PHP grows the table of an array by copying it into one of twice the size, and holds both tables meanwhile. To avoid
 * that, a loop stops once in a map that declares more than NARROW entries, after SEEN entries. If the message may
 * reserve that much (spec/06-limits.md#preallocation), withCapacity() then makes a table of the declared size.
 *
 * Comparisons of keys have a budget for a whole message (spec/06-limits.md#collisions). Counting them takes about as
 * long as decoding. So collides() first assumes the worst: at the head of a map of more than Collisions::FREE entries,
 * it subtracts what the map would cost if all keys shared a bucket. If the budget doesn't suffice, it counts the
 * comparisons of the whole message.
 *
 * @internal
 */
trait WideMaps
{
    /** Bytes of an entry in PHP's hash table: 32 for the entry itself, and 4 for each of its two hash slots. */
    private const ENTRY_BYTES = 40;

    /** Bytes that all open maps of a message shorter than LONG may reserve (spec/06-limits.md#preallocation). */
    private const PROMISES = 1_000_000;

    /**
     * If a message has LONG bytes or more, all its open maps together may reserve PROMISES_OF_A_BYTE times its length,
     * instead of PROMISES. The length is measured to the end of the buffer, because the message's own end isn't known
     * yet.
     */
    private const PROMISES_OF_A_BYTE = 20;
    private const LONG = 100_000;

    /** withCapacity() merges arrays that each have 2 to the power of this many names. */
    private const NAMES_BITS = 7;

    /** @var ?Account null until a message has a wide map */
    private $account;

    final protected function collides(int $entries, int $head): bool
    {
        $account = $this->account();
        $account->comparisons -= $entries * ($entries - 1) >> 1;

        return $account->comparisons < 0 && isset($this->colliding($account)[$head]);
    }

    /**
     * Tells whether the names of the record declared at this head must not become a hash table. collides() has decided
     * this before.
     */
    private function isColliding(int $head): bool
    {
        return isset($this->account->colliding[$head]);
    }

    private function account(): Account
    {
        return $this->account ??= new Account($this->maxCollisions, $this->maxCollisions);
    }

    /**
     * @return array<int, true> the offsets of the heads of maps that must not become hash tables
     */
    private function colliding(Account $account): array
    {
        if ($account->colliding === null) {
            $shared = $this->shared?->known()->declared();
            $collisions = new Collisions($this->buffer, $this->lossless, $this->maxDepth, $this->records, $shared);
            $asksForCount = $this->extensions !== [] || $this->ground > 0; // extensions get what is left of the budget
            $account->colliding = $collisions->find($this->start, $account->budget, $asksForCount);
            $account->counted = $collisions->comparisons;
        }

        return $account->colliding;
    }

    final protected function reserveCapacity(array $map, int $total, int $depthLeft): bool
    {
        // Extensions may be nested in the data of extensions. If each could reserve its own share, they could reserve
        // too much together.
        if ($this->ground > 0 || self::mayBePacked($map)) {
            return false;
        }
        $account = $this->account();
        foreach ($account->promised as $inside => $_) {
            if ($inside <= $depthLeft) { // a map at least as deep as this one is closed by now
                unset($account->promised[$inside]);
            }
        }
        $length = \strlen($this->buffer) - $this->start;
        $promise = self::ENTRY_BYTES * (self::capacity($total) - 2 * \count($map));
        $most = $length < self::LONG ? self::PROMISES : self::PROMISES_OF_A_BYTE * $length;
        if ($promise + \array_sum($account->promised) > $most) {
            return false;
        }
        $account->promised[$depthLeft] = $promise;

        return true;
    }

    final protected function withCapacity(array $map, int $total): array
    {
        // array_merge() makes a table for the sum of the counts, even if the names are the same. A table never shrinks.
        $names = \array_fill_keys(\range("\x80", "\xff"), null);
        $copy = \array_merge(...\array_fill(0, (self::capacity($total) >> 1 + self::NAMES_BITS) + 1, $names));
        foreach ($names as $name => $_) { // empties the table, which keeps its size
            unset($copy[$name]);
        }
        $copy += $map; // `$copy + $map` would copy the table without its capacity

        return $copy;
    }

    /**
     * Returns a map without its spare capacity. The general decoder changes the map while the loop still holds it. PHP
     * would then copy the map, together with its spare capacity.
     *
     * @param array<array-key, mixed> $map
     *
     * @return array<array-key, mixed>
     */
    private function withoutCapacity(array $map): array
    {
        return ($this->account->promised ?? []) !== [] ? \array_slice($map, 0, preserve_keys: true) : $map;
    }

    /**
     * Returns the capacity of PHP's table for this many entries, which must be more than NARROW.
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
     * Tells whether PHP may hold the map as a list, without hashes. PHP does so while the keys are ascending ints and
     * at least a quarter of the slots is used. A hash table takes more than twice the memory of a list.
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
