<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\Type\Timestamp;
use Polypack\Type\UInt64;

/**
 * The canonical form as code: slow and obvious, for values of the lossless types.
 */
final class ReferenceEncoder
{
    public static function canonical(mixed $value): string
    {
        return match (true) {
            $value === null => "\xc0",
            \is_bool($value) => $value ? "\xc3" : "\xc2",
            \is_int($value) => self::int(\gmp_init($value)),
            $value instanceof UInt64 => self::int(\gmp_init($value->digits)),
            \is_float($value) => "\xcb" . (\is_nan($value) ? "\x7f\xf8\0\0\0\0\0\0" : \pack('E', $value)),
            \is_string($value) => self::sized($value, [[31, 0xa0], [255, 0xd9], [65535, 0xda], [4294967295, 0xdb]]),
            $value instanceof Bin => self::sized($value->data, [[255, 0xc4], [65535, 0xc5], [4294967295, 0xc6]]),
            $value instanceof Ext => self::ext($value->type, $value->data),
            $value instanceof Timestamp => self::ext(-1, self::timestamp($value)),
            \is_array($value) => self::counted(\count($value), 0x90, 0xdc)
                . \implode('', \array_map(self::canonical(...), $value)),
            $value instanceof \stdClass => self::map(\array_map(
                static fn(int|string $name, mixed $property): array => [(string) $name, $property],
                \array_keys(\get_object_vars($value)),
                \get_object_vars($value),
            )),
            $value instanceof Entries => self::map($value->entries),
            default => throw new \LogicException('not a lossless value: ' . \get_debug_type($value)),
        };
    }

    /**
     * @param list<array{mixed, mixed}> $entries
     */
    private static function map(array $entries): string
    {
        $encoded = \array_map(
            static fn(array $entry): array => [self::canonical($entry[0]), self::canonical($entry[1])],
            $entries,
        );
        \usort($encoded, static fn(array $a, array $b): int => \strcmp($a[0], $b[0]));

        return self::counted(\count($entries), 0x80, 0xde)
            . \implode('', \array_map(static fn(array $entry): string => $entry[0] . $entry[1], $encoded));
    }

    public static function int(\GMP $number): string
    {
        $bits = static fn(int $bytes): string => \substr(\str_repeat("\0", 8) . \gmp_export(
            \gmp_mod($number, \gmp_pow(256, $bytes)),
        ), -$bytes);

        return match (true) {
            $number >= 0 && $number < 128, $number < 0 && $number >= -32 => $bits(1),
            $number >= 0 && $number < 256 => "\xcc" . $bits(1),
            $number >= 0 && $number < 65536 => "\xcd" . $bits(2),
            $number >= 0 && $number < 4294967296 => "\xce" . $bits(4),
            $number >= 0 => "\xcf" . $bits(8),
            $number >= -128 => "\xd0" . $bits(1),
            $number >= -32768 => "\xd1" . $bits(2),
            $number >= -2147483648 => "\xd2" . $bits(4),
            default => "\xd3" . $bits(8),
        };
    }

    /**
     * @param list<array{int, int}> $formats greatest length and head byte
     */
    public static function sized(string $data, array $formats): string
    {
        $length = \strlen($data);
        foreach ($formats as [$most, $head]) {
            if ($length <= $most) {
                return match ($most) {
                    31 => \chr($head + $length),
                    255 => \chr($head) . \pack('C', $length),
                    65535 => \chr($head) . \pack('n', $length),
                    default => \chr($head) . \pack('N', $length),
                } . $data;
            }
        }

        throw new \LogicException('too long');
    }

    public static function counted(int $count, int $fix, int $wide): string
    {
        if ($count <= 15) {
            return \chr($fix + $count);
        }

        return $count <= 65535 ? \chr($wide) . \pack('n', $count) : \chr($wide + 1) . \pack('N', $count);
    }

    public static function ext(int $type, string $data): string
    {
        $length = \strlen($data);
        $fix = \array_search($length, [1, 2, 4, 8, 16], true);
        $head = match (true) {
            $fix !== false => \chr(0xd4 + $fix),
            $length <= 255 => "\xc7" . \pack('C', $length),
            $length <= 65535 => "\xc8" . \pack('n', $length),
            default => "\xc9" . \pack('N', $length),
        };

        return $head . \pack('c', $type) . $data;
    }

    public static function timestamp(Timestamp $timestamp): string
    {
        $seconds = $timestamp->getSeconds();
        $nanoseconds = $timestamp->getNanoseconds();
        if ($seconds >= 0 && $seconds < 2 ** 32 && $nanoseconds === 0) {
            return \pack('N', $seconds);
        }
        if ($seconds >= 0 && $seconds < 2 ** 34) {
            return \pack('N', $nanoseconds * 4 + \intdiv($seconds, 2 ** 32)) . \pack('N', $seconds % 2 ** 32);
        }

        return \pack('N', $nanoseconds) . \pack('J', $seconds);
    }
}
