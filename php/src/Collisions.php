<?php

declare(strict_types=1);

namespace Polypack;

/**
 * Notices that a wide map is being made of keys that share a bucket of PHP's hash table (spec/06-limits.md#collisions).
 *
 * PHP hashes an int to itself and a string by a public function without a seed. Who knows that can send keys of which each one
 * is compared with all before it: a megabyte of them takes minutes. So of a map's keys, one in 32 on average is taken as
 * a sample, at places that the sender cannot foresee, and the samples of each bucket are counted.
 *
 * @internal
 */
final class Collisions
{
    /** Entries that a map may have before its keys are watched: as many that all collide take some twenty milliseconds. */
    public const FREE = 4096;

    /** One key of so many is a sample. */
    private const KEYS_OF_A_SAMPLE = 32;

    /** Fewer samples in a bucket prove nothing. */
    private const LEAST = 8;

    /** Hashes are cut to these bits, which are enough for a table of 2²⁹ entries. */
    private const BITS = 0x3fffffff;

    /** @var array<array-key, int> of the samples, by key: one that comes again is no other key */
    private array $hashes = [];

    /** @var array<int, int> how many of the samples are in a bucket */
    private array $buckets = [];

    /** @var int one less than the number of buckets */
    private int $mask = 2 * self::FREE - 1;

    /** @var int keys up to the next sample */
    private int $next = 1;

    private int $random;

    /** @var int samples that a bucket may have */
    private readonly int $most;

    /**
     * @param int $maxCollisions keys of a table that may share a bucket; estimated
     */
    public function __construct(int $maxCollisions)
    {
        $this->random = \random_int(0, self::BITS);
        $this->most = \max(self::LEAST, \intdiv($maxCollisions, self::KEYS_OF_A_SAMPLE));
    }

    /**
     * Draws how many keys it is to the next sample.
     */
    public function step(): int
    {
        $this->random = ($this->random * 1103515245 + 12345) & 0x7fffffff; // asking the system takes longer than all else here

        return 1 + ($this->random >> 8) % (2 * self::KEYS_OF_A_SAMPLE - 1);
    }

    /**
     * Counts one key after the other and takes the samples itself.
     *
     * @param int $size of the table
     */
    public function findWith(int|string $key, int $size): bool
    {
        if (--$this->next > 0) {
            return false;
        }
        $this->next = $this->step();

        return $this->findWithSample($key, $size);
    }

    /**
     * Tells whether too many keys seem to share a bucket, now that this key of the table is a sample as well.
     *
     * @param int $size of the table
     */
    public function findWithSample(int|string $key, int $size): bool
    {
        if (2 * $size - 1 > $this->mask) { // the table grows: its keys move to other buckets
            do {
                $this->mask = 2 * $this->mask + 1;
            } while (2 * $size - 1 > $this->mask);
            $this->buckets = [];
            foreach ($this->hashes as $hash) {
                $bucket = $hash & $this->mask;
                $this->buckets[$bucket] = ($this->buckets[$bucket] ?? 0) + 1;
            }
        }
        if (isset($this->hashes[$key])) {
            return false;
        }
        $hash = self::hash($key);
        $this->hashes[$key] = $hash;
        $bucket = $hash & $this->mask;

        return ($this->buckets[$bucket] = ($this->buckets[$bucket] ?? 0) + 1) > $this->most;
    }

    /**
     * Tells whether too many names of a record share a bucket: each of its instances makes a table of them for a byte or two
     * a field, so they may be fewer than the keys of a map, a sixteenth.
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
        $key = \array_key_first([$key => null]); // digits are an int
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
