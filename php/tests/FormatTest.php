<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\TestCase;
use Polypack\Format;
use Polypack\Limits;

/**
 * The constants against spec/format.json.
 */
final class FormatTest extends TestCase
{
    public function testHeadBytesAreThoseOfTheSpecification(): void
    {
        $seen = 0;
        foreach (self::table()['heads'] as $head) {
            $first = (int) \hexdec($head['first']);
            self::assertSame($first, self::constant($head['name']), $head['name']);
            for ($byte = $first; $byte <= \hexdec($head['last']); ++$byte) {
                self::assertTrue($byte >= 0 && $byte <= 255);
                self::assertSame($head['format'], Format::name($byte));
                self::assertSame($head['family'], Format::family($byte));
                ++$seen;
            }
        }
        self::assertSame(256, $seen);
    }

    public function testExtensionTypesAndLimitsAreThoseOfTheSpecification(): void
    {
        $table = self::table();
        foreach ($table['extensions'] as $name => $type) {
            self::assertSame($type, self::constant("EXT_{$name}"));
        }
        self::assertSame($table['limits']['MAX_DEPTH'], (new Limits())->maxDepth);
        self::assertSame($table['limits']['MAX_STREAM_BYTES'], (new Limits())->maxBytes);
        self::assertSame($table['limits']['MAX_COLLISIONS'], (new Limits())->maxCollisions);
        self::assertNull((new Limits())->maxValues);
    }

    private static function constant(string $name): mixed
    {
        return \constant(Format::class . "::{$name}");
    }

    /**
     * @return array{
     *     heads: list<array{format: string, name: string, family: string, first: string, last: string}>,
     *     extensions: array<string, int>,
     *     limits: array<string, int>,
     * }
     */
    private static function table(): array
    {
        $json = (string) \file_get_contents(__DIR__ . '/../../spec/format.json');
        /**
         * @var array{heads: list<array{format: string, name: string, family: string, first: string, last: string}>,
         *     extensions: array<string, int>, limits: array<string, int>} $table
         */
        $table = \json_decode($json, true, flags: \JSON_THROW_ON_ERROR);

        return $table;
    }
}
