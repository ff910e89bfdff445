<?php

declare(strict_types=1);

namespace Polypack\Tests\Decoder;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Canonical;
use Polypack\Decoder\Collisions;
use Polypack\Exception\ErrorCode;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Pecl\PeclReader;
use Polypack\Tests\Support\Processor;
use Polypack\UnpackOptions;

/**
 * spec/06-limits.md#collisions. Without the limit, each of these messages would take many times the processor time
 * allowed here, and longer ones any time at all.
 */
final class CollisionsTest extends TestCase
{
    private const ENTRIES = 60_000;

    /** Processor time; without the limit, these messages take from five seconds up. */
    private const MILLISECONDS = 2_000;

    /**
     * @return iterable<string, array{string, int}>
     */
    public static function messages(): iterable
    {
        foreach (['default' => 0, 'strict' => UnpackOptions::STRICT, 'lossless' => UnpackOptions::LOSSLESS] as $mode => $options) {
            foreach (['ints' => self::ints(...), 'strs' => self::strs(...)] as $kind => $keys) {
                yield "{$kind}, {$mode}" => [self::map($keys()), $options];
                yield "{$kind}, {$mode}, records are read" => [self::map($keys()), $options | UnpackOptions::RECORDS_INLINE];
            }
            yield "ints that share 14 bits, {$mode}" => [self::map(self::ints(1 << 14)), $options];
        }
        yield 'bin, lossless' => [self::map(self::strs(head: "\xc4")), UnpackOptions::LOSSLESS];
    }

    #[DataProvider('messages')]
    #[Group('slow')]
    public function testKeysOfAWideMap(string $message, int $options): void
    {
        $this->assertRefused(static fn(): mixed => MessagePack::unpack($message, $options), '');
        $nested = "\x92\x07" . $message;
        $this->assertRefused(static fn(): mixed => MessagePack::unpack($nested, $options), '/1');
    }

    #[DataProvider('messages')]
    #[Group('slow')]
    public function testLazyReads(string $message, int $options): void
    {
        $this->assertQuick(static function () use ($message, $options): void {
            try {
                MessagePack::get($message, '/none', $options); // where no keys are kept, there are none that collide
            } catch (UnpackingFailedException $error) {
                self::assertSame(ErrorCode::LimitExceeded, $error->errorCode);
            }
        });
    }

    public function testTheUnpackerGoesOn(): void
    {
        $message = self::map(self::ints());
        $unpacker = new BufferUnpacker($message . "\x07");
        $this->assertRefused($unpacker->unpack(...), '');
        $unpacker->skip(\strlen($message));
        self::assertSame(7, $unpacker->unpack());
    }

    public function testTheOffsetIsThatOfAKey(): void
    {
        $error = $this->assertRefused(static fn(): mixed => MessagePack::unpack(self::map(self::ints())), '');
        self::assertNotNull($error->offset);
        self::assertSame(0, ($error->offset - 5) % 10);
        self::assertGreaterThan(5 + 10 * Collisions::FREE, $error->offset);
    }

    public function testTheLimitMoves(): void
    {
        $message = self::map(\array_slice(self::ints(), 0, 10_000));
        $this->assertRefused(static fn(): mixed => MessagePack::unpack($message), '');
        $all = MessagePack::unpack($message, limits: new Limits(maxCollisions: \PHP_INT_MAX));
        self::assertIsArray($all);
        self::assertCount(10_000, $all);
        $this->expectException(InvalidOptionException::class);
        new Limits(maxCollisions: 0);
    }

    /**
     * Keys of real data: none of them is mistaken for an attack.
     */
    #[Group('slow')]
    public function testHonestKeys(): void
    {
        $count = 40_000;
        $honest = [
            'numbers in a row' => static fn(int $i): int => $i,
            'multiples' => static fn(int $i): int => 1000 * $i,
            'nanoseconds of seconds' => static fn(int $i): int => 1_700_000_000_000_000_000 + 1_000_000_000 * $i,
            'pages of memory' => static fn(int $i): int => 4096 * $i,
            'negative' => static fn(int $i): int => -$i,
            'ids with a random end' => static fn(int $i): int => $i << 22 | \crc32("{$i}") & 0x3fffff,
            'names' => static fn(int $i): string => "user-{$i}@example.org",
            'digits' => static fn(int $i): string => "{$i}",
            'uuids' => static fn(int $i): string => \md5("{$i}"),
        ];
        foreach ($honest as $name => $key) {
            $map = \array_combine(\array_map($key, \range(1, $count)), \range(1, $count));
            $message = MessagePack::pack($map);
            self::assertSame($map, MessagePack::unpack($message), $name);
            self::assertCount($count, (array) MessagePack::unpack($message, UnpackOptions::STRICT), $name);
            MessagePack::unpack($message, UnpackOptions::LOSSLESS);
            MessagePack::unpack($message, UnpackOptions::RECORDS_INLINE);
        }
    }

    /**
     * Of a map this wide, one key in 128 is a sample at last.
     */
    #[Group('slow')]
    public function testAVeryWideMap(): void
    {
        $ids = \array_map(static fn(int $i): string => "\xce" . \pack('N', 2_654_435_761 * $i & 0xffff_ffff), \range(1, 300_000));
        self::assertCount(300_000, (array) MessagePack::unpack(self::map($ids)));
        foreach ([self::ints(), self::strs()] as $colliding) {
            $error = $this->assertRefused(static fn(): mixed => MessagePack::unpack(self::map([...$ids, ...$colliding])), '');
            self::assertGreaterThan(5 + 6 * 300_000, $error->offset);
        }
    }

    public function testAKeyThatComesAgainIsNoOtherKey(): void
    {
        $keys = \array_map(static fn(int $i): string => "\xcd" . \pack('n', $i), \range(1, 5_000));
        $message = self::map([...$keys, ...\array_fill(0, 40_000, "\x07")]);
        foreach ([0, UnpackOptions::RECORDS_INLINE] as $options) {
            self::assertCount(5_000, (array) MessagePack::unpack($message, $options));
        }
    }

    public function testNamesOfARecord(): void
    {
        $names = \array_slice(self::strs(), 0, 400);
        $record = "\xd4\x72\x40\xdc" . \pack('n', 400) . \implode('', $names) . \str_repeat("\xc0", 400);
        foreach ([UnpackOptions::RECORDS_INLINE, UnpackOptions::RECORDS_INLINE | UnpackOptions::LOSSLESS] as $options) {
            $this->assertRefused(static fn(): mixed => MessagePack::unpack("\x91" . $record, $options), '/0');
        }
        $wide = self::strs();
        $record = "\xd4\x72\x40\xdd" . \pack('N', \count($wide)) . \implode('', $wide) . \str_repeat("\xc0", \count($wide));
        $this->assertRefused(static fn(): mixed => MessagePack::unpack($record, UnpackOptions::RECORDS_INLINE), '');

        $names = \array_map(static fn(int $i): string => "\xa6" . \sprintf('f%05d', $i), \range(1, 5_000));
        $record = "\xd4\x72\x40\xdc" . \pack('n', 5_000) . \implode('', $names) . \str_repeat("\xc0", 5_000);
        self::assertCount(5_000, (array) MessagePack::unpack($record, UnpackOptions::RECORDS_INLINE));
    }

    #[Group('slow')]
    public function testLongNamesInKeys(): void
    {
        $prefix = \str_repeat('x', 40);
        $keys = '';
        $names = \array_slice(self::strs(), 0, 30_000);
        foreach ($names as $name) { // each is a map of one entry, and a key
            $name = $prefix . \substr($name, 2);
            $keys .= "\x81\xd9" . \chr(\strlen($name)) . $name . "\xc0\xc0";
        }
        $message = "\xdf" . \pack('N', \count($names)) . $keys;
        $this->assertQuick(static fn(): mixed => MessagePack::unpack($message, UnpackOptions::LOSSLESS));
    }

    #[Group('slow')]
    public function testCanonicalForm(): void
    {
        $canonical = new Canonical();
        foreach ([self::strs(), self::ints()] as $keys) {
            $this->assertRefused(static fn(): mixed => $canonical->canonicalize(self::map($keys)), '');
        }
        // Two keys that collide only when they are encoded: an int 64 is eight bytes to a hash function
        $keys = [];
        foreach (self::strs() as $i => $name) {
            $keys[] = "\xcf\x7f" . \substr(\pack('J', $i), 1, 3) . \substr($name, -4);
        }
        $keys = \array_unique($keys);
        $this->assertQuick(static fn(): mixed => $canonical->canonicalize(self::map($keys)));
    }

    #[Group('slow')]
    public function testThePeclReader(): void
    {
        $reader = new PeclReader();
        foreach ([self::strs(), self::ints()] as $keys) {
            $this->assertRefused(static fn(): mixed => $reader->read("\x91" . self::map($keys)), '/0');
        }
        $count = \pack('N', self::ENTRIES + 1);
        $object = "\xdf{$count}\xc0\xa8stdClass" . \substr(self::map(self::strs()), 5);
        $this->assertRefused(static fn(): mixed => $reader->read($object), '');
    }

    /**
     * Keys that share the lowest bits, so that they share a bucket of every table smaller than that.
     *
     * @return list<string> encoded
     */
    private static function ints(int $step = 1 << 20): array
    {
        return \array_map(static fn(int $i): string => "\xcf" . \pack('J', $i * $step), \range(1, self::ENTRIES));
    }

    /**
     * Strings with one hash: each pair of letters is one of two with the same.
     *
     * @return list<string> encoded
     */
    private static function strs(string $head = "\xd9"): array
    {
        return \array_map(
            static fn(int $i): string => $head . "\x20" . \strtr(\sprintf('%016b', $i), ['0' => 'aa', '1' => 'b@']),
            \range(1, self::ENTRIES),
        );
    }

    /**
     * @param array<string> $keys encoded
     */
    private static function map(array $keys): string
    {
        return "\xdf" . \pack('N', \count($keys)) . \implode("\x01", $keys) . "\x01";
    }

    /**
     * @param \Closure(): mixed $decode
     */
    private function assertRefused(\Closure $decode, string $path): UnpackingFailedException
    {
        $error = null;
        $this->assertQuick(static function () use ($decode, &$error): void {
            try {
                $decode();
            } catch (UnpackingFailedException $error) {
            }
        });
        self::assertInstanceOf(UnpackingFailedException::class, $error);
        self::assertSame([ErrorCode::LimitExceeded, $path], [$error->errorCode, $error->path]);
        self::assertStringContainsString('maxCollisions', $error->getMessage());

        return $error;
    }

    /**
     * @param \Closure(): mixed $decode
     */
    private function assertQuick(\Closure $decode): void
    {
        $start = Processor::milliseconds();
        $decode();
        self::assertLessThan(self::MILLISECONDS, Processor::milliseconds() - $start);
    }
}
