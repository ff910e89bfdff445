<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Tests\Support\Snapshot\Codec;

/**
 * What a byte of a snapshot takes of memory, as SECURITY.md says.
 */
final class MemoryTest extends TestCase
{
    /** Bytes for each byte of input. A byte is two containers at worst: a row of a table, and what is in its cell. */
    private const MOST = 560;

    private const TIMES = 50_000;

    /**
     * @return iterable<string, array{string}>
     */
    public static function inputs(): iterable
    {
        $object = "\xcf\x48stdClass\0\1\0\0\x41a";
        $empty = "\x82\xcf\x48stdClass\0\0\0\0";
        $row = "\xce\1\x41a";
        foreach ([
            'null' => ['', "\xc0"], 'empty list' => ['', "\x80"], 'list of one' => ['', "\x81\5"], 'string' => ['', "\x42\xff\xff"],
            'empty object' => ["\xcf\x48stdClass\0\0\0\0", "\x60"], 'object' => ["{$object}\5", "\x60\5"], 'row' => ["{$row}\5", "\x60\5"],
            'map' => ['', "\xd6\1\0\5\5"],
        ] as $name => [$first, $unit]) {
            yield $name => ["\xd3" . self::counted(self::TIMES + (int) ($first !== '')) . $first . \str_repeat($unit, self::TIMES)];
        }
        foreach ([
            'table of arrays' => ['', $row, "\xc0"], 'table of objects' => ['', $object, "\xc0"],
            'table of objects with objects' => [$empty, $object, "\x60"], 'table of arrays with objects' => [$empty, $row, "\x60"],
        ] as $name => [$before, $shape, $cell]) {
            yield $name => ["{$before}\xd5" . self::counted(self::TIMES) . "{$shape}\0" . \str_repeat($cell, self::TIMES)];
        }
    }

    private static function counted(int $count): string
    {
        return \chr($count & 0x7f | 0x80) . \chr($count >> 7 & 0x7f | 0x80) . \chr($count >> 14);
    }

    #[DataProvider('inputs')]
    public function testMemoryPerByte(string $value): void
    {
        $bytes = "\xc1\x53\1\0{$value}";
        \gc_collect_cycles();
        \memory_reset_peak_usage();
        $before = \memory_get_usage();
        $read = Codec::unserialize($bytes);
        $used = (\memory_get_peak_usage() - $before) / \strlen($bytes);

        self::assertIsArray($read);
        self::assertLessThan(self::MOST, $used);
    }
}
