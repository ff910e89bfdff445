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
 * Equal keys count as if they were different.
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

    /** Bytes of a hash that is kept. They are kept in a string, because a list would take four times as much memory. */
    private const WIDTH = 4;

    /** Hashes that are unpacked at a time. */
    private const SLICE = 1024;

    public int $comparisons = 0;

    /** Keys so far. */
    private int $size = 0;

    /** Keys that the table has capacity for. */
    private int $capacity = 8;

    /** The hashes of the keys, in WIDTH bytes each. */
    private string $hashes = '';

    /** @var array<int, int> how many keys share a bucket */
    private array $shares = [];

    /**
     * Adds a key, as an array has it.
     */
    public function add(int|string $key): void
    {
        if ($this->size === $this->capacity) {
            $this->capacity *= 2;
            $this->distribute();
        }
        ++$this->size;
        $hash = \is_int($key) ? $key & self::BITS : self::hash($key);
        $this->hashes .= \pack('N', $hash);
        $bucket = $hash & 2 * $this->capacity - 1;
        $before = $this->shares[$bucket] ?? 0;
        $this->comparisons += $before;
        $this->shares[$bucket] = $before + 1;
    }

    private function distribute(): void
    {
        $mask = 2 * $this->capacity - 1;
        $shares = [];
        for ($i = 0, $end = \strlen($this->hashes); $i < $end; $i += self::WIDTH * self::SLICE) {
            foreach (\unpack('N*', \substr($this->hashes, $i, self::WIDTH * self::SLICE)) as $hash) {
                $bucket = $hash & $mask;
                $shares[$bucket] = ($shares[$bucket] ?? 0) + 1;
            }
        }
        $this->shares = $shares;
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
