<?php

declare(strict_types=1);

namespace Polypack\Decoder;

/**
 * Counts the key comparisons of one of PHP's hash tables (spec/06-limits.md#collisions).
 *
 * PHP hashes an int to itself and a string by DJBX33A, both without a seed. A sender who knows that can choose keys
 * that all share a bucket; each new key is then compared with all before it. The table has capacity for 8 keys at
 * first, and twice as many buckets as that. When it's full, both double and the keys move to other buckets, which
 * compares nothing.
 *
 * The hashes are kept in strings, about 8 bytes for each key. A list of PHP would take 16 to 40.
 *
 * @internal
 */
final class Buckets
{
    /** Hashes are cut to these bits: enough for a table of 2³⁰ entries. */
    private const BITS = 0x7fff_ffff;

    /** 33 to the power of the index. */
    private const POWERS = [1, 33, 1_089, 35_937, 1_185_921, 39_135_393, 1_291_467_969, 42_618_442_977];

    /** 33⁸, cut to BITS. */
    private const POWER_8 = 1_406_408_618_241 & self::BITS;

    /** Bytes of a hash that is kept. */
    private const WIDTH = 4;

    /** How many hashes are unpacked at a time. */
    private const SLICE = 1024;

    public int $comparisons = 0;

    /** Keys so far. */
    private int $size = 0;

    /** Keys that the table has capacity for. */
    private int $capacity = 8;

    /** The hashes of the keys, in WIDTH bytes each. */
    private string $hashes = '';

    /** How many keys each bucket has, in a byte each; 255 means that $crowds has the number. */
    private string $shares = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

    /** @var array<int, int> how many keys a bucket has, from 255 on */
    private array $crowds = [];

    /**
     * Adds a key, as an array has it. Returns how many comparisons that took.
     *
     * @param bool $isRepeat whether the table already has the key: then it is compared, but not added
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
        $mask = 2 * $this->capacity - 1;
        $this->shares = ''; // freed before the next string is made
        $this->shares = \str_repeat("\0", $mask + 1);
        $this->crowds = [];
        for ($i = 0, $end = \strlen($this->hashes); $i < $end; $i += self::WIDTH * self::SLICE) {
            foreach (\unpack('N*', \substr($this->hashes, $i, self::WIDTH * self::SLICE)) as $hash) {
                $this->put($hash & $mask);
            }
        }
    }

    /**
     * Returns the low bits of PHP's hash of a string: from 5381 on, 33 times the hash plus the next byte. It takes
     * eight bytes at a time, in lanes of one word.
     */
    private static function hash(string $key): int
    {
        $rest = \strlen($key) & 7; // bytes of the first word; zeros in front of them add nothing
        $hash = 5381 * self::POWERS[$rest];
        $factor = 1;
        foreach (\unpack('J*', \substr("\0\0\0\0\0\0\0\0", $rest) . $key) as $word) {
            $word = ($word >> 8 & 0x00ff_00ff_00ff_00ff) * 33 + ($word & 0x00ff_00ff_00ff_00ff);
            $word = ($word >> 16 & 0x0000_ffff_0000_ffff) * 1_089 + ($word & 0x0000_ffff_0000_ffff);
            $hash = ($hash * $factor + ($word >> 32) * 1_185_921 + ($word & 0xffff_ffff)) & self::BITS;
            $factor = self::POWER_8;
        }

        return $hash;
    }
}
