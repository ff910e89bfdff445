<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Type\UInt64;

/**
 * Counts the comparisons that the keys of one wide map cost (spec/06-limits.md#collisions).
 *
 * In lossless mode a map first becomes an array, which turns keys of digits into ints. Then it becomes an object, which
 * turns these ints back into strings. Only the table that costs more comparisons counts. A map that can't become an
 * object becomes Entries, and costs nothing.
 *
 * @internal
 */
final class CountedKeys
{
    /** Masks that keep only the bytes of the str in its first word of 8 bytes, by the length of the str modulo 8. */
    private const MASKS = [-1, 0xff, 0xffff, 0xff_ffff, 0xffff_ffff, 0xff_ffff_ffff, 0xffff_ffff_ffff, 0xff_ffff_ffff_ffff];

    /** The low bits of the hashes of the keys in an array, in 4 bytes each. */
    private string $inArray = '';

    /** The low bits of the hashes of the keys in an object, in 4 bytes each; only in lossless mode. */
    private string $inObject = '';

    private bool $canBeObject = true;

    /** The offsets of the keys in the buffer, in 4 bytes each. */
    private string $offsets = '';

    // Results of the methods with these names. They are kept because all instances of a record share this object.
    private ?int $comparisons = null;
    private ?int $atMost = null;

    public function __construct(private readonly string $buffer, private readonly bool $lossless) {}

    /**
     * Adds the keys at these offsets. Leaves out a key that is cut off, or that isn't an int, str or bin.
     *
     * @param list<int> $offsets ascending
     */
    public function add(array $offsets): void
    {
        $hashes = $this->hashes($offsets);
        if ($hashes === null) {
            $this->addEach($offsets);

            return;
        }
        $hashes = \pack('N*', ...$hashes);
        $this->inArray .= $hashes;
        if ($this->lossless) {
            $this->inObject .= $hashes;
        }
        $this->offsets .= \pack('N*', ...$offsets);
    }

    /**
     * Returns the low bits of the keys' hashes, in half the time of addEach(). Returns null if a key isn't of the
     * most common kinds, or stands near the start or the end of the buffer.
     *
     * @param list<int> $offsets
     *
     * @return ?list<int>
     */
    private function hashes(array $offsets): ?array
    {
        $buffer = $this->buffer;
        $lossless = $this->lossless;
        // The loop reads up to 7 bytes before a str, and doesn't check whether a key is cut off.
        if (($offsets[0] ?? 0) < 8 || \end($offsets) > \strlen($buffer) - 257) {
            return null;
        }
        $powers = Buckets::POWERS;
        $masks = self::MASKS;
        $hashes = [];
        foreach ($offsets as $offset) {
            $byte = \ord($buffer[$offset]);
            if (($byte >= 0xa0 && $byte < 0xc0) || $byte === 0xd9) { // fixstr, str 8
                $length = $byte & 0x1f;
                $body = $offset + 1;
                if ($byte === 0xd9) {
                    $length = \ord($buffer[$body]);
                    ++$body;
                }
                if ($length === 0 || \ord($buffer[$body]) < 0x3a) { // the key may look like an int, or begin with NUL
                    $key = \substr($buffer, $body, $length);
                    if ($lossless || (string) (int) $key !== $key) {
                        return null;
                    }
                    $hashes[] = (int) $key;
                    continue;
                }
                // Hashes like Buckets::hash(). A mask clears the bytes before the key in the first word.
                $hash = 5381;
                $factor = $powers[$length & 7];
                $mask = $masks[$length & 7];
                $start = $body - (-$length & 7);
                $words = $length <= 8
                    ? \unpack('Ja', $buffer, $start)
                    : \unpack('J*', \substr($buffer, $start, $length + 7 & ~7));
                foreach ($words as $word) {
                    $word &= $mask;
                    $mask = -1;
                    $word = ($word >> 8 & 0x00ff_00ff_00ff_00ff) * 33 + ($word & 0x00ff_00ff_00ff_00ff);
                    $word = ($word >> 16 & 0x0000_ffff_0000_ffff) * 1_089 + ($word & 0x0000_ffff_0000_ffff);
                    $hash = ($hash * $factor + ($word >> 32) * 1_185_921 + ($word & 0xffff_ffff)) & Buckets::BITS;
                    $factor = $powers[0];
                }
                $hashes[] = $hash;
            } elseif ($lossless) {
                return null;
            } elseif ($byte < 0x80) { // positive fixint
                $hashes[] = $byte;
            } elseif ($byte === 0xcd) { // uint 16
                $hashes[] = \ord($buffer[$offset + 1]) << 8 | \ord($buffer[$offset + 2]);
            } elseif ($byte === 0xce) { // uint 32
                $hashes[] = \unpack('Na', $buffer, $offset + 1)['a'];
            } elseif ($byte === 0xcf && \ord($buffer[$offset + 1]) < 0x80) { // uint 64
                $hashes[] = \unpack('Na', $buffer, $offset + 5)['a'];
            } else {
                return null;
            }
        }

        return $hashes;
    }

    /**
     * @param list<int> $offsets
     */
    private function addEach(array $offsets): void
    {
        foreach ($offsets as $offset) {
            $byte = \ord($this->buffer[$offset]);
            $isStr = ($byte >= 0xa0 && $byte < 0xc0) || ($byte >= 0xd9 && $byte < 0xdc);
            $this->canBeObject = $this->canBeObject && $isStr;
            $key = $this->key($byte, $offset);
            if ($key !== null) {
                $this->addKey($key);
                $this->offsets .= \pack('N', $offset);
            }
        }
    }

    /**
     * Adds a key, given as a string. In an array the key is an int if it looks like one.
     */
    public function addKey(string $key): void
    {
        $this->inArray .= \pack('N', self::isInt($key) ? (int) $key : Buckets::hash($key));
        if ($this->lossless) {
            $this->canBeObject = $this->canBeObject && ($key[0] ?? '') !== "\0";
            $this->inObject .= \pack('N', Buckets::hash($key));
        }
    }

    /**
     * Tells whether PHP's arrays turn this key into an int.
     */
    private static function isInt(string $key): bool
    {
        return (string) (int) $key === $key;
    }

    /**
     * Notes a key of a kind that neither an array nor an object can have.
     */
    public function addImpossible(): void
    {
        $this->canBeObject = false;
    }

    /**
     * Returns the number of comparisons, or -1 for a map that becomes Entries, because Entries need no hash table.
     */
    public function comparisons(): int
    {
        return $this->comparisons ??= $this->greater(static function (string $hashes): int {
            $buckets = new Buckets();
            $buckets->addHashes($hashes);

            return $buckets->comparisons;
        });
    }

    /**
     * Returns a number that is at least comparisons(), or -1 if comparisons() is -1.
     */
    public function atMost(): int
    {
        return $this->atMost ??= $this->greater(Buckets::atMost(...));
    }

    /**
     * @param \Closure(string): int $count counts the comparisons for a string of hashes
     */
    private function greater(\Closure $count): int
    {
        if ($this->lossless && !$this->canBeObject) {
            return -1;
        }
        $inArray = $count($this->inArray);

        return $this->lossless && $this->inObject !== $this->inArray ? \max($inArray, $count($this->inObject)) : $inArray;
    }

    /**
     * Counts again, now without adding repeated keys, which a hash table only compares. Repeated keys are
     * found by sorting, because colliding keys can't slow down a sort.
     */
    public function withoutRepeats(): int
    {
        $keys = [];
        foreach (\unpack('N*', $this->offsets) as $offset) {
            $keys[] = (string) $this->key(\ord($this->buffer[$offset]), $offset);
        }
        $sorted = $keys;
        \asort($sorted, \SORT_STRING); // asort() is stable, so the first of equal keys comes first
        $repeats = [];
        $before = null;
        foreach ($sorted as $i => $key) {
            if ($key === $before) {
                $repeats[$i] = true;
            }
            $before = $key;
        }
        if ($repeats === []) {
            return $this->comparisons();
        }
        unset($sorted);
        $inArray = new Buckets();
        $inObject = new Buckets();
        foreach ($keys as $i => $key) {
            $inArray->add(self::isInt($key) ? (int) $key : $key, isset($repeats[$i]));
            if ($this->lossless) {
                $inObject->add($key, isset($repeats[$i]));
            }
        }

        return \max($inArray->comparisons, $inObject->comparisons);
    }

    /**
     * Reads a key that is an int, a str or a bin, as a string. Returns null if it's of another kind or cut off.
     */
    private function key(int $byte, int $offset): ?string
    {
        if ($byte < 0x80 || $byte >= 0xe0) { // positive and negative fixint
            return (string) ($byte < 0x80 ? $byte : $byte - 0x100);
        }
        $width = match ($byte) { // bytes of the number in the head
            0xc4, 0xcc, 0xd0, 0xd9 => 1,
            0xc5, 0xcd, 0xd1, 0xda => 2,
            0xc6, 0xce, 0xd2, 0xdb => 4,
            0xcf, 0xd3 => 8,
            default => $byte >= 0xa0 && $byte < 0xc0 ? 0 : \PHP_INT_MAX,
        };
        $body = $offset + 1;
        $left = \strlen($this->buffer) - $body - $width;
        if ($left < 0) {
            return null;
        }
        $number = match ($width) {
            0 => $byte & 0x1f,
            1 => \ord($this->buffer[$body]),
            2 => \ord($this->buffer[$body]) << 8 | \ord($this->buffer[$body + 1]),
            4 => \unpack('Na', $this->buffer, $body)['a'],
            default => \unpack('Ja', $this->buffer, $body)['a'],
        };
        if ($byte < 0xcc || $byte > 0xd3) { // str, bin
            return $number <= $left ? \substr($this->buffer, $body + $width, $number) : null;
        }
        $unused = 64 - 8 * $width; // bits before the number

        return $byte < 0xd0 ? UInt64::digits($number) : (string) ($number << $unused >> $unused);
    }
}
