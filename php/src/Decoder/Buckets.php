<?php

declare(strict_types=1);

namespace Polypack\Decoder;

/**
 * Counts the key comparisons of one of PHP's hash tables (spec/06-limits.md#collisions).
 *
 * PHP hashes an int to itself and a string by DJBX33A, both without a seed. So a sender can choose keys that all share
 * a bucket, and each new key is then compared with all keys before it. The table starts with capacity for 8 keys, and
 * with 16 buckets. When it's full, both numbers double. Moving the keys to their new buckets compares nothing.
 *
 * The hashes and the sizes of the buckets are kept in strings, which take 6 to 8 bytes per key. PHP arrays would take
 * 16 to 40 bytes per key. addHashes() counts like add(), but several times as fast.
 *
 * @internal
 */
final class Buckets
{
    /** Mask of the hash bits that are kept. 31 bits are enough for a table of 2³⁰ entries, which has 2³¹ buckets. */
    public const BITS = 0x7fff_ffff;

    /** 33⁸, masked with BITS. */
    public const POWER_8 = 1_406_408_618_241 & self::BITS;

    /**
     * Powers of 33, by the length of a string modulo 8. hash() first reads that many bytes, or 8 for remainder 0. The
     * exponent is the number of these bytes.
     */
    public const POWERS = [self::POWER_8, 33, 1_089, 35_937, 1_185_921, 39_135_393, 1_291_467_969, 42_618_442_977];

    /** Number of bytes of a hash in $hashes. */
    private const WIDTH = 4;

    /** How many hashes are unpacked at a time, at most. */
    private const SLICE = 1024;

    /** The most comparisons that the first 128 keys cost. From then on the table has at least 256 buckets. */
    private const FIRST_128 = 128 * 127 >> 1;

    public int $comparisons = 0;

    /** Number of keys in the table. */
    private int $size = 0;

    /** Number of keys that the table has capacity for. */
    private int $capacity = 8;

    /** The hashes of the keys, in WIDTH bytes each. */
    private string $hashes = '';

    /** How many keys each bucket has, in one byte per bucket; 255 means that $crowds has the number. */
    private string $shares = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

    /** @var array<int, int> how many keys a bucket has, for buckets with 255 keys or more */
    private array $crowds = [];

    /**
     * Adds a key, given as the int or string that the table holds. Returns how many comparisons this costs.
     *
     * @param bool $isRepeat whether the table already has the key, which is then compared but not added
     */
    public function add(int|string $key, bool $isRepeat = false): int
    {
        $hash = \is_int($key) ? $key & self::BITS : self::hash($key);
        if ($isRepeat) {
            $comparisons = $this->share($hash & 2 * $this->capacity - 1);
            $this->comparisons += $comparisons;

            return $comparisons;
        }
        if ($this->size === $this->capacity) {
            $this->capacity *= 2;
            $this->distribute();
        }
        ++$this->size;
        $this->hashes .= \pack('N', $hash);
        $comparisons = $this->put($hash & 2 * $this->capacity - 1);
        $this->comparisons += $comparisons;

        return $comparisons;
    }

    /**
     * Adds keys as if none of them repeated, given as the low bits of their hashes in WIDTH bytes each.
     */
    public function addHashes(string $hashes): void
    {
        for ($i = 0, $end = \strlen($hashes); $i < $end; $i += $length) {
            if ($this->size === $this->capacity) {
                $this->capacity *= 2;
                $this->distribute();
            }
            $length = \min(self::WIDTH * ($this->capacity - $this->size), $end - $i);
            $added = \substr($hashes, $i, $length);
            $this->size += \intdiv($length, self::WIDTH);
            $this->hashes .= $added;
            $this->comparisons += $this->putAll($added);
        }
    }

    /**
     * Returns an upper bound of what addHashes() would count in a new table, in a tenth of the time. It counts as if
     * the table had 256 buckets from the start, and adds the most that the first 128 keys can cost.
     */
    public static function atMost(string $hashes): int
    {
        $counts = \array_fill(0, 256, 0);
        $mask = \str_repeat("\0\0\0\xff", self::SLICE);
        $end = \strlen($hashes);
        for ($i = 0; $i < $end; $i += self::WIDTH * self::SLICE) {
            foreach (\count_chars(\substr($hashes, $i, self::WIDTH * self::SLICE) & $mask, 1) as $byte => $count) {
                $counts[$byte] += $count;
            }
        }
        $counts[0] -= $end - \intdiv($end, self::WIDTH); // the bytes that the mask has made 0
        $comparisons = self::FIRST_128;
        foreach ($counts as $count) {
            $comparisons += $count * ($count - 1) >> 1;
        }

        return $comparisons;
    }

    private function share(int $bucket): int
    {
        $share = \ord($this->shares[$bucket]);

        return $share < 0xff ? $share : $this->crowds[$bucket];
    }

    /**
     * Puts a key into a bucket. Returns how many keys the bucket had before.
     */
    private function put(int $bucket): int
    {
        $share = \ord($this->shares[$bucket]);
        if ($share < 0xfe) {
            $this->shares[$bucket] = \chr($share + 1);
        } elseif ($share === 0xfe) {
            $this->shares[$bucket] = "\xff";
            $this->crowds[$bucket] = 0xff;
        } else {
            $share = $this->crowds[$bucket]++;
        }

        return $share;
    }

    private function distribute(): void
    {
        $this->shares = ''; // frees the old string before the new one is made
        $this->shares = \str_repeat("\0", 2 * $this->capacity);
        $this->crowds = [];
        $this->putAll($this->hashes);
    }

    /**
     * Puts many keys into their buckets, faster than put(). Returns the sum of what put() would return for them.
     */
    private function putAll(string $hashes): int
    {
        $comparisons = 0;
        $mask = 2 * $this->capacity - 1;
        $shares = $this->shares;
        $this->shares = ''; // otherwise PHP would copy the string when $shares changes
        for ($i = 0, $end = \strlen($hashes); $i < $end; $i += self::WIDTH * self::SLICE) {
            foreach (\unpack('N*', \substr($hashes, $i, self::WIDTH * self::SLICE)) as $hash) {
                $bucket = $hash & $mask;
                $share = $shares[$bucket];
                if ($share === "\0") {
                    $shares[$bucket] = "\1";
                } elseif ($share !== "\xff") {
                    $before = \ord($share);
                    $comparisons += $before;
                    $shares[$bucket] = \chr($before + 1);
                    if ($before === 0xfe) {
                        $this->crowds[$bucket] = 0xff;
                    }
                } else {
                    $comparisons += $this->crowds[$bucket]++;
                }
            }
        }
        $this->shares = $shares;

        return $comparisons;
    }

    /**
     * Returns the low bits of PHP's hash of a string. The hash starts at 5381. For each byte, it is multiplied by 33,
     * and the byte is added. This method hashes eight bytes at a time, in lanes of one 64-bit word.
     */
    public static function hash(string $key): int
    {
        $rest = \strlen($key) & 7; // key bytes in the first word, behind zeros; 0 if the key fills the word
        $hash = 5381;
        $factor = self::POWERS[$rest];
        foreach (\unpack('J*', ($rest === 0 ? '' : \substr("\0\0\0\0\0\0\0\0", $rest)) . $key) as $word) {
            $word = ($word >> 8 & 0x00ff_00ff_00ff_00ff) * 33 + ($word & 0x00ff_00ff_00ff_00ff);
            $word = ($word >> 16 & 0x0000_ffff_0000_ffff) * 1_089 + ($word & 0x0000_ffff_0000_ffff);
            $hash = ($hash * $factor + ($word >> 32) * 1_185_921 + ($word & 0xffff_ffff)) & self::BITS;
            $factor = self::POWER_8;
        }

        return $hash;
    }
}
