<?php

declare(strict_types=1);

namespace Polypack\Tests\Native;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\CanPack;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Native\Engine;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Records\SharedRecords;
use Polypack\Stores\MemoryStore;
use Polypack\Tests\Support\Counted;
use Polypack\Tests\Support\CountedExtension;
use Polypack\Tests\Support\FakeEngine;
use Polypack\Tests\Support\Modes;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\Vectors;
use Polypack\TypeTransformer\TraversableTransformer;
use Polypack\UnpackOptions;

/**
 * The native seam (docs/decisions/0020-native-seam.md), with the extension if it is loaded, else with a stand-in.
 * POLYPACK_ENGINE=ext or fake runs every other test with it, too.
 */
final class EngineTest extends TestCase
{
    private ?bool $before;
    /** @var array{int, int, int} */
    private array $counts;

    protected function setUp(): void
    {
        $this->before = Engine::$isActive;
        FakeEngine::start();
        $this->counts = self::counts();
    }

    protected function tearDown(): void
    {
        FakeEngine::stop($this->before);
    }

    // The choice

    #[DataProvider('choices')]
    #[Group('slow')]
    #[Group('once')]
    public function testTheEnvironmentChooses(string $name, bool $isThere, string $expected, string $abi = ''): void
    {
        $root = \dirname(__DIR__, 2);
        $code = "require '{$root}/vendor/autoload.php';"
            . ($isThere ? "require '{$root}/tests/Support/fake-engine.php';" : '')
            . 'try { new Polypack\Packer(); echo implode(": ", Polypack\Engine::active()); }'
            . 'catch (Polypack\Exception\PolypackException $error) { echo $error->getMessage(); }';
        $child = \proc_open([\PHP_BINARY, '-r', $code], [1 => ['pipe', 'w']], $pipes, null, ['POLYPACK_ENGINE' => $name, 'FAKE_ABI' => $abi]);
        self::assertIsResource($child);
        $said = \stream_get_contents($pipes[1]);
        \proc_close($child);

        self::assertSame($expected, $said);
    }

    /**
     * @return iterable<string, array{0: string, 1: bool, 2: string, 3?: string}>
     */
    public static function choices(): iterable
    {
        yield 'nothing, and no extension' => ['', false, 'php: the PHP extension polypack is not loaded'];
        yield 'nothing, and the extension' => ['', true, 'ext: the PHP extension polypack  is loaded'];
        yield 'php' => ['php', true, 'php: POLYPACK_ENGINE is php'];
        yield 'ext' => ['ext', true, 'ext: the PHP extension polypack  is loaded'];
        $tooOld = 'the PHP extension polypack has ABI 999 where this library needs ' . Engine::ABI . ': update the older of both';
        yield 'nothing, and another version' => ['', true, "php: {$tooOld}", '999'];
        yield 'ext, and another version' => ['ext', true, "POLYPACK_ENGINE is ext, but {$tooOld}; install it or choose php", '999'];
        yield 'ext without the extension' => [
            'ext', false, 'POLYPACK_ENGINE is ext, but the PHP extension polypack is not loaded; install it or choose php',
        ];
        yield 'another' => ['c', true, 'POLYPACK_ENGINE is c; choose php or ext'];
    }

    /**
     * The same in this process, which has the extension or its stand-in.
     */
    public function testTheChoiceIsMadeOnce(): void
    {
        $before = (string) \getenv('POLYPACK_ENGINE');
        $version = (string) \phpversion('polypack');
        try {
            foreach (['' => 'ext', 'ext' => 'ext', 'php' => 'php'] as $name => $engine) {
                \putenv("POLYPACK_ENGINE={$name}");
                Engine::$isActive = null;
                $reason = $engine === 'ext' ? "the PHP extension polypack {$version} is loaded" : 'POLYPACK_ENGINE is php';
                self::assertSame(['engine' => $engine, 'reason' => $reason], \Polypack\Engine::active());
                \putenv('POLYPACK_ENGINE=c'); // too late
                self::assertSame($engine, \Polypack\Engine::active()['engine']);
            }
            Engine::$isActive = null;
            $this->expectException(InvalidOptionException::class);
            $this->expectExceptionMessage('POLYPACK_ENGINE is c; choose php or ext');
            \Polypack\Engine::active();
        } finally {
            \putenv("POLYPACK_ENGINE={$before}");
        }
    }

    // What crosses over

    /**
     * Those of one call without a packer or an unpacker.
     */
    public function testOptionsCrossOver(): void
    {
        $shared = new SharedRecords(new MemoryStore());
        foreach ([PackOptions::FORCE_MAP, PackOptions::fromBitmask(PackOptions::FORCE_MAP), PackOptions::of(records: $shared)] as $options) {
            $outcomes = [];
            foreach ([false, true] as $isActive) {
                Engine::$isActive = $isActive;
                $outcomes[] = \bin2hex(MessagePack::pack([1, ['a' => 'b']], $options));
            }
            self::assertSame($outcomes[0], $outcomes[1]);
        }
        foreach ([UnpackOptions::LOSSLESS, UnpackOptions::fromBitmask(UnpackOptions::LOSSLESS), UnpackOptions::of(records: $shared)] as $options) {
            self::assertAgree(static fn(): mixed => MessagePack::unpack("\x92\x81\xa1a\x01\x05", $options));
        }
    }

    public function testOneMessageCrossesOnce(): void
    {
        $packer = new Packer();
        $unpacker = new BufferUnpacker();
        $value = [1, ['a' => [true, null]], 'text'];

        self::assertSame($value, $unpacker->reset($packer->pack($value) . "\x07")->unpack());
        self::assertSame(7, $unpacker->unpack());
        $this->assertCounts(2, 0, 0);
    }

    /**
     * The stand-in declines every message with a dictionary, the extension those with a shape to publish.
     */
    public function testMessagesWithADictionary(): void
    {
        $shared = new SharedRecords(new MemoryStore(), fingerprint: true);
        $packer = new Packer(PackOptions::of(records: $shared));
        $unpacker = new BufferUnpacker('', UnpackOptions::of(records: $shared));
        for ($i = 0; $i < 3; ++$i) {
            $packed = $packer->pack([['a' => $i], ['a' => []]]);
            self::assertSame([['a' => $i], ['a' => []]], $unpacker->reset($packed)->unpack());
            self::assertSame("c150{$this->hex($shared)}92400{$i}4090", \bin2hex($packed));
        }
    }

    private function hex(SharedRecords $shared): string
    {
        return \bin2hex($shared->dictionary()->fingerprint());
    }

    public function testScalarsStayInPhp(): void
    {
        foreach ([null, true, 5, -300, 1.5, '', 'text', \str_repeat('long', 100)] as $value) {
            self::assertSame($value, MessagePack::unpack(MessagePack::pack($value)));
        }
        $this->assertCounts(0, 0, 0);
    }

    public function testNilIsAnAnswer(): void
    {
        if (\extension_loaded('polypack')) {
            self::markTestSkipped('the extension decodes containers only, which are never nil');
        }
        FakeEngine::$answer = [null];
        $unpacker = new BufferUnpacker("\x91\x01");

        self::assertNull($unpacker->unpack());
        self::assertFalse($unpacker->hasRemaining());
    }

    public function testCopiesCrossOverAsWell(): void
    {
        $packer = (new Packer())->extendWith(TraversableTransformer::toArray());
        $unpacker = (new BufferUnpacker())->withBuffer("\x91\x01");

        self::assertSame("\x91\x01", $packer->pack([1]));
        self::assertSame([1], $unpacker->unpack());
        $this->assertCounts(2, 0, 0);
    }

    #[DataProvider('vectors')]
    #[Group('slow')]
    public function testBothEnginesAgree(string $file): void
    {
        $i = 0;
        foreach (Vectors::cases($file) as $case) {
            if (!Modes::takes(++$i)) {
                continue;
            }
            $field = $case->has('bytes') ? 'bytes' : 'canonical';
            foreach ([$case->bytes($field), ...$case->also()] as $bytes) {
                foreach ([0, UnpackOptions::STRICT] as $options) {
                    self::assertAgree(static function () use ($bytes, $options): array {
                        $unpacker = new BufferUnpacker("\x93\xc0" . $bytes . "\x01", $options);
                        $outcome = Outcome::of($unpacker->unpack(...));

                        return [$outcome, $unpacker->getRemainingCount()];
                    });
                }
            }
        }
    }

    /**
     * @return iterable<string, array{string}>
     */
    public static function vectors(): iterable
    {
        foreach (Vectors::files() as $name => [$folder, $file]) {
            if ($folder === 'valid' || $folder === 'invalid') {
                yield $name => [$file];
            }
        }
    }

    // Declining

    public function testAFaultIsWordedByThePhpCode(): void
    {
        foreach (["\x92\x01", "\x91\xc1", "\x81\xa1a\x91\xa2b", "\xdd\xff\xff\xff\xff", "\x81\x90\x01"] as $bytes) {
            self::assertAgree(static function () use ($bytes): array {
                $unpacker = new BufferUnpacker("\x01{$bytes}");
                $unpacker->unpack();
                $outcome = Outcome::of($unpacker->unpack(...));

                return [$outcome, $unpacker->getRemainingCount()];
            });
        }
        $this->assertCounts(0, 5, 0);
    }

    public function testEachCallBackRunsOnce(): void
    {
        self::assertAgree(static function (): array {
            $leaf = static fn(Packer $packer): string => $packer->pack(['leaf' => \STDERR]);
            $all = [$inner = new Counted($leaf)];
            for ($i = 1; $i < 30; ++$i) {
                $content = [$inner, \NAN]; // the engine knows neither
                $all[] = $inner = new Counted(static fn(Packer $packer): string => $packer->pack($content));
            }
            $packer = new Packer();
            $outcome = Outcome::of(static fn(): string => $packer->pack([$inner, \NAN]));

            return [$outcome, \array_map(static fn(Counted $one): int => $one->calls, $all), $packer->pack([1])];
        }, ['unsupported_value at  (' . \str_repeat('/0', 30) . '/leaf)', \array_fill(0, 30, 1), "\x91\x01"]);
    }

    public function testUncommonValuesBehindACallBackAreFinished(): void
    {
        self::assertAgree(static function (): array {
            $object = new Counted(static fn(Packer $packer): string => $packer->pack([1, \NAN]));
            $value = ['a' => [$object, \NAN], 'b' => \str_repeat('x', 0x10000), 'c' => [[$object]]];

            return [(new Packer())->pack($value), $object->calls];
        });
        // The stand-in declines the object's two messages: no call-back runs before their NaN.
        $this->assertCounts(...(\extension_loaded('polypack') ? [3, 0, 0] : [1, 2, 0]));
    }

    public function testAGeneratorIsUsedOnce(): void
    {
        self::assertAgree(static function (): array {
            $runs = 0;
            $items = (static function () use (&$runs): \Generator {
                ++$runs;
                yield 1;
                yield [2];
            })();
            $packer = new Packer();

            return [$packer->pack(['items' => $items, 'rest' => \NAN]), $runs, Outcome::of(static fn(): string => $packer->pack([$items, \STDERR]))];
        });
    }

    public function testATransformerIsAskedOnce(): void
    {
        self::assertAgree(static function (): array {
            $transformer = new class implements CanPack {
                public int $calls = 0;

                public function pack(Packer $packer, mixed $value): ?string
                {
                    ++$this->calls;

                    return $value instanceof \SplStack ? $packer->packMap(['stack' => \count($value)]) : null;
                }
            };
            $packer = new Packer(null, [$transformer]);
            $outcome = Outcome::of(static fn(): string => $packer->pack([new \SplStack(), \NAN, [new \SplStack()]]));

            return [$outcome, Outcome::of(static fn(): string => $packer->pack([new \SplStack(), \STDERR])), $transformer->calls];
        });
    }

    public function testNestedMessagesCrossByThemselves(): void
    {
        $object = new Counted(static fn(Packer $packer): string => $packer->pack([1, 2]));

        self::assertSame("\x92\x92\x01\x02\xc2", (new Packer())->pack([$object, false]));
        $this->assertCounts(2, 0, 0);
    }

    #[DataProvider('behindExtensions')]
    public function testAnExtensionRunsOnce(string $behind): void
    {
        foreach ([0, UnpackOptions::STRICT] as $options) {
            self::assertAgree(static function () use ($behind, $options): array {
                $extension = new CountedExtension(static fn(BufferUnpacker $unpacker): mixed => $unpacker->unpack());
                $unpacker = new BufferUnpacker("\x07\x82\xa1a\x93\x01\xc7\x02\x05\x91\x08{$behind}", $options, [$extension]);
                $unpacker->unpack();
                $outcome = Outcome::of($unpacker->unpack(...));

                return [$outcome, $unpacker->getRemainingCount(), $extension->calls];
            });
        }
    }

    /**
     * @return iterable<string, array{string}>
     */
    public static function behindExtensions(): iterable
    {
        yield 'common values' => ["\x02\xa1b\xc0"];
        yield 'uncommon values' => ["\xcf\xff\xff\xff\xff\xff\xff\xff\xff\xa1b\xd6\xff\x00\x00\x00\x01"];
        yield 'a reserved byte' => ["\xc1\xa1b\xc0"];
        yield 'the end' => [''];
        yield 'a str cut short' => ["\x02\xa1b\xa5no"];
        yield 'the same key again' => ["\x02\xa1a\xc0"];
        yield 'a key of no use' => ["\x02\x90\xc0"];
        yield 'an invalid timestamp' => ["\x02\xa1b\xd4\xff\x00"];
        yield 'an extension that fails' => ["\x02\xa1b\xd4\x05\xc1"];
    }

    /**
     * @param array{maxValues?: int, maxCollisions?: int, maxMemory?: int} $limits
     */
    #[DataProvider('budgets')]
    public function testBothEnginesCountBudgetsAlike(array $limits): void
    {
        foreach (self::wideMaps() as $message) {
            foreach ([0, UnpackOptions::STRICT] as $options) {
                self::assertAgree(static function () use ($message, $options, $limits): array {
                    $extension = new CountedExtension(static fn(BufferUnpacker $unpacker): mixed => $unpacker->unpack());
                    $unpacker = new BufferUnpacker($message . "\x91\x01", $options, [$extension], new Limits(...$limits));
                    $first = Outcome::of($unpacker->unpack(...));
                    $unpacker->seek(\strlen($message));

                    return [$first, $unpacker->unpack(), $extension->calls];
                });
            }
        }
    }

    /**
     * @return list<string> messages with maps of 300 keys that share a bucket, some of them in ext values
     */
    public static function wideMaps(): array
    {
        $keys = \array_map(static fn(int $i): string => "\xce" . \pack('N', $i << 20), \range(1, 300));
        $map = "\xde\x01\x2c" . \implode("\xc0", $keys) . "\xc0";
        $ext = "\xc8" . \pack('n', \strlen($map)) . "\x05{$map}";

        // Behind the ext value the engine has to ask for the map, as one more key makes the estimate exceed the cost.
        $data = "\x92\xd4\x05\xc0\xde\x01\x2d" . \substr($map, 3) . "\x01\xc0";
        $asking = "\xc8" . \pack('n', \strlen($data)) . "\x05{$data}";

        return [
            "\x94\xc0{$map}\x92\x01\x02{$map}",
            "\x94{$ext}{$map}\x92\x01\x02{$map}",
            "\x93{$ext}{$ext}{$ext}",
            "\x93{$asking}{$asking}{$asking}",
        ];
    }

    /**
     * @return iterable<string, array{array{maxValues?: int, maxCollisions?: int, maxMemory?: int}}>
     */
    public static function budgets(): iterable
    {
        foreach ([5, 604, 605, 606, 607, 1207, 1208] as $values) {
            yield "{$values} values" => [['maxValues' => $values]];
        }
        foreach ([1, 44_849, 44_850, 89_699, 89_700, 134_549, 134_550] as $comparisons) {
            yield "{$comparisons} comparisons" => [['maxCollisions' => $comparisons]];
        }
        $map = 320 + 144 * 300;
        foreach ([400, $map, $map + 456, 2 * $map + 456, 2 * $map + 784, 2 * $map + 880, 3 * $map + 679, 3 * $map + 680, 3 * $map + 880] as $memory) {
            yield "{$memory} bytes" => [['maxMemory' => $memory]];
        }
    }

    // State

    public function testAnExtensionMayResetTheUnpackerAroundIt(): void
    {
        /** @var \ArrayObject<int, BufferUnpacker> $around */
        $around = new \ArrayObject();
        $extension = new CountedExtension(static function (BufferUnpacker $unpacker) use ($around): mixed {
            $around[0]?->reset("\xc1\xc1")->append("\xc1");

            return $unpacker->unpack();
        });
        $outer = new BufferUnpacker("\x93\xd4\x05\x01\xcf\xff\xff\xff\xff\xff\xff\xff\xff\xd4\x05\x02", null, [$extension]);
        $around[0] = $outer;

        self::assertSame([1, '18446744073709551615', 2], $outer->unpack());
        self::assertSame(2, $extension->calls);
    }

    public function testAFiberMaySuspendInACallBack(): void
    {
        $suspending = static function (): mixed {
            return \Fiber::suspend() ?? 3;
        };
        $fiber = new \Fiber(static function () use ($suspending): array {
            $extension = new CountedExtension($suspending);
            $object = new Counted(static fn(Packer $packer): string => $packer->pack([$suspending()]));

            return [
                (new BufferUnpacker("\x93\xd4\x05\x01\xd6\xff\x00\x00\x00\x01\xa1b", null, [$extension]))->unpack(),
                (new Packer())->pack([$object, \NAN]),
            ];
        });
        $fiber->start();
        self::assertSame([1], MessagePack::unpack(MessagePack::pack([1]))); // another message meanwhile
        $fiber->resume(4);
        $fiber->resume(5);

        self::assertEquals([[4, new \Polypack\Type\Timestamp(1), 'b'], "\x92\x91\x05\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00"], $fiber->getReturn());
    }

    public function testTheUnpackerIsUsableAfterAnError(): void
    {
        $extension = new CountedExtension(static fn(): never => throw new \RuntimeException('no'));
        $unpacker = new BufferUnpacker("\x05\x91\xd4\x05\x01", null, [$extension]);
        $unpacker->unpack();
        try {
            $unpacker->unpack();
            self::fail('the extension fails');
        } catch (UnpackingFailedException $error) {
            self::assertSame('no', $error->getPrevious()?->getMessage());
        }

        self::assertSame("\x91\xd4\x05\x01", $unpacker->read(4));
    }

    /**
     * Asserts how many messages the engine has finished, declined and failed in this test.
     */
    private function assertCounts(int $finished, int $declined, int $failed): void
    {
        $counts = self::counts();
        self::assertSame(
            [$finished, $declined, $failed],
            [$counts[0] - $this->counts[0], $counts[1] - $this->counts[1], $counts[2] - $this->counts[2]],
        );
    }

    /**
     * @return array{int, int, int}
     */
    private static function counts(): array
    {
        if (!\extension_loaded('polypack')) {
            return [FakeEngine::$finished, FakeEngine::$declined, FakeEngine::$failed];
        }
        $stats = \polypack_stats();

        return [$stats['encoded'] + $stats['decoded'], $stats['encodeDeclined'] + $stats['decodeDeclined'], 0];
    }

    /**
     * @param \Closure(): mixed $call
     * @param mixed             $expected of both, when it is given
     */
    private static function assertAgree(\Closure $call, mixed $expected = null): void
    {
        Engine::$isActive = false;
        $withPhp = $call();
        Engine::$isActive = true;
        $natively = $call();

        self::assertEquals($expected ?? $withPhp, $withPhp);
        self::assertEquals($withPhp, $natively);
    }
}
