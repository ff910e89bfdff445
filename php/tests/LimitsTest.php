<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Canonical;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\StreamUnpacker;
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
