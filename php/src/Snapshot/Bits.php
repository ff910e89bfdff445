<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Packs ints of a fixed width into bits, the lowest bit first, and unpacks them (spec/10-snapshot.md#bits).
 *
 * @internal
 */
final class Bits
{
    private const FORMATS = [8 => 'C*', 16 => 'v*', 32 => 'V*', 64 => 'P*'];
    private const CHUNK = 4096;

    /**
     * @param list<int> $numbers 0 to 2^width − 1; any int if the width is 64
     * @param int       $width   in bits: 0 to 56, or 64
     */
    public static function pack(array $numbers, int $width): string
    {
        if ($width === 0) {
            return '';
        }
        if (isset(self::FORMATS[$width])) {
            $packed = '';
            foreach (\array_chunk($numbers, self::CHUNK) as $chunk) {
                $packed .= \pack(self::FORMATS[$width], ...$chunk);
            }

            return $packed;
        }
        $packed = '';
        $bits = $there = 0;
        if ($width < 32) {
            $words = [];
            foreach ($numbers as $number) {
                $bits |= $number << $there;
                $there += $width;
                if ($there >= 32) {
                    $words[] = $bits & 0xffff_ffff;
                    $bits >>= 32;
                    $there -= 32;
                }
            }
            $packed = self::pack($words, 32);
        } else {
            foreach ($numbers as $number) {
                $bits |= $number << $there;
                $there += $width;
                while ($there >= 8) {
                    $packed .= \chr($bits & 0xff);
                    $bits >>= 8;
                    $there -= 8;
                }
            }
        }
        for (; $there > 0; $there -= 8) {
            $packed .= \chr($bits & 0xff);
            $bits >>= 8;
        }

        return $packed;
    }

    /**
     * @return list<int>
     */
    public static function unpack(string $packed, int $count, int $width): array
    {
        if ($width === 0) {
            return $count === 0 ? [] : \array_fill(0, $count, 0);
        }
        if (isset(self::FORMATS[$width])) {
            return self::words($packed, $width);
        }
        $mask = (1 << $width) - 1;
        $numbers = [];
        $bits = $there = $next = 0;
        if ($width < 32) {
            $words = self::words($packed . "\0\0\0", 32);
            for ($i = 0; $i < $count; ++$i) {
                if ($there < $width) {
                    $bits |= $words[$next++] << $there;
                    $there += 32;
                }
                $numbers[] = $bits & $mask;
                $bits >>= $width;
                $there -= $width;
            }

            return $numbers;
        }
        for ($i = 0; $i < $count; ++$i) {
            while ($there < $width) {
                $bits |= \ord($packed[$next++]) << $there;
                $there += 8;
            }
            $numbers[] = $bits & $mask;
            $bits >>= $width;
            $there -= $width;
        }

        return $numbers;
    }

    /**
     * Returns how many bits a number needs; 0 for 0.
     */
    public static function width(int $number): int
    {
        return $number === 0 ? 0 : \strlen(\decbin($number));
    }

    public static function bytes(int $count, int $width): int
    {
        return ($count * $width + 7) >> 3;
    }

    /**
     * @return list<int>
     */
    private static function words(string $packed, int $width): array
    {
        /** @var array<int, int>|false $words */
        $words = \unpack(self::FORMATS[$width] ?? '', $packed);

        return $words === false ? [] : \array_values($words);
    }
}
