<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Exception\ErrorCode;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Extension\TimestampExtension;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Raw;
use Polypack\Records\Dictionary;
use Polypack\Records\SharedRecords;
use Polypack\Tests\Support\Box;
use Polypack\Tests\Support\BoxExtension;
use Polypack\Tests\Support\CountedExtension;
use Polypack\Tests\Support\Outcome;
use Polypack\Type\Ext;
use Polypack\Type\Timestamp;
use Polypack\TypeTransformer\StreamTransformer;
use Polypack\TypeTransformer\TraversableTransformer;
use Polypack\UnpackOptions;

final class ExtensionTest extends TestCase
{
    public function testTheTimestampExtensionMayBeRegistered(): void
    {
        $extension = new TimestampExtension();
        $packer = (new Packer())->extendWith($extension);
        $unpacker = (new BufferUnpacker())->extendWith($extension);
        foreach ([new Timestamp(1), new Timestamp(1, 1), new Timestamp(-1)] as $timestamp) {
            self::assertEquals([$timestamp], $unpacker->reset($packer->pack([$timestamp]))->unpack());
        }
        self::assertNull($extension->pack($packer, 5));
        // The unpacker asks no extension for timestamps; other code may.
        $data = new BufferUnpacker("\x00\x00\x00\x07\xc3\x00");
        self::assertEquals(new Timestamp(7), $extension->unpackExt($data, 4));
        self::assertTrue($data->unpack());
        self::assertSame('unexpected_end at 5 ()', Outcome::of(static fn(): Timestamp => $extension->unpackExt($data, 4)));
        // The length is judged before the extension sees it, so it can't swallow the value after it.
        $unpacker->reset("\x92\xc7\x03\xffabc\xa9trailing!");
        self::assertSame('invalid_timestamp at 1 (/0)', Outcome::of(static fn(): mixed => $unpacker->unpack()));
    }

    public function testExtensionsPackAndUnpackInPlace(): void
    {
        $packer = (new Packer())->extendWith(new BoxExtension());
        $unpacker = (new BufferUnpacker())->extendWith(new BoxExtension());
        $value = ['a' => [new Box(1), new Box([new Box('x'), null])], 'b' => 2];
        $packed = $packer->pack($value);
        self::assertEquals($value, $unpacker->reset($packed)->unpack());
        self::assertEquals(new Ext(7, "\x01"), (new BufferUnpacker($packer->pack(new Box(1))))->unpack());
        self::assertEquals([new Box(1), new Box(2)], $unpacker->reset()->append("\xd4\x07\x01\xd4\x07\x02")->tryUnpack());
    }

    public function testExtendWithTakesSeveral(): void
    {
        $bytes = "\x93\xd4\x07\x01\xd4\x08\x02\xd4\x09\x03";
        $unpacker = new BufferUnpacker($bytes, null, [new BoxExtension(9)]);
        $extended = $unpacker->extendWith(new BoxExtension(7), new BoxExtension(8));
        self::assertEquals([new Box(1), new Box(2), new Box(3)], $extended->unpack());
        self::assertEquals([new Ext(7, "\x01"), new Ext(8, "\x02"), new Box(3)], $unpacker->unpack());
    }

    /**
     * The types of undefined and of declarations may be used by an application, if records are off.
     */
    public function testRegisteredTypesWin(): void
    {
        foreach ([0 => "\xd4\x00\x00", 0x72 => "\xd4\x72\x00"] as $type => $bytes) {
            $extension = new BoxExtension($type);
            $packer = new Packer(null, [$extension]);
            self::assertSame($bytes, $packer->pack(new Box(0)));
            self::assertSame("\x91{$bytes}", (new Packer())->extendWith($extension)->pack([new Box(0)]));
            self::assertSame("\xd5" . $bytes[1] . "\xcc\xc8", $packer->pack(new Box(200)));
            self::assertSame("\x92{$bytes}\x91{$bytes}", $packer->pack([new Raw($bytes), new Raw("\x91{$bytes}")]));
            foreach ([0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS] as $options) {
                $unpacker = new BufferUnpacker("\x93\xc0{$bytes}\x05", $options, [$extension]);
                self::assertEquals([new Box(0), 5], [$unpacker->get('/1'), $unpacker->get('/2')]);
                self::assertEquals(new Box(0), $unpacker->getRaw('/1')?->unpack());
                self::assertEquals([null, new Box(0), 5], $unpacker->unpack());
                self::assertEquals(new Box(0), $unpacker->reset($bytes)->unpackExt());
                self::assertEquals([new Box(0)], $unpacker->reset($bytes)->tryUnpack());
            }
        }
        $declaration = "\xd4\x72\x40\x91\xa1a\x01";
        $extension = new BoxExtension(0x72);
        self::assertSame(['a' => 1], (new BufferUnpacker($declaration, UnpackOptions::RECORDS_INLINE, [$extension]))->unpack());
        $packer = new Packer(PackOptions::RECORDS_INLINE, [$extension]);
        self::assertSame('invalid_record at  ()', Outcome::of(static fn(): string => $packer->pack(new Box(0))));
        $raw = new Raw("\xd4\x72\x00");
        self::assertSame('invalid_record at  (/0)', Outcome::of(static fn(): string => $packer->pack([$raw])));
        (new Packer(null, [$extension]))->pack($raw);
        self::assertSame('invalid_record at  (/0)', Outcome::of(static fn(): string => (new Packer())->pack([$raw])));
        self::assertSame('invalid_record at 0 ()', Outcome::of(static fn(): mixed => MessagePack::unpack("\xd4\x72\x00")));
        self::assertSame('invalid_record at  ()', Outcome::of(static fn(): string => (new Packer())->packExt(0x72, 'x')));
    }

    public function testExtensionsSeeTheirDataAlone(): void
    {
        $unpacker = (new BufferUnpacker())->extendWith(new BoxExtension());
        // The box promises two values and has none; they must not come from the bytes after it.
        $unpacker->reset("\x93\xd4\x07\x92\x01\x02");
        $error = self::failure($unpacker);
        self::assertSame('unsupported_value at 1 (/0)', Outcome::error($error));
        self::assertInstanceOf(UnpackingFailedException::class, $error->getPrevious());
        self::assertSame(ErrorCode::UnexpectedEnd, $error->getPrevious()->errorCode);
        self::assertSame(6, $unpacker->getRemainingCount());
        // Data that the extension leaves unread is passed over.
        self::assertEquals([new Box(1), 5], $unpacker->reset("\x92\xd5\x07\x01\x02\x05")->unpack());
    }

    /**
     * A service may hold one unpacker, which its extension uses while it reads the message around.
     */
    public function testAnExtensionMayUseTheUnpackerAroundIt(): void
    {
        $uses = [
            'unpack' => static fn(BufferUnpacker $around): mixed => $around->unpack(),
            'reset' => static fn(BufferUnpacker $around): mixed => $around->reset("\x92\x81\xa1a\x01\x91\x02")->unpack(),
            'in place' => static fn(BufferUnpacker $around): mixed => $around->reset("\x93\xd4\x05\x05\x91\x02\x07")->unpack(),
            'faulty' => static fn(BufferUnpacker $around): mixed => $around->reset("\x92\xc0\x91\xc1")->unpack(),
            'deep' => static fn(BufferUnpacker $around): mixed => $around->reset(\str_repeat("\x91", 600) . "\xc0")->unpack(),
            'records' => static fn(BufferUnpacker $around): mixed => $around->reset("\x92\xd4\x72\x40\x91\xa1z\x01\x40\x02")->unpack(),
            'scalar' => static fn(BufferUnpacker $around): mixed => $around->reset("\x05")->unpackInt(),
            'typed' => static fn(BufferUnpacker $around): mixed => $around->reset("\x81\xa1a\x01")->unpackMap(),
            'lazy' => static fn(BufferUnpacker $around): mixed => $around->reset("\x92\x81\xa1a\x01\x02")->get('/0/a'),
            'raw' => static fn(BufferUnpacker $around): mixed => $around->reset("\x91\x02")->unpackRaw()->unpack(),
            'append' => static fn(BufferUnpacker $around): mixed => $around->append("\x91\x01")->unpack(),
            'stream' => static fn(BufferUnpacker $around): mixed => $around->append("\x01\x91\x02\x92")->tryUnpack(),
            'skip' => static fn(BufferUnpacker $around): mixed => $around->reset("\x91\x02\x05")->skipValue(),
            'seek' => static fn(BufferUnpacker $around): mixed => $around->seek(1),
            'read' => static fn(BufferUnpacker $around): mixed => $around->read(1),
            'release' => static fn(BufferUnpacker $around): mixed => [$around->hasRemaining(), $around->reset('abc')->skip(2)->release()],
            'copy' => static fn(BufferUnpacker $around): mixed => $around->withBuffer("\x81\xa1a\x03")->unpack(),
            'clone' => static fn(BufferUnpacker $around): mixed => (clone $around)->append("\x81\xa1a\x03")->unpack(),
        ];
        $message = "\x96\x01\x81\xa1k\xd4\x05\x09\x82\xa4role\xa5guest\xa1n\xd4\x05\x08\x91\xd5\x05\x91\x03\xcf" . \str_repeat("\xff", 8) . "\xa3end";
        $records = "\x93\xd4\x72\x40\x92\xa1k\xa1l\xd4\x05\x09\x02\x40\x03\xd4\x05\x08\x40\x04\x05";
        $wide = "\x92\xd4\x05\x05\xde\x0b\xb8"; // a map of 3,000 entries
        for ($i = 0; $i < 3000; ++$i) {
            $wide .= \pack('Cna*', 0xa4, $i, "ab\x01");
        }
        $bigInts = UnpackOptions::BIGINT_AS_STR;
        foreach ([[0, $message], [UnpackOptions::STRICT, $message], [UnpackOptions::LOSSLESS, $message], [UnpackOptions::RECORDS_INLINE, $records], [UnpackOptions::RECORDS_INLINE | UnpackOptions::LOSSLESS, $records], [$bigInts, $wide]] as [$options, $bytes]) {
            foreach ([null, new Limits(maxValues: 7000, maxMemory: 1_000_000)] as $limits) {
                foreach ($uses as $name => $use) {
                    /** @var \ArrayObject<string, true> $gave */
                    $gave = new \ArrayObject();
                    /** @var \SplStack<BufferUnpacker> $service is empty while an extension uses the unpacker */
                    $service = new \SplStack();
                    $extension = new CountedExtension(static function (BufferUnpacker $data) use ($service, $gave, $use): mixed {
                        if (!$service->isEmpty()) {
                            $around = $service->pop();
                            $gave[Outcome::of(static fn(): mixed => $use($around))] = true;
                            $service->push($around);
                        }

                        return $data->unpack();
                    });
                    $around = new BufferUnpacker("\xc3{$bytes}\x07{$bytes}\x92", $options, [$extension], $limits);
                    $service->push($around);
                    $plain = new BufferUnpacker($bytes, $options, [new CountedExtension(static fn(BufferUnpacker $data): mixed => $data->unpack())], $limits);
                    $expected = Outcome::value($plain->unpack());
                    $case = "{$name} with the options {$options}";
                    $around->skip(1)->release();
                    self::assertSame($expected, Outcome::of(static fn(): mixed => $around->unpack()), $case);
                    self::assertSame(7, $around->unpack(), $case);
                    $around->release();
                    $plain->seek(0);
                    self::assertSame(Outcome::value($plain->get('/0')), Outcome::value($around->get('/0')), $case);
                    self::assertSame($expected, Outcome::of(static fn(): mixed => $around->tryUnpack()[0]), $case);
                    self::assertSame([], $around->tryUnpack(), $case);
                    self::assertSame(1, $around->getRemainingCount(), $case);
                    $end = 1 + 2 * \strlen($bytes) + 2;
                    self::assertSame("unexpected_end at {$end} ()", Outcome::of(static fn(): mixed => $around->skip(1)->unpack()), $case);
                    self::assertCount(1, $gave, $case);
                }
            }
        }
    }

    public function testNestedExtensionsAreLimitedToo(): void
    {
        $nested = 1;
        for ($i = 0; $i < 20; ++$i) {
            $nested = new Box($nested);
        }
        $packed = (new Packer())->extendWith(new BoxExtension())->pack($nested);
        self::assertEquals($nested, (new BufferUnpacker($packed))->extendWith(new BoxExtension())->unpack());
        $unpacker = new BufferUnpacker($packed, null, [new BoxExtension()], new Limits(maxDepth: 10));
        self::assertSame(ErrorCode::UnsupportedValue, self::failure($unpacker)->errorCode);
        self::assertSame('limit_exceeded at  (/k)', Outcome::of(
            static fn(): string => (new Packer(null, [new BoxExtension()], new Limits(maxDepth: 1)))->pack(['k' => new Box([])]),
        ));
    }

    /**
     * @return iterable<string, array{\Closure(BufferUnpacker): BufferUnpacker, int}>
     */
    public static function waysToKeepTheUnpacker(): iterable
    {
        $ways = [
            'the unpacker' => static fn(BufferUnpacker $unpacker): BufferUnpacker => $unpacker,
            'a clone' => static fn(BufferUnpacker $unpacker): BufferUnpacker => clone $unpacker,
            'withBuffer()' => static fn(BufferUnpacker $unpacker): BufferUnpacker => $unpacker->withBuffer($unpacker->read($unpacker->getRemainingCount())),
            'extendWith()' => static fn(BufferUnpacker $unpacker): BufferUnpacker => $unpacker->extendWith(new BoxExtension(9)),
        ];
        foreach ($ways as $name => $way) {
            foreach ([0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS, UnpackOptions::RECORDS_INLINE] as $options) {
                yield "{$name}, {$options}" => [$way, $options];
            }
        }
    }

    /**
     * @param \Closure(BufferUnpacker): BufferUnpacker $keep
     */
    #[DataProvider('waysToKeepTheUnpacker')]
    public function testACopyIsLimitedWithTheMessageWhileTheExtensionRuns(\Closure $keep, int $options): void
    {
        $extension = new CountedExtension(static fn(BufferUnpacker $unpacker): mixed => $keep($unpacker)->unpack());
        $nest = static function (int $levels): string {
            $packed = "\x01";
            for ($i = 0; $i < $levels; ++$i) {
                $packed = "\x91\xc8" . \pack('n', \strlen($packed)) . "\x05{$packed}";
            }

            return $packed;
        };
        $limits = new Limits(maxDepth: 20);
        foreach ([1 => true, 10 => true, 11 => false, 50 => false] as $levels => $fits) { // the data is one level, too
            $outcome = Outcome::of(static fn(): mixed => MessagePack::unpack($nest($levels), $options, $limits, [$extension]));
            self::assertSame($fits, !\str_contains($outcome, ' at '), "{$levels}: {$outcome}");
        }
        $limits = new Limits(maxMemory: 3000);
        foreach ([5 => true, 50 => false] as $levels => $fits) {
            $outcome = Outcome::of(static fn(): mixed => MessagePack::unpack($nest($levels), $options, $limits, [$extension]));
            self::assertSame($fits, !\str_contains($outcome, ' at '), "{$levels}: {$outcome}");
        }
    }

    /**
     * @param \Closure(BufferUnpacker): BufferUnpacker $keep
     */
    #[DataProvider('waysToKeepTheUnpacker')]
    public function testCopiesShareWhatTheMessageMayCost(\Closure $keep, int $options): void
    {
        $messages = [
            [\str_repeat("\xc7\x03\x05\x92\x01\x02", 1000), 1000, new Limits(maxMemory: 300_000)],
            [\str_repeat("\xc8" . \pack('n', \strlen(self::collidingMap(300))) . "\x05" . self::collidingMap(300), 10), 10, new Limits(maxCollisions: 100_000)],
        ];
        foreach ($messages as [$values, $count, $limits]) {
            $read = static function (\Closure $keep) use ($values, $count, $limits, $options): string {
                $extension = new CountedExtension(static function (BufferUnpacker $unpacker) use ($keep): int {
                    $copy = $keep($unpacker);
                    self::assertInstanceOf(BufferUnpacker::class, $copy);
                    $copy->unpack();

                    return 1;
                });

                return Outcome::of(static fn(): mixed => MessagePack::unpack("\xdc" . \pack('n', $count) . $values, $options, $limits, [$extension]));
            };
            $expected = $read(static fn(BufferUnpacker $unpacker): BufferUnpacker => $unpacker);
            self::assertSame($expected, $read($keep));
            if ($options !== UnpackOptions::LOSSLESS || $limits->maxMemory !== null) { // otherwise maps become Entries
                self::assertStringContainsString(' at ', $expected);
            }
        }
    }

    private static function collidingMap(int $count): string
    {
        $keys = \array_map(static fn(int $i): string => \strtr(\sprintf('%016b', $i), ['0' => 'aa', '1' => 'b@']), \range(1, $count));

        return (new Packer())->packMap(\array_fill_keys($keys, 1));
    }

    /**
     * @param \Closure(BufferUnpacker): BufferUnpacker $keep
     */
    #[DataProvider('waysToKeepTheUnpacker')]
    public function testAKeptUnpackerIsOneLikeAnyOtherAfterTheCall(\Closure $keep, int $options): void
    {
        $messages = [
            '9101', '90', '80', '81a16102', '9191919101', \str_repeat('91', 10) . '01', \str_repeat('91', 11) . '01', '9193010203', '91c1', '81a16191c1',
            'd40801', 'd6ff00000001', '93d40801d40801d40801', 'dc0003010203', '91d40501', '9a' . \str_repeat('90', 10), '91cfffffffffffffffff',
        ];
        $calls = [
            static fn(BufferUnpacker $unpacker): mixed => $unpacker->unpack(),
            static fn(BufferUnpacker $unpacker): mixed => $unpacker->unpackArray(),
            static fn(BufferUnpacker $unpacker): mixed => $unpacker->get('/0'),
            static fn(BufferUnpacker $unpacker): mixed => $unpacker->unpackRaw()->unpack(),
            static fn(BufferUnpacker $unpacker): mixed => $unpacker->getRaw('/0')?->unpack(),
            static fn(BufferUnpacker $unpacker): array => $unpacker->tryUnpack(),
            static fn(BufferUnpacker $unpacker): int => $unpacker->skipValue(),
            static fn(BufferUnpacker $unpacker): mixed => $unpacker->append($unpacker->read(0))->unpack(),
        ];
        $limits = new Limits(maxDepth: 10, maxMemory: 1500);
        foreach ($calls as $number => $call) {
            $kept = null;
            $extension = new CountedExtension(static function (BufferUnpacker $unpacker) use (&$kept, $keep): int {
                $kept ??= $keep($unpacker);

                return 5;
            });
            $other = new BufferUnpacker('', $options, [$extension], $limits);
            self::assertSame([[[5]]], $other->reset("\x91\x91\x91\xd4\x05\x01")->unpack());
            self::assertInstanceOf(BufferUnpacker::class, $kept);
            $used = clone $kept;
            foreach ([...$messages, ...$messages] as $hex) {
                $packed = (string) \hex2bin($hex);
                $expected = Outcome::of(static fn(): mixed => $call($other->reset($packed)));
                foreach ([clone $kept, $used] as $unpacker) {
                    $outcome = Outcome::of(static fn(): mixed => $call($unpacker->reset($packed)));
                    self::assertSame($expected, $outcome, "call {$number}, {$hex}");
                }
            }
        }
    }

    public function testARawOfAnExtensionHasMemoryOfItsOwnAfterTheCall(): void
    {
        $extension = new CountedExtension(static function (BufferUnpacker $unpacker): Raw {
            $unpacker->unpack();

            return $unpacker->unpackRaw();
        });
        $packed = "\x91\xc7\x08\x05\x93\x01\x02\x03\x93\x01\x02\x03";
        $raw = (new BufferUnpacker($packed, null, [$extension], new Limits(maxMemory: 900)))->unpackArray()[0];
        self::assertInstanceOf(Raw::class, $raw);
        self::assertSame([1, 2, 3], $raw->unpack());
    }

    public function testAKeptUnpackerReadsHeaders(): void
    {
        $records = new SharedRecords(new Dictionary([['a', 'b']]), fingerprint: true);
        $packed = MessagePack::pack(['a' => 1, 'b' => 2], PackOptions::of(records: $records));
        $kept = null;
        $extension = new CountedExtension(static function (BufferUnpacker $unpacker) use (&$kept): int {
            $kept = clone $unpacker;

            return 1;
        });
        (new BufferUnpacker("\xd4\x05\x00", UnpackOptions::of(records: $records), [$extension]))->unpack();
        self::assertInstanceOf(BufferUnpacker::class, $kept);
        $kept->reset($packed);
        self::assertSame(['a' => 1, 'b' => 2], (clone $kept)->unpack());
        self::assertSame([['a' => 1, 'b' => 2]], (clone $kept)->tryUnpack());
        self::assertSame(\strlen($packed), (clone $kept)->skipValue());
    }

    public function testExtensionsInOneAnotherHoldNoMoreThanMaxBytes(): void
    {
        $packed = $this->boxes(100, "\xc5" . \pack('n', 10_000) . \str_repeat('x', 10_000));
        $unpacker = new BufferUnpacker($packed, null, [new BoxExtension()], new Limits(maxBytes: 1 << 20));
        self::assertInstanceOf(Box::class, $unpacker->unpack());

        $packed = $this->boxes(110, "\xc5" . \pack('n', 10_000) . \str_repeat('x', 10_000));
        $error = self::failure(new BufferUnpacker($packed, null, [new BoxExtension()], new Limits(maxBytes: 1 << 20)));
        while ($error->getPrevious() instanceof UnpackingFailedException) {
            $error = $error->getPrevious();
        }
        self::assertSame(ErrorCode::LimitExceeded, $error->errorCode);
        self::assertStringContainsString('1048576 bytes', $error->getMessage());
        // What one ext value has counts for the message alone.
        $packed = "\xd4\x07\x01" . $this->boxes(1, "\xc5" . \pack('n', 10_000) . \str_repeat('x', 10_000));
        $unpacker = new BufferUnpacker($packed, null, [new BoxExtension()], new Limits(maxBytes: 1));
        self::assertEquals([new Box(1), new Box(\str_repeat('x', 10_000))], [$unpacker->unpack(), $unpacker->unpack()]);
    }

    public function testErrorsOfExtensionsInOneAnotherTakeLittleMemory(): void
    {
        $unpacker = new BufferUnpacker($this->boxes(250, "\xc0"), null, [new BoxExtension()]);
        $before = \memory_get_usage();
        \memory_reset_peak_usage();
        $unpacker->unpack();
        $valid = \memory_get_peak_usage() - $before;
        $unpacker->reset($this->boxes(250, "\xc1"));
        \memory_reset_peak_usage();
        $error = self::failure($unpacker);
        // 100 MB if each error had the one below.
        self::assertLessThan($valid + 8_000_000, \memory_get_peak_usage() - $before);
        $causes = 0;
        while ($error->getPrevious() instanceof UnpackingFailedException) {
            $error = $error->getPrevious();
            ++$causes;
        }
        self::assertLessThan(4, $causes);
        self::assertSame('reserved_byte at 0 ()', Outcome::error($error));
    }

    public function testStreams(): void
    {
        $stream = \fopen('php://memory', 'r+');
        self::assertIsResource($stream);
        \fwrite($stream, 'abcdef');
        \fseek($stream, 2);
        $packer = new Packer(null, [new StreamTransformer()]);
        self::assertSame('81a173c40463646566', \bin2hex($packer->pack(['s' => $stream])));
        \fclose($stream);
        self::assertSame('unsupported_value at  (/s)', Outcome::of(static fn(): string => $packer->pack(['s' => $stream])));
        $stream = \fopen('php://output', 'w'); // reading it returns ''
        self::assertSame('unsupported_value at  (/s)', Outcome::of(static fn(): string => $packer->pack(['s' => $stream])));
    }

    public function testTraversables(): void
    {
        $generator = static function (): \Generator {
            yield 'a' => 1;
            yield 'a' => [2];
            yield null => 3;
        };
        $packer = new Packer(null, [TraversableTransformer::toArray()]);
        self::assertSame('93019102' . '03', \bin2hex($packer->pack($generator())));
        $packer = new Packer(null, [TraversableTransformer::toMap()]);
        self::assertSame('83a16101a1619102c003', \bin2hex($packer->pack($generator())));
        self::assertSame('unsupported_value at  (/it/0)', Outcome::of(
            static fn(): string => $packer->pack(['it' => new \ArrayIterator([\STDIN])]),
        ));
        /** @var \ArrayIterator<string, mixed> $itself */
        $itself = new \ArrayIterator();
        $itself['self'] = $itself;
        self::assertSame('limit_exceeded at  (' . \str_repeat('/self', 512) . ')', Outcome::of(
            static fn(): string => $packer->pack($itself),
        ));
    }

    /**
     * Packs boxes in one another.
     */
    private function boxes(int $count, string $packed): string
    {
        $packer = new Packer();
        for ($i = 0; $i < $count; ++$i) {
            $packed = $packer->packExt(7, $packed);
        }

        return $packed;
    }

    private static function failure(BufferUnpacker $unpacker): UnpackingFailedException
    {
        try {
            $unpacker->unpack();
        } catch (UnpackingFailedException $error) {
            return $error;
        }
        self::fail('unpacking succeeded');
    }
}
