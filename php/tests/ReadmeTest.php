<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\MessagePack;
use Polypack\PackOptions;
use Polypack\Records\SharedRecords;
use Polypack\StreamUnpacker;
use Polypack\UnpackOptions;

/**
 * Figures of README.md. Its examples run in `make test-readme`.
 */
final class ReadmeTest extends TestCase
{
    /**
     * @param \Closure(string): mixed $decode
     */
    #[DataProvider('heaviest')]
    public function testWhatValuesTakeOfMemory(string $sentence, string $packed, \Closure $decode): void
    {
        $readme = \preg_replace('/\s+/', ' ', (string) \file_get_contents(__DIR__ . '/../README.md'));
        if (\preg_match("/{$sentence}/", (string) $readme, $match) !== 1) {
            self::fail("README.md doesn't say: {$sentence}");
        }
        $figure = (int) ($match[1] ?? 0);
        $value = $decode($packed); // classes are loaded now
        unset($value);
        $before = \memory_get_usage();
        $value = $decode($packed);
        $times = (\memory_get_usage() - $before) / \strlen($packed);

        self::assertIsArray($value);
        self::assertLessThanOrEqual($figure + 0.5, $times);
        self::assertGreaterThan($figure - 2, $times);
    }

    /**
     * @return iterable<string, array{string, string, \Closure(string): mixed}>
     */
    public static function heaviest(): iterable
    {
        // One value more than fills a table, which is then twice as large: that is the most that values take.
        $head = "\xdc" . \pack('n', 32_769);
        $map = "\x81\xa0\xc0";
        yield 'maps' => ['maps of one entry up to (\d+) times as much', $head . \str_repeat($map, 32_769), MessagePack::unpack(...)];
        yield 'records' => [
            'records of one value (\d+) times', "{$head}\xd4\x72\x40\x91\xa1a\xc0" . \str_repeat("\x40\xc0", 32_768),
            static fn(string $packed): mixed => MessagePack::unpack($packed, UnpackOptions::RECORDS_INLINE),
        ];
        // PHP allocates the table in whole pages, so few messages take the most.
        yield 'messages of a chunk' => [
            'a list that takes up to (\d+) times its bytes', \str_repeat($map, 129),
            static fn(string $packed): mixed => (new StreamUnpacker())->feed($packed),
        ];
    }

    public function testADictionaryHas32ShapesByDefault(): void
    {
        self::assertStringContainsString('32 shapes by default', (string) \preg_replace('/\s+/', ' ', (string) \file_get_contents(__DIR__ . '/../README.md')));
        self::assertSame(32, SharedRecords::DEFAULT_SHAPES);
    }

    public function testDefaultModeWritesStrThatOthersRefuse(): void
    {
        self::assertSame('a1ff', \bin2hex(MessagePack::pack("\xff")));
        self::assertSame('c401ff', \bin2hex(MessagePack::pack("\xff", PackOptions::STRICT)));
        self::assertSame('c401ff', \bin2hex(MessagePack::pack("\xff", PackOptions::DETECT_STR_BIN)));
    }
}
