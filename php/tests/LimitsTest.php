<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Canonical;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Raw;
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\CountedExtension;
use Polypack\Tests\Support\Modes;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\Processor;
use Polypack\UnpackOptions;

/**
 * spec/06-limits.md: what hostile input can cost.
 */
final class LimitsTest extends TestCase
{
    /**
     * Processor time; a tripwire for work that isn't linear. `make bench` measures what the specification allows.
     */
    private const MILLISECONDS = 500;

    public function testDepth(): void
    {
        $nested = static fn(int $n, string $head): string => \str_repeat($head, $n) . "\xc0";
        self::assertNotSame([], MessagePack::unpack($nested(512, "\x91")));
        self::assertNotSame([], MessagePack::unpack(\str_repeat("\x81\xa1k", 512) . "\xc0"));
        foreach (["\x91", "\x81\x01"] as $head) {
            $outcome = Outcome::of(static fn(): mixed => MessagePack::unpack($nested(513, $head)));
            self::assertStringStartsWith('limit_exceeded at ' . 512 * \strlen($head) . ' (/', $outcome);
        }
        $limits = new Limits(maxDepth: 3);
        self::assertSame([[[]]], MessagePack::unpack("\x91\x91\x90", limits: $limits));
        self::assertSame('limit_exceeded at 3 (/0/0/0)', Outcome::of(
            static fn(): mixed => MessagePack::unpack("\x91\x91\x91\x90", limits: $limits),
        ));
        $deep = MessagePack::unpack($nested(10_000, "\x91"), limits: new Limits(maxDepth: 10_000));
        self::assertIsArray($deep);
    }

    public function testMaxValues(): void
    {
        $unpack = static fn(string $bytes, int $most): string => Outcome::of(
            static fn(): mixed => MessagePack::unpack($bytes, limits: new Limits(maxValues: $most)),
        );
        self::assertSame(Outcome::value(1), $unpack("\x01", 1));
        self::assertSame(Outcome::value([]), $unpack("\x90", 1));
        self::assertSame('limit_exceeded at 0 ()', $unpack("\x91\x01", 1));
        self::assertSame(Outcome::value([1]), $unpack("\x91\x01", 2));
        self::assertSame('limit_exceeded at 2 (/1)', $unpack("\x92\x01\x81\xa1a\x02", 4));
        self::assertSame(Outcome::value([1, ['a' => 2]]), $unpack("\x92\x01\x81\xa1a\x02", 5));
        $unpacker = new BufferUnpacker("\x91\x01\x91\x02", limits: new Limits(maxValues: 2));
        self::assertSame([[1], [2]], [$unpacker->unpack(), $unpacker->unpack()], 'each message counts for itself');
    }

    /**
     * @return iterable<string, array{int, string, int, string}> what it weighs, the message, the options, and the fault
     */
    public static function weights(): iterable
    {
        $strict = UnpackOptions::STRICT;
        $lossless = UnpackOptions::LOSSLESS;
        $records = UnpackOptions::RECORDS_INLINE;
        foreach (['default' => 0, 'strict' => $strict] as $mode => $options) {
            yield "array, {$mode}" => [200 + 64 * 2, "\x92\xc0\xa2ab", $options, '0 ()'];
            yield "array 16, {$mode}" => [200 + 64 * 17, "\xdc\x00\x11" . \str_repeat("\xc0", 17), $options, '0 ()'];
            yield "map, {$mode}" => [320 + 144, "\x81\xa1a\xc0", $options, '0 ()'];
            yield "map 32, {$mode}" => [320 + 144 * 2, "\xdf\x00\x00\x00\x02\x01\xc0\x02\xc0", $options, '0 ()'];
            yield "nested, {$mode}" => [200 + 64 * 2 + 320 + 144 + 200 + 64, "\x92\xc0\x81\xa1a\x91\xcb" . \str_repeat("\x00", 8), $options, '5 (/1/a)'];
            yield "empty ones, {$mode}" => [200 + 64 * 3, "\x93\x90\x80\xdc\x00\x00", $options, '0 ()'];
            yield "ext, {$mode}" => [200 + 64 + 96, "\x91\xd4\x05a", $options, '1 (/0)'];
            yield "ext 8, {$mode}" => [200 + 64 + 96, "\x91\xc7\x00\x05", $options, '1 (/0)'];
            yield "timestamp, {$mode}" => [320 + 144 + 96, "\x81\xa1t\xd6\xff\x00\x00\x00\x01", $options, '3 (/t)'];
            yield "ext alone, {$mode}" => [96, "\xd4\x05a", $options, '0 ()'];
            yield "ext 8 alone, {$mode}" => [96, "\xc7\x03\x05abc", $options, '0 ()'];
            yield "timestamp alone, {$mode}" => [96, "\xd6\xff\x00\x00\x00\x01", $options, '0 ()'];
            yield "timestamp 96 alone, {$mode}" => [96, "\xc7\x0c\xff" . \str_repeat("\x00", 12), $options, '0 ()'];
            yield "digits, {$mode}" => [200 + 64, "\x91\xcf" . \str_repeat("\xff", 8), $options, '0 ()'];
            yield "GMP, {$mode}" => [200 + 64 + 96, "\x91\xcf" . \str_repeat("\xff", 8), $options | UnpackOptions::BIGINT_AS_GMP, '1 (/0)'];
            $declaration = 200 + 64 * 2 + 320 + 144 * 2;
            yield "record, {$mode}" => [$declaration, "\xd4\x72\x40\x92\xa1a\xa1b\xc0\xc0", $options | $records, '0 ()'];
            yield "record again, {$mode}" => [200 + 64 * 2 + $declaration + 320 + 144 * 2, "\x92\xd4\x72\x40\x92\xa1a\xa1b\xc0\xc0\x40\xc0\xc0", $options | $records, '11 (/1)'];
        }
        yield 'map, lossless' => [320 + 400, "\x81\xa1a\xc0", $lossless, '0 ()'];
        yield 'bin, lossless' => [200 + 64 + 96, "\x91\xc4\x01a", $lossless, '1 (/0)'];
        yield 'uint 64, lossless' => [200 + 64 + 96, "\x91\xcf" . \str_repeat("\xff", 8), $lossless, '1 (/0)'];
        yield 'record, lossless' => [200 + 64 + 320 + 400, "\xd4\x72\x40\x91\xa1a\xc0", $lossless | $records, '0 ()'];
    }

    #[DataProvider('weights')]
    public function testMaxMemory(int $weight, string $message, int $options, string $fault): void
    {
        $unpack = static fn(int $most, string $bytes): string => Outcome::of(
            static fn(): mixed => MessagePack::unpack($bytes, $options, new Limits(maxMemory: $most)),
        );
        self::assertSame(Outcome::value(MessagePack::unpack($message, $options)), $unpack($weight, $message));
        self::assertSame("limit_exceeded at {$fault}", $unpack($weight - 1, $message));
        $unpacker = new BufferUnpacker($message . $message, $options, limits: new Limits(maxMemory: $weight));
        self::assertEquals($unpacker->unpack(), $unpacker->unpack(), 'each message counts for itself');
        $stream = static fn(int $most): StreamUnpacker => new StreamUnpacker($options, limits: new Limits(maxMemory: $most));
        self::assertCount(2, \iterator_to_array($stream($weight)->decode([$message, $message]), false));
        self::assertCount(1, $stream($weight)->feed($message . $message), 'the messages of a call share it');
        $raw = new BufferUnpacker($message, $options, limits: new Limits(maxMemory: $weight));
        self::assertSame(Outcome::value(MessagePack::unpack($message, $options)), Outcome::of(static fn(): mixed => $raw->get('')));
        self::assertSame(Outcome::value(MessagePack::unpack($message, $options)), Outcome::of(static fn(): mixed => $raw->unpackRaw()->unpack()));
        $raw = new BufferUnpacker($message, $options, limits: new Limits(maxMemory: $weight - 1));
        self::assertSame("limit_exceeded at {$fault}", Outcome::of(static fn(): mixed => $raw->get('')));
        self::assertSame("limit_exceeded at {$fault}", Outcome::of(static fn(): mixed => (new Raw($message, $raw))->unpack()));
        self::assertSame("limit_exceeded at {$fault}", Outcome::of(static fn(): array => $raw->tryUnpack()));
    }

    #[DataProvider('valuesInExtensions')]
    public function testTheDataOfExtensionsHasTheMemoryOfTheMessage(int $valueWeight, string $value): void
    {
        $extension = new CountedExtension(static fn(BufferUnpacker $unpacker): array => [$unpacker->unpack(), $unpacker->unpack()]);
        $ext = "\xc7" . \chr(2 * \strlen($value)) . "\x05{$value}{$value}";
        $weight = 200 + 64 * 2 + 2 * (96 + 2 * $valueWeight);
        foreach ([0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS] as $options) {
            $unpack = static fn(int $most): string => Outcome::of(
                static fn(): mixed => (new BufferUnpacker("\x92{$ext}{$ext}", $options, [$extension], new Limits(maxMemory: $most)))->unpack(),
            );
            $pair = static fn(): array => [MessagePack::unpack($value), MessagePack::unpack($value)];
            self::assertSame(Outcome::value([$pair(), $pair()]), $unpack($weight));
            self::assertSame('unsupported_value at ' . (1 + \strlen($ext)) . ' (/1)', $unpack($weight - 1));
        }
    }

    public function testAListOfMessagesInTheDataOfAnExtensionHasTheMemoryOfTheMessage(): void
    {
        $extension = new CountedExtension(static fn(BufferUnpacker $unpacker): array => $unpacker->tryUnpack());
        $ext = "\xc7\x03\x05\x01\x02\x03";
        $weight = 200 + 64 * 2 + 2 * (96 + 3 * 64);
        foreach ([0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS] as $options) {
            $unpack = static fn(int $most): mixed
                => (new BufferUnpacker("\x92{$ext}{$ext}", $options, [$extension], new Limits(maxMemory: $most)))->unpack();
            self::assertSame([[1, 2, 3], [1, 2, 3]], $unpack($weight));
            self::assertSame([[1, 2, 3], [1, 2]], $unpack($weight - 1), 'the rest is left to the next call');
        }
    }

    public function testReadingRecordsInTheDataOfAnExtensionByPathTakesNoMoreThanUnpackingThem(): void
    {
        $declaration = "\xd4\x72\x40\x91\xa1a\xc0";
        $data = "\x92{$declaration}\xdc\x00\x1e" . \str_repeat("\xc0", 30);
        $message = "\xc7" . \chr(\strlen($data)) . "\x05{$data}";
        $weight = 96 + (200 + 2 * 64) + (200 + 64 + 320 + 144) + (200 + 30 * 64);
        $reads = [
            static fn(BufferUnpacker $unpacker): mixed => $unpacker->unpack(),
            static fn(BufferUnpacker $unpacker): mixed => $unpacker->get('/1'),
            static fn(BufferUnpacker $unpacker): mixed => $unpacker->getRaw('/1'),
            static fn(BufferUnpacker $unpacker): mixed => $unpacker->unpackRaw(),
        ];
        foreach ([UnpackOptions::RECORDS_INLINE, UnpackOptions::RECORDS_INLINE | UnpackOptions::STRICT] as $options) {
            foreach ($reads as $read) {
                $extension = new CountedExtension(static fn(BufferUnpacker $unpacker): bool => $read($unpacker) !== null);
                $unpacker = new BufferUnpacker($message, $options, [$extension], new Limits(maxMemory: $weight));
                self::assertTrue($unpacker->unpack());
            }
        }
    }

    /**
     * @return iterable<string, array{int, string}> what it weighs, and its bytes
     */
    public static function valuesInExtensions(): iterable
    {
        yield 'array' => [264, "\x91\xc0"];
        yield 'fixext' => [96, "\xd4\x06a"];
        yield 'ext 8' => [96, "\xc7\x03\x06abc"];
        yield 'timestamp 32' => [96, "\xd6\xff\x00\x00\x00\x01"];
        yield 'timestamp 64' => [96, "\xd7\xff\x00\x00\x00\x04\x00\x00\x00\x00"];
        yield 'timestamp 96' => [96, "\xc7\x0c\xff" . \str_repeat("\x00", 12)];
    }

    #[Group('slow')]
    public function testStrictModeHasALimitOfMemory(): void
    {
        $message = static fn(int $count): string => "\xdd" . \pack('N', $count) . \str_repeat("\x81\xa0\xc0", $count);
        $fits = \intdiv(67_108_864 - 200, 64 + 320 + 144);
        $strict = static fn(string $bytes): bool => MessagePack::unpack($bytes, UnpackOptions::STRICT) !== null;
        self::assertSame(Outcome::value(true), Outcome::of(static fn(): bool => $strict($message($fits))));
        self::assertStringStartsWith('limit_exceeded', Outcome::of(static fn(): bool => $strict($message($fits + 1))));
        self::assertStringStartsWith('limit_exceeded', Outcome::of(static fn(): bool => $strict($message(333_333))), '1 MB');
        $this->expectException(InvalidOptionException::class);
        new Limits(maxMemory: 0);
    }

    /**
     * A fatal error of PHP ends the process, so this one has another do it: without opcache, where PHP's frames take
     * most.
     */
    #[Group('slow')]
    #[Group('once')]
    public function testStrictModeNeverExhaustsTheMemoryThatPhpAllowsByDefault(): void
    {
        // Values take the same memory in every mode, and a JIT decodes them in half the time. Frames are the largest
        // without opcache, and only deep messages have many.
        $outcomes = self::outcomesOfUnits('jit');
        self::assertGreaterThan(200, \count($outcomes));
        $deep = self::outcomesOfUnits('plain', ['deep']);
        self::assertCount(8, $deep);
        self::assertSame([], \array_diff([...$outcomes, ...\array_values($deep)], ['decoded', 'limit_exceeded']));
        self::assertSame('limit_exceeded', $outcomes['1000000 maps with the key a0']);
        self::assertSame('limit_exceeded', $outcomes['1000000 arrays of nil, of a stream']);
        self::assertSame('limit_exceeded', $outcomes['1000000 records of one value']);
        self::assertSame('decoded', $outcomes['1000000 strs of two bytes']);
        self::assertSame('decoded', $outcomes['8000000 strs of 8 bytes']);
    }

    /**
     * @param key-of<Modes::ALL> $mode
     * @param list<string>       $arguments
     *
     * @return array<string, string> by message
     */
    private static function outcomesOfUnits(string $mode, array $arguments = []): array
    {
        $command = [...Modes::command(\PHP_BINARY, $mode, ['memory_limit' => '128M']), __DIR__ . '/Support/units.php', ...$arguments];
        $child = \proc_open($command, [1 => ['pipe', 'w']], $pipes);
        self::assertIsResource($child);
        $lines = \explode("\n", \trim((string) \stream_get_contents($pipes[1])));
        self::assertSame([0, 'done'], [\proc_close($child), \array_pop($lines)]);
        $outcomes = [];
        foreach ($lines as $line) {
            [$name, $outcomes[$name]] = \explode(': ', $line);
        }

        return $outcomes;
    }

    /**
     * The frames of PHP functions are several times as large when opcache has not optimized them.
     */
    private const BYTES = 1_000_000;
    private const BYTES_WITHOUT_OPCACHE = 2_000_000;

    /**
     * @return iterable<string, array{0: string, 1?: int}> the input, and what the values before the fault weigh
     */
    public static function badInput(): iterable
    {
        $kilobytes99 = 99_000;
        yield 'four billion elements' => ["\xdd\xff\xff\xff\xff"];
        yield 'four billion entries' => ["\xdf\xff\xff\xff\xff"];
        yield 'nested array heads' => [\str_repeat("\xdc\xff\xff", 24_000)];
        yield 'nested map heads' => [\str_repeat("\xde\x40\x00", 24_000)];
        yield 'deep arrays' => [\str_repeat("\x91", $kilobytes99)];
        yield 'deep keys' => [\str_repeat("\x81", $kilobytes99)];
        yield 'deep records' => ["\xd4\x72\x40\x91\xa1a" . \str_repeat("\x40", $kilobytes99)];
        yield 'reserved behind ints' => ["\xdd\x00\x01\x80\x00" . \str_repeat("\x01", 98_303) . "\xc1", 131_072 * 16];
        yield 'reserved behind keys' => ["\xdf\x00\x00\x40\x00" . \str_repeat("\xa1k\x01", 0x3fff) . "\xc1" . \str_repeat("\x00", 20_000)];
        yield 'a str that is too long' => ["\xdb\x00\x02\x00\x00" . \str_repeat('a', $kilobytes99)];
        yield 'deep keys with a big one inside' => [
            \str_repeat("\x82", 500) . "\xdc\x7d\x00" . \str_repeat("\x01", 0x7d00) . \str_repeat("\x00\x02\x00", 500) . "\xc1",
            32_768 * 16 + 500 * 1000,
        ];
        yield 'declarations far inside' => [
            \str_repeat("\x91", 500) . "\xdc\x5f\x00" . \str_repeat("\xd4\x72\x40\x90", 0x5eff) . "\xc1" . \str_repeat("\xc0", 9),
            32_768 * 16 + 0x5eff * 120, // in lossless mode each is an object
        ];
        yield 'long names in keys' => [
            "\x92\xd4\x72\x40\x91\xda\x75\x30" . \str_repeat('a', 30_000) . "\xc0\x82"
                . \str_repeat("\xdc\x27\x10" . \str_repeat("\x40\xc0", 10_000) . "\xc0", 2),
            20_000 * 500, // in lossless mode each is an object with a table of its own
        ];
        yield 'a long path' => [\str_repeat("\x81\xd9\x60" . \str_repeat("\xff", 0x60), 512) . "\xc1"];
    }

    /**
     * What the README, SECURITY.md and spec/06-limits.md#memory say that the heaviest values take: times their bytes.
     */
    #[DataProvider('provideHeavyValues')]
    public function testWhatValuesTakeInMemory(int $times, string $value, int $options, string $first = '', int $count = 100_000): void
    {
        $list = static fn(int $count): string => "\xdd" . \pack('N', $count) . ($first === '' ? $value : $first)
            . \str_repeat($value, $count - 1);
        $unpacker = new BufferUnpacker($list(100), $options);
        $unpacker->unpack(); // loads the classes
        $message = $list($count);
        $unpacker->reset($message);
        \gc_collect_cycles(); // else what other tests left might be freed in between
        $before = \memory_get_usage();
        $decoded = $unpacker->unpack();
        $taken = (\memory_get_usage() - $before) / \strlen($message);
        self::assertIsArray($decoded);
        if (\getenv('USE_ZEND_ALLOC') === '0') {
            self::markTestSkipped('PHP counts no memory without its own allocator');
        }
        self::assertLessThanOrEqual($times + 0.5, $taken);
        self::assertGreaterThan($times * 0.95, $taken, 'say so in the README, SECURITY.md and spec/06-limits.md');
    }

    /**
     * @return iterable<string, array{0: int, 1: string, 2: int, 3?: string, 4?: int}>
     */
    public static function provideHeavyValues(): iterable
    {
        $declaration = "\xd4\x72\x40\x91\xa1a\x01";
        $records = UnpackOptions::RECORDS_INLINE;
        yield 'empty maps' => [21, "\x80", 0];
        yield 'empty arrays' => [21, "\x90", 0];
        yield 'arrays of one value' => [119, "\x91\xc0", 0];
        yield 'maps with an int as key' => [79, "\x81\x01\xc0", 0];
        yield 'maps with an int as key, lossless' => [173, "\x81\x01\xc0", UnpackOptions::LOSSLESS];
        yield 'maps with a str as key' => [99, "\x81\xa1a\xc0", 0];
        yield 'records' => [204, "\x40\x01", $records, $declaration];
        yield 'records, lossless' => [224, "\x40\x01", $records | UnpackOptions::LOSSLESS, $declaration];
        // PHP reserves twice as many places.
        $count = 131_073;
        yield 'maps with an empty str as key' => [136, "\x81\xa0\xc0", 0, '', $count];
        yield 'as many maps, lossless' => [179, "\x81\x01\xc0", UnpackOptions::LOSSLESS, '', $count];
        yield 'as many records' => [204, "\x40\x01", $records, $declaration, $count];
        yield 'as many records, lossless' => [232, "\x40\x01", $records | UnpackOptions::LOSSLESS, $declaration, $count];
    }

    public function testDecodingNeedsLittleBesideItsResult(): void
    {
        $rows = [];
        for ($i = 0; $i < 2000; ++$i) {
            $rows[] = ['id' => $i, 'name' => "name {$i}", 'scores' => [0.5, $i, -$i, null], 'in' => ['a' => ["b{$i}" => true]]];
        }
        $bytes = MessagePack::pack($rows);
        foreach ([0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS] as $options) {
            $unpacker = new BufferUnpacker('', $options);
            $unpacker->reset(MessagePack::pack($rows[0]))->unpack(); // loads the classes
            $unpacker->reset($bytes);
            \memory_reset_peak_usage();
            $value = $unpacker->unpack();
            self::assertLessThan(65_536, \memory_get_peak_usage() - \memory_get_usage(), "options {$options}");
            unset($value);
        }
    }

    #[DataProvider('badInput')]
    #[Group('slow')]
    public function testTheCostOfBadInput(string $bytes, int $weight = 0): void
    {
        self::assertLessThanOrEqual(100_000, \strlen($bytes));
        foreach ([0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS] as $mode) {
            $options = $mode | UnpackOptions::RECORDS_INLINE;
            self::assertCheaplyRefused(static fn(): mixed => MessagePack::unpack($bytes, $options), $weight, "mode {$mode}");
            self::assertCheaplyRefused(static function () use ($bytes, $options): void {
                $stream = new StreamUnpacker($options);
                foreach ($stream->decode([$bytes]) as $value) {
                    continue;
                }
            }, $weight, "stream, mode {$mode}");
        }
        self::assertCheaplyRefused(static fn(): mixed => (new Canonical(true))->canonicalize($bytes), $weight, 'canonical');
    }

    public function testKeysThatNestAreComparedInLinearTime(): void
    {
        // Each map is the key of the one around it and has a second key, so each level must compare keys.
        $nested = static fn(int $depth): string => \str_repeat("\x82", $depth) . "\xdc\x4e\x20" . \str_repeat("\x01", 20_000)
            . \str_repeat("\x00\x02\x00", $depth);
        $time = static function (int $depth) use ($nested): float {
            $bytes = $nested($depth);
            $best = \INF;
            for ($i = 0; $i < 3; ++$i) {
                $start = Processor::milliseconds();
                MessagePack::unpack($bytes, UnpackOptions::LOSSLESS);
                $best = \min($best, Processor::milliseconds() - $start);
            }

            return $best;
        };
        $time(1);
        self::assertLessThan(5 * $time(2) + 20, $time(500));
    }

    /**
     * @param \Closure(): mixed $call
     */
    private static function assertCheaplyRefused(\Closure $call, int $weight, string $label): void
    {
        // Twice: the first call may load classes, and it may meet a busy machine.
        $milliseconds = \INF;
        $bytes = 0;
        $error = null;
        for ($i = 0; $i < 2; ++$i) {
            unset($caught);
            \gc_collect_cycles();
            \memory_reset_peak_usage();
            $memory = \memory_get_usage();
            $start = Processor::milliseconds();
            try {
                $call();
            } catch (UnpackingFailedException $caught) {
                $error = $caught->errorCode;
            }
            $milliseconds = \min($milliseconds, Processor::milliseconds() - $start);
            $bytes = \memory_get_peak_usage() - $memory;
        }
        self::assertNotNull($error, "{$label} accepts it");
        self::assertLessThan(self::MILLISECONDS, $milliseconds, $label);
        $isOptimized = \function_exists('opcache_get_status') && \opcache_get_status(false) !== false;
        self::assertLessThan(($isOptimized ? self::BYTES : self::BYTES_WITHOUT_OPCACHE) + $weight, $bytes, $label);
    }
}
