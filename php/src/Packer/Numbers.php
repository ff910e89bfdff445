<?php

declare(strict_types=1);

namespace Polypack\Packer;

/**
 * Lists of numbers of one width, which are the commonest long lists: one call of pack() makes the bytes of many, and one of
 * chunk_split() puts the head bytes between them. That takes a fifth of the time of packing them one by one.
 *
 * @internal
 */
trait Numbers
{
    /** Numbers that are packed at once: they lie on PHP's stack as arguments. */
    private const MOST_NUMBERS = 2048;

    /** After fewer of one width than this, another width follows so soon that the loop over values is faster. */
    private const FEWEST_NUMBERS = 64;

    /** A float beyond this may be too great for float 32, and is left to the loop over values. */
    private const FLOAT32_MAX = 3.4028234663852886e38;

    /**
     * Appends the numbers that a list starts with, while they come in many of one width.
     *
     * @param array<array-key, mixed> $list  at least one element
     * @param int                     $count of elements
     * @param string                  $out
     *
     * @return int how many were appended
     */
    protected function appendNumbers($list, $count, &$out)
    {
        $list = \array_values($list);
        $done = 0;
        do {
            $slice = $count <= self::MOST_NUMBERS && $done === 0
                ? $list
                : \array_slice($list, $done, self::MOST_NUMBERS);
            $first = $slice[0];
            if (\is_int($first)) {
                [$format, $width, $head, $least, $most] = $this->widthOf($first);
                $numbers = self::intsWithin($slice, $least, $most);
            } elseif (\is_float($first)) {
                [$format, $width, $head] = $this->forceFloat32 ? ['G*', 4, "\xca"] : ['E*', 8, "\xcb"];
                $numbers = self::floatsUpTo($slice, $this->forceFloat32 ? self::FLOAT32_MAX : \INF);
            } else {
                break;
            }
            $rest = \count($slice) - $numbers;
            if ($rest > 0) {
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
     * Returns how ints of this one's width are packed: the format for pack(), bytes, the head byte, least and most.
     *
     * @return array{string, int<1, 8>, string, int, int}
     */
    private function widthOf(int $int): array
    {
        if ($int < 0) {
            return match (true) {
                $int >= -0x20 => ['c*', 1, '', -0x20, $this->fixintEnd - 1],
                $int >= -0x80 => ['c*', 1, "\xd0", -0x80, -0x21],
                $int >= -0x8000 => ['n*', 2, "\xd1", -0x8000, -0x81],
                $int >= -0x80000000 => ['N*', 4, "\xd2", -0x80000000, -0x8001],
                default => ['J*', 8, "\xd3", \PHP_INT_MIN, -0x80000001],
            };
        }

        return match (true) {
            $int < $this->fixintEnd => ['c*', 1, '', -0x20, $this->fixintEnd - 1],
            $int < 0x100 => ['C*', 1, "\xcc", $this->fixintEnd, 0xff],
            $int < 0x10000 => ['n*', 2, "\xcd", 0x100, 0xffff],
            $int < 0x100000000 => ['N*', 4, "\xce", 0x10000, 0xffffffff],
            default => ['J*', 8, "\xcf", 0x100000000, \PHP_INT_MAX],
        };
    }

    /**
     * Counts the ints within a range that a list starts with. Mostly all are, and the first loop need not count them.
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
     * Counts the floats up to a greatest one that a list starts with. A NaN is not among them: it has bytes of its own.
     *
     * @param list<mixed> $list
     */
    private static function floatsUpTo(array $list, float $most): int
    {
        // The comparison is never negated: opcache would make it $value > $most, which a NaN does not answer the other way.
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
