<?php

declare(strict_types=1);

namespace Polypack\Decoder;

/**
 * Notices that a wide map is being made of keys that share a bucket of PHP's hash table (spec/06-limits.md#collisions).
 *
 * PHP hashes an int to itself and a string by a public function without a seed. A sender who knows that can choose
 * keys that all share one bucket; each is then compared with all before it, and a megabyte of them takes minutes. So
 * one key in 32 on average is taken as a sample, at places that the sender cannot foresee, and the samples of each
 * bucket are counted. When there are many samples, every second one is dropped, down to one key in 256: otherwise a
 * map of millions would have a megabyte of them.
 *
 * Few buckets have a sample, and a hash table of them would take more memory than all the rest. So one counter serves
 * a group of buckets, scattered in a way that the sender cannot foresee either. Only when a group has more samples
 * than a bucket may have, its buckets are counted one by one.
 *
 * @internal
 */
final class Collisions
{
    /** Entries that a map may have before its keys are watched: if all of them collide, that costs about 20 ms. */
    public const FREE = 4096;

    /** One key in this many is a sample, at first and when samples have been thinned out as far as possible. */
    private const KEYS_OF_A_SAMPLE = 32;
    private const KEYS_OF_A_SAMPLE_OF_MANY = 256;

    /** Beyond this many samples, every second one is dropped, unless one key in 256 is sampled already. */
    private const MANY = 2048;

    /** With at most this many samples in a bucket, nothing is reported: they may be chance. */
    private const LEAST = 8;

    /** Hashes are cut to these bits: enough for a table of 2²⁹ entries. */
    private const BITS = (1 << self::HASH_BITS) - 1;
    private const HASH_BITS = 30;

    /** Bits that number the buckets of a table of FREE entries. */
    private const LEAST_BITS = 13;

    /** At first a group has 2⁸ buckets. It gets four samples on average, or fewer. */
    private const GROUP_BITS = 8;

    /** Bytes per sample. Samples are kept in a string, because a list would take four times as much memory. */
    private const WIDTH = 4;

    /** Samples that are unpacked at a time. */
    private const SLICE = 256;

    /** The hashes of the samples, packed in WIDTH bytes each. */
    private string $hashes = '';

    /** One key in this many is a sample. */
    private int $keys = self::KEYS_OF_A_SAMPLE;

    /** @var array<int, int> how many of the samples are in a group */
    private array $groups = [];

    /** @var int a random odd number, which scatters buckets over the groups */
    private readonly int $factor;

    /** @var int hashes, multiplied, are cut by so many bits to groups */
    private int $shift = self::HASH_BITS + self::GROUP_BITS - self::LEAST_BITS;

    /** @var int one less than the number of buckets */
    private int $mask = (1 << self::LEAST_BITS) - 1;

    /** @var int keys of the table when the latest of them was a sample */
    private int $size = 0;

    /** @var int keys up to the next sample */
    private int $next = 1;

    private int $random;

    /** @var int samples that a bucket may have */
    private int $most;

    /**
     * @param int $maxCollisions keys of a table that may share a bucket; estimated
     */
    public function __construct(private readonly int $maxCollisions)
    {
        $this->count();
        $random = \random_int(0, \PHP_INT_MAX);
        $this->random = $random & self::BITS;
        $this->factor = $random >> self::HASH_BITS & self::BITS | 1;
        $this->most = \max(self::LEAST, \intdiv($maxCollisions, self::KEYS_OF_A_SAMPLE));
    }

    /**
     * Draws the number of keys up to the next sample.
     */
    public function step(): int
    {
        // A generator of our own: asking the system for each number would take longer than all the rest of the
        // counting.
        $this->random = ($this->random * 1103515245 + 12345) & 0x7fffffff;

        return 1 + ($this->random >> 8) % (2 * $this->keys - 1);
    }

    /**
     * Counts a key and, if it is the next sample, tells whether too many keys seem to share its bucket.
     *
     * @param int                     $size  of the table
     * @param array<array-key, mixed> $table the map so far, to leave out a key that it has already; empty where keys
     *                                       are known to be unique
     */
    public function findWith(int|string $key, int $size, array $table = []): bool
    {
        if (--$this->next > 0) {
            return false;
        }
        $this->next = $this->step();

        return !\array_key_exists($key, $table) && $this->findWithNew($key, $size);
    }

    /**
     * Takes the key added last as a sample. Tells whether too many keys seem to share its bucket.
     *
     * @param int $size of the table; if it hasn't changed, the key isn't new and isn't counted again
     */
    public function findWithLast(int|string $key, int $size): bool
    {
        if ($size === $this->size) {
            return false;
        }
        $this->size = $size;

        return $this->findWithNew($key, $size);
    }

    private function findWithNew(int|string $key, int $size): bool
    {
        if (2 * $size - 1 > $this->mask) { // the table grows: its keys move to other buckets
            $this->regroup(2 * $size - 1);
        }
        if (\strlen($this->hashes) === self::WIDTH * self::MANY && $this->keys < self::KEYS_OF_A_SAMPLE_OF_MANY) {
            $this->thin();
        }
        $hash = self::hash($key);
        $this->hashes .= \pack('N', $hash);
        if (++$this->groups[$this->groupOf($hash)] <= $this->most) {
            return false;
        }
        $inBucket = 0;
        foreach ($this->slices() as $slice) {
            foreach ($slice as $other) {
                if ((($hash ^ $other) & $this->mask) === 0) {
                    ++$inBucket;
                }
            }
        }

        return $inBucket > $this->most;
    }

    /**
     * Keeps every second sample, takes half as many from now on, and makes groups twice as large.
     */
    private function thin(): void
    {
        $this->hashes = (string) \preg_replace('/(.{' . self::WIDTH . '}).{' . self::WIDTH . '}/s', '$1', $this->hashes);
        $this->keys *= 2;
        // The estimate has an error: among many buckets that are almost too full, one gets more samples than its share,
        // by up to four times the square root of that share.
        $share = \intdiv($this->maxCollisions, $this->keys);
        $this->most = \max(self::LEAST, $share + (int) (4 * \sqrt($share)));
        ++$this->shift;
        $this->count();
    }

    /**
     * Counts the samples again, for a table with more than this many buckets.
     */
    private function regroup(int $buckets): void
    {
        do {
            $this->mask = 2 * $this->mask + 1;
            --$this->shift;
        } while ($this->mask < $buckets);
        $this->count();
    }

    private function count(): void
    {
        $this->groups = []; // frees the old counters before the new ones take as much memory
        $this->groups = \array_fill(0, 1 << self::HASH_BITS - $this->shift, 0);
        foreach ($this->slices() as $slice) {
            foreach ($slice as $hash) {
                ++$this->groups[$this->groupOf($hash)];
            }
        }
    }

    /**
     * @return iterable<array<int, int>> the samples, some at a time: PHP takes 40 bytes for each
     */
    private function slices(): iterable
    {
        for ($i = 0, $end = \strlen($this->hashes); $i < $end; $i += self::WIDTH * self::SLICE) {
            yield \unpack('N*', \substr($this->hashes, $i, self::WIDTH * self::SLICE));
        }
    }

    /**
     * Returns the group of the bucket of a hash.
     */
    private function groupOf(int $hash): int
    {
        return (($hash & $this->mask) * $this->factor & self::BITS) >> $this->shift;
    }

    /**
     * Tells whether too many names of a record share a bucket. Each instance, at a byte or two per field, builds a
     * hash table of them. So the limit for names is a sixteenth of that for the keys of a map.
     *
     * @param list<string> $names
     */
    public static function amongNames(array $names, int $maxCollisions): bool
    {
        $most = $maxCollisions >> 4;
        $count = \count($names);
        if ($count <= $most) {
            return false;
        }
        $mask = 15;
        while ($mask < 2 * $count - 1) {
            $mask = 2 * $mask + 1;
        }
        $buckets = [0];
        foreach ($names as $name) {
            $bucket = self::hash($name) & $mask;
            $buckets[$bucket] = ($buckets[$bucket] ?? 0) + 1;
        }

        return \max($buckets) > $most;
    }

    /**
     * Returns the low bits of PHP's hash.
     */
    private static function hash(int|string $key): int
    {
        if (!\is_int($key)) {
            $key = \array_key_first([$key => null]); // PHP turns a key of digits into an int
        }
        if (\is_int($key)) {
            return $key & self::BITS;
        }
        $hash = 5381; // DJBX33A
        for ($i = 0, $length = \strlen($key); $i < $length; ++$i) {
            $hash = ($hash * 33 + \ord($key[$i])) & self::BITS;
        }

        return $hash;
    }
}
