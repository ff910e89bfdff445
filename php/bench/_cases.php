<?php

declare(strict_types=1);

namespace Polypack\Bench;

/**
 * Single values, one for each format and each edge of its range: the cases, under the same names, that the benchmark of
 * rybakit/msgpack measures.
 */
final class Cases
{
    /** Too long for the default of the table. */
    public const SLOW = ['16-bit array #2', '32-bit array', '16-bit map #2', '32-bit map'];

    /** What the PECL extension of version 2 cannot hold: bin and ext. */
    public const NOT_IN_PECL = [
        '8-bit binary #1', '8-bit binary #2', '8-bit binary #3', '16-bit binary', '32-bit binary', 'complex array', 'fixext 1', 'fixext 2', 'fixext 4', 'fixext 8', 'fixext 16', '8-bit ext', '16-bit ext', '32-bit ext',
        '32-bit timestamp #1', '32-bit timestamp #2', '64-bit timestamp #1', '64-bit timestamp #2', '64-bit timestamp #3',
        '96-bit timestamp #1', '96-bit timestamp #2', '96-bit timestamp #3',
    ];

    /**
     * Every case, with ext values and timestamps as the library has them; without a library, the cases that have none.
     *
     * @return array<string, mixed> by name
     */
    public static function all(?Library $library): array
    {
        return [
            'nil' => null,
            'false' => false,
            'true' => true,
            ...self::numbers(),
            ...self::strings(),
            ...self::containers($library),
            ...($library === null ? [] : self::extensions($library)),
        ];
    }

    /**
     * The bytes that the case decodes: of a binary case bin, which a packer writes only when told to.
     */
    public static function bytes(string $name, mixed $value, Library $library): string
    {
        return \is_string($value) && \str_contains($name, 'binary') ? ($library->packBin)($value) : ($library->encode)($value, 1);
    }

    /**
     * @return array<string, int|float>
     */
    private static function numbers(): array
    {
        $edges = [
            '7-bit uint' => [0, 16, 0x7f],
            '5-bit sint' => [-1, -16, -32],
            '8-bit uint' => [0x80, 0xf0, 0xff],
            '16-bit uint' => [0x100, 0x2000, 0xffff],
            '32-bit uint' => [0x1_0000, 0x20_0000, 0xffff_ffff],
            '64-bit uint' => [0x1_0000_0000, 0x1_0000_0000_0000, \PHP_INT_MAX],
            '8-bit int' => [-33, -100, -0x80],
            '16-bit int' => [-0x81, -2000, -0x8000],
            '32-bit int' => [-0x8001, -1_000_000_000, -0x8000_0000],
            '64-bit int' => [-0x8000_0001, -0x1_0000_0000, -0x1_0000_0000_0000, \PHP_INT_MIN],
            '64-bit float' => [0.0, 2.5, 1e35],
        ];
        $cases = [];
        foreach ($edges as $format => $values) {
            foreach ($values as $number => $value) {
                $cases["{$format} #" . ($number + 1)] = $value;
            }
        }

        return $cases;
    }

    /**
     * @return array<string, string>
     */
    private static function strings(): array
    {
        return [
            'fix string #1' => '',
            'fix string #2' => 'a',
            'fix string #3' => 'abc',
            'fix string #4' => \str_repeat('a', 31),
            '8-bit string #1' => \str_repeat('b', 32),
            '8-bit string #2' => \str_repeat('c', 100),
            '8-bit string #3' => \str_repeat('d', 255),
            '16-bit string #1' => \str_repeat('b', 256),
            '16-bit string #2' => \str_repeat('c', 0xffff),
            '32-bit string' => \str_repeat('b', 0x1_0000),
            'wide char string #1' => 'Ångström',
            'wide char string #2' => 'Съешь ещё этих булок',
            '8-bit binary #1' => "\x80",
            '8-bit binary #2' => \str_repeat("\x80", 32),
            '8-bit binary #3' => \str_repeat("\x80", 255),
            '16-bit binary' => \str_repeat("\x80", 256),
            '32-bit binary' => \str_repeat("\x80", 0x1_0000),
        ];
    }

    /**
     * @return array<string, array<mixed>>
     */
    private static function containers(?Library $library): array
    {
        return [
            'fix array #1' => [],
            'fix array #2' => [null, null],
            'fix array #3' => [5, 'abc', true],
            '16-bit array #1' => \array_fill(0, 16, 5),
            '16-bit array #2' => \array_fill(0, 0xffff, 5),
            '32-bit array' => \array_fill(0, 0x1_0000, 5),
            ...($library === null ? [] : [
                'complex array' => [true, 1, ($library->ext)(3, 'foo'), 0xff, [1 => false, 2 => 'abc'], "\x80", [1, 2, 3], 'abc'],
            ]),
            'fix map #1' => [1 => true, 2 => 'abc', 3 => "\x80", 4 => null],
            'fix map #2' => ['abc' => 5],
            'fix map #3' => ["\x80" => 0xffff],
            'fix map #4' => [-1 => -1, 1 => 1],
            '16-bit map #1' => \array_fill(1, 16, 5),
            '16-bit map #2' => \array_fill(1, 0xffff, 5),
            '32-bit map' => \array_fill(1, 0x1_0000, 5),
            'complex map' => [
                1 => [[1 => 2, 3 => 4], [1 => null]],
                2 => 1,
                3 => [false, 'def'],
                4 => [0x1_0000_0000 => 'a', 0xffff_ffff => 'b'],
            ],
        ];
    }

    /**
     * @return array<string, object>
     */
    private static function extensions(Library $library): array
    {
        $cases = [];
        foreach (['fixext 1' => 1, 'fixext 2' => 2, 'fixext 4' => 4, 'fixext 8' => 8, 'fixext 16' => 16] as $name => $length) {
            $cases[$name] = ($library->ext)(5, \str_repeat("\x80", $length));
        }
        foreach (['8-bit ext' => 255, '16-bit ext' => 256, '32-bit ext' => 0x1_0000] as $name => $length) {
            $cases[$name] = ($library->ext)(5, \str_repeat("\x80", $length));
        }
        $times = [
            '32-bit timestamp' => [[0, 0], [0xffff_ffff, 0]],
            '64-bit timestamp' => [[0, 1], [0x1_0000_0000, 0], [0x3_ffff_ffff, 999_999_999]],
            '96-bit timestamp' => [[\PHP_INT_MIN, 0], [0x4_0000_0000, 0], [\PHP_INT_MAX, 999_999_999]],
        ];
        foreach ($times as $format => $list) {
            foreach ($list as $number => [$seconds, $nanoseconds]) {
                $cases["{$format} #" . ($number + 1)] = ($library->timestamp)($seconds, $nanoseconds);
            }
        }

        return $cases;
    }
}
