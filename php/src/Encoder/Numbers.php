<?php

declare(strict_types=1);

namespace Polypack\Encoder;

/**
 * Packs lists of numbers of one width. One call of pack() makes the bytes of many numbers, and one call of
 * chunk_split() puts the head bytes between them. With opcache, this is about two to four times as fast as packing the
 * numbers one by one. Some ints are combined first, so that pack() has fewer arguments: eight positive fixints become
 * one integer, and eight ints of four bytes, with their heads, become five.
 *
 * @internal
 */
final class Numbers
{
    /** How many numbers one call of pack() gets at most, because each is an argument on PHP's stack. */
    private const MOST_NUMBERS = 2048;

    /** How many positive fixints one call of pack() gets at most, eight in each argument. */
    private const MOST_FIXINTS = 8 * self::MOST_NUMBERS;

    /** How many ints of four bytes one call of pack() gets at most, eight in five arguments. */
    private const MOST_FOUR_BYTES = 8 * 400;

    /** If other values follow a run of fewer numbers, the loop over values packs the run, because that is faster. */
    private const FEWEST_NUMBERS = 64;

    /** A float above this, or below its negative, might not fit in float 32. It is left to the loop over values. */
    private const FLOAT32_MAX = 3.4028234663852886e38;

    /**
     * Appends the numbers at the start of a list, many numbers of one width at a time.
     *
     * @param array<array-key, mixed> $list      has at least one element
     * @param int                     $count     of elements
     * @param int                     $fixintEnd the first int that isn't packed as a positive fixint
     * @param bool                    $forceFloat32
     * @param string                  $out
     *
     * @return int how many were appended
     */
    public static function append($list, $count, $fixintEnd, $forceFloat32, &$out)
    {
        $list = \array_values($list);
        $last = $list[$count - 1];
        $done = 0;
        $fixints = true;
        do {
            $first = $list[$done];
            if (\is_int($first)) {
                if ($fixints && $first >= 0 && $first < $fixintEnd && \is_int($last) && $last >= 0) {
                    $numbers = self::appendFixints(self::rest($list, $done, self::MOST_FIXINTS), $fixintEnd, $out);
                    if ($numbers > 0) {
                        $done += $numbers;
                        continue;
                    }
                    $fixints = false;
                }
                [$format, $width, $head, $least, $most] = self::widthOf($first, $fixintEnd);
                if ($count < self::FEWEST_NUMBERS && (!\is_int($last) || $last < $least || $last > $most)) {
                    break; // Pack a short list as a whole or not at all. Testing its last value often decides that.
                }
                if ($width === 4) {
                    $numbers = self::appendFourBytes(self::rest($list, $done, self::MOST_FOUR_BYTES), $head, $least, $most, $out);
                    if ($numbers === 0) {
                        break;
                    }
                    $done += $numbers;
                    continue;
                }
                $slice = self::slice($list, $done, $count, self::MOST_NUMBERS);
                $numbers = self::intsWithin($slice, $least, $most);
            } elseif (\is_float($first)) {
                [$format, $width, $head] = $forceFloat32 ? ['G*', 4, "\xca"] : ['E*', 8, "\xcb"];
                $slice = self::slice($list, $done, $count, self::MOST_NUMBERS);
                $numbers = self::floatsUpTo($slice, $forceFloat32 ? self::FLOAT32_MAX : \INF);
            } else {
                break;
            }
            if ($numbers < \count($slice)) {
                if ($numbers < self::FEWEST_NUMBERS) {
                    break;
                }
                $slice = \array_slice($slice, 0, $numbers);
            }
            /** @var non-empty-list<int|float> $slice */
            if ($format === 'G*' && \min($slice) < -self::FLOAT32_MAX) {
                break;
            }
            $bytes = \pack($format, ...$slice);
            $out .= $head === '' ? $bytes : $head . \substr(\chunk_split($bytes, $width, $head), 0, -1);
            $done += $numbers;
        } while ($done < $count);

        return $done;
    }

    /**
     * Appends the positive fixints at the start of a list. Shifts combine eight of them into one integer, so that
     * pack() gets an eighth of the arguments.
     *
     * @param list<mixed> $list
     *
     * @return int how many were appended; 0 if other values follow too soon
     */
    private static function appendFixints(array $list, int $fixintEnd, string &$out): int
    {
        $others = -$fixintEnd; // the bits that no positive fixint has
        $count = \count($list);
        $end = $count - $count % 8;
        $words = [];
        $i = 0; // the literal 0 lets PHP prove that $i stays an int, which makes this 10 % faster
        while ($i < $end) {
            $stop = $end - $i > self::MOST_FIXINTS ? $i + self::MOST_FIXINTS : $end;
            while ($i < $stop) {
                $a = $list[$i++];
                $b = $list[$i++];
                $c = $list[$i++];
                $d = $list[$i++];
                $e = $list[$i++];
                $f = $list[$i++];
                $g = $list[$i++];
                $h = $list[$i++];
                if (
                    \is_int($a) && \is_int($b) && \is_int($c) && \is_int($d) && \is_int($e) && \is_int($f) && \is_int($g) && \is_int($h)
                    && (($a | $b | $c | $d | $e | $f | $g | $h) & $others) === 0
                ) {
                    $words[] = ((((((($a << 8 | $b) << 8 | $c) << 8 | $d) << 8 | $e) << 8 | $f) << 8 | $g) << 8 | $h);
                    continue;
                }
                $i -= 8;
                if ($i < self::FEWEST_NUMBERS) {
                    return 0;
                }
                break 2;
            }
            $out .= \pack('J*', ...$words);
            $words = [];
        }
        if ($words !== []) { // the ints before a value that ended the run
            $out .= \pack('J*', ...$words);
        }
        while ($i < $count) { // up to seven values: the end of the list, or the start of eight that aren't all in range
            $last = $list[$i];
            if (!\is_int($last) || ($last & $others) !== 0) {
                break;
            }
            $out .= \chr($last);
            ++$i;
        }

        return $i;
    }

    /**
     * Appends the ints of four bytes at the start of a list. Shifts combine eight of them, with their head bytes, into
     * five integers.
     *
     * @param list<mixed> $list
     *
     * @return int how many were appended; 0 if other values follow too soon
     */
    private static function appendFourBytes(array $list, string $head, int $least, int $most, string &$out): int
    {
        // A negative number has ones in all bits above its four bytes, where its head byte belongs. One XOR turns these
        // ones into the head byte, and into zeros above it.
        $byte = \ord($head);
        $top = $least < 0 ? ~$byte : $byte;
        $heads1 = $top << 56 ^ $top << 16;
        $heads2 = $top << 40 ^ $byte; // the last head isn't inverted, because its number is in the next word
        $heads3 = $top << 24;
        $heads4 = $top << 48 ^ $top << 8;
        $heads5 = $top << 32;
        $count = \count($list);
        $end = $count - $count % 8;
        $words = [];
        $i = 0;
        while ($i < $end) {
            $stop = $end - $i > self::MOST_FOUR_BYTES ? $i + self::MOST_FOUR_BYTES : $end;
            while ($i < $stop) {
                $a = $list[$i++];
                $b = $list[$i++];
                $c = $list[$i++];
                $d = $list[$i++];
                $e = $list[$i++];
                $f = $list[$i++];
                $g = $list[$i++];
                $h = $list[$i++];
                if (
                    \is_int($a) && \is_int($b) && \is_int($c) && \is_int($d) && \is_int($e) && \is_int($f) && \is_int($g) && \is_int($h)
                    && $a >= $least && $b >= $least && $c >= $least && $d >= $least && $e >= $least && $f >= $least && $g >= $least && $h >= $least
                    && $a <= $most && $b <= $most && $c <= $most && $d <= $most && $e <= $most && $f <= $most && $g <= $most && $h <= $most
                ) {
                    $words[] = $heads1 ^ $a << 24 ^ $b >> 16;
                    $words[] = $heads2 ^ $b << 48 ^ $c << 8;
                    $words[] = $heads3 ^ $d << 32 ^ $e >> 8;
                    $words[] = $heads4 ^ $e << 56 ^ $f << 16 ^ $g >> 24;
                    $words[] = $heads5 ^ $g << 40 ^ $h;
                    continue;
                }
                $i -= 8;
                if ($i < self::FEWEST_NUMBERS) {
                    return 0;
                }
                break 2;
            }
            $out .= \pack('J*', ...$words);
            $words = [];
        }
        if ($words !== []) {
            $out .= \pack('J*', ...$words);
        }
        while ($i < $count) { // up to seven values: the end of the list, or the start of eight that aren't all in range
            $last = $list[$i];
            if (!\is_int($last) || $last < $least || $last > $most) {
                break;
            }
            $out .= $head . \pack('N', $last);
            ++$i;
        }

        return $i;
    }

    /**
     * Returns the elements of the list from $from on: all of them if $from is 0, otherwise at most $most. Copying all
     * remaining elements for each run would be expensive in a list of many short runs.
     *
     * @param list<mixed> $list
     *
     * @return list<mixed>
     */
    private static function rest(array $list, int $from, int $most): array
    {
        return $from === 0 ? $list : \array_slice($list, $from, $most);
    }

    /**
     * @param list<mixed> $list
     *
     * @return list<mixed>
     */
    private static function slice(array $list, int $from, int $count, int $most): array
    {
        return $from === 0 && $count <= $most ? $list : \array_slice($list, $from, $most);
    }

    /**
     * Returns how ints of the same width as this one are packed: the format for pack(), the number of bytes, the head
     * byte, the least int and the greatest. The arrays are constants, so no call allocates one.
     *
     * @return array{string, int<1, 8>, string, int, int}
     */
    private static function widthOf(int $int, int $fixintEnd): array
    {
        if ($int < 0x80 && $int >= -0x20) {
            if ($fixintEnd === 0x80) {
                return ['c*', 1, '', -0x20, 0x7f];
            }

            return $int < 0x40 ? ['c*', 1, '', -0x20, 0x3f] : ['C*', 1, "\xcc", 0x40, 0xff];
        }
        if ($int < 0) {
            return match (true) {
                $int >= -0x80 => ['c*', 1, "\xd0", -0x80, -0x21],
                $int >= -0x8000 => ['n*', 2, "\xd1", -0x8000, -0x81],
                $int >= -0x80000000 => ['N*', 4, "\xd2", -0x80000000, -0x8001],
                default => ['J*', 8, "\xd3", \PHP_INT_MIN, -0x80000001],
            };
        }

        return match (true) {
            $int < 0x100 => ['C*', 1, "\xcc", 0x80, 0xff],
            $int < 0x10000 => ['n*', 2, "\xcd", 0x100, 0xffff],
            $int < 0x100000000 => ['N*', 4, "\xce", 0x10000, 0xffffffff],
            default => ['J*', 8, "\xcf", 0x100000000, \PHP_INT_MAX],
        };
    }

    /**
     * Counts the ints within a range at the start of a list. Usually all ints are in range, so the first loop only
     * tests that.
     *
     * @param list<mixed> $list
     */
    private static function intsWithin(array $list, int $least, int $most): int
    {
        $all = true;
        foreach ($list as $value) {
            if (!\is_int($value) || $value < $least || $value > $most) {
                $all = false;
                break;
            }
        }
        if (!$all) {
            foreach ($list as $i => $value) {
                if (!\is_int($value) || $value < $least || $value > $most) {
                    return $i;
                }
            }
        }

        return \count($list);
    }

    /**
     * Counts the floats at the start of a list that are not above a maximum. Stops at NaN, which pack() might not write
     * as the one NaN of the format (spec/02-wire.md#float).
     *
     * @param list<mixed> $list
     */
    private static function floatsUpTo(array $list, float $most): int
    {
        // Don't negate the comparisons below: opcache would turn !($value <= $most) into $value > $most, which is wrong
        // for NaN.
        $all = true;
        foreach ($list as $value) {
            if (\is_float($value) && $value <= $most) {
                continue;
            }
            $all = false;
            break;
        }
        if (!$all) {
            foreach ($list as $i => $value) {
                if (\is_float($value) && $value <= $most) {
                    continue;
                }

                return $i;
            }
        }

        return \count($list);
    }
}
