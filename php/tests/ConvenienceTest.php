<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Exception\InsufficientDataException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Extension\DateTimeExtension;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\PackOptions;
use Polypack\Tests\Support\Direction;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\RandomBytes;
use Polypack\Tests\Support\Suit;
use Polypack\Type\Timestamp;
use Polypack\Type\UInt64;
use Polypack\TypeTransformer\JsonSerializableTransformer;
use Polypack\TypeTransformer\StringableTransformer;
use Polypack\TypeTransformer\UnitEnumTransformer;
use Polypack\UnpackOptions;

/**
 * What other libraries for PHP leave to their users.
 */
final class ConvenienceTest extends TestCase
{
    /**
     * What unpack() refuses can be skipped, and the next message is read.
     */
    #[DataProvider('refused')]
    public function testAMessageThatIsRefusedCanBeSkipped(string $hex, int $options = 0): void
    {
        $bytes = (string) \hex2bin($hex);
        $unpacker = new BufferUnpacker("\x07{$bytes}\x05", $options);
        $unpacker->unpack();
        try {
            $unpacker->unpack();
            self::fail('the message is refused');
        } catch (UnpackingFailedException) {
            self::assertSame(\strlen($bytes), $unpacker->skipValue());
        }
        self::assertSame(5, $unpacker->unpack());
    }

    /**
     * @return iterable<string, array{0: string, 1?: int}>
     */
    public static function refused(): iterable
    {
        yield 'bad UTF-8' => ['92a1ff01', UnpackOptions::STRICT];
        yield 'a key that occurs twice' => ['82a16101a16102', UnpackOptions::STRICT];
        yield 'a key that is no key' => ['81c001'];
        yield 'a declaration of a record' => ['93d472409101a161'];
        yield 'a timestamp of three bytes' => ['91c703ff000000'];
        yield 'depth' => [\str_repeat('91', 600) . '01'];
        yield 'wide heads' => ['dc0002db00000001ffdf00000001c0c60000000100', UnpackOptions::STRICT];
    }

    public function testSkippingFindsTheEndThatReadingFinds(): void
    {
        $random = new RandomBytes(10);
        $read = 0;
        for ($i = 0; $i < 1500; ++$i) {
            $unpacker = new BufferUnpacker($random->next());
            try {
                $unpacker->unpack();
            } catch (UnpackingFailedException) {
                continue;
            }
            $end = $unpacker->getRemainingCount();
            $unpacker->seek(0)->skipValue();
            self::assertSame($end, $unpacker->getRemainingCount());
            ++$read;
        }
        self::assertGreaterThan(300, $read);
    }

    public function testRecordsAreSkippedWhereTheyAreRead(): void
    {
        $records = MessagePack::pack([['a' => 1, 'b' => 2], ['a' => 3, 'b' => 4]], PackOptions::RECORDS_INLINE);
        $unpacker = new BufferUnpacker("{$records}\x05", UnpackOptions::RECORDS_INLINE);

        self::assertSame(\strlen($records), $unpacker->skipValue());
        self::assertSame(5, $unpacker->unpack());
    }

    /**
     * With records, each open container takes memory. Offsets count the bytes that were released.
     */
    public function testSkippingRecordsIsLimited(): void
    {
        $unpacker = new BufferUnpacker("\x05" . \str_repeat("\x91", 600) . "\x01", UnpackOptions::RECORDS_INLINE);
        $unpacker->skip(1);
        for ($i = 0; $i < 2; ++$i) {
            $path = \str_repeat('/0', 512);
            self::assertSame("limit_exceeded at 513 ({$path})", Outcome::of(static fn(): int => $unpacker->skipValue()));
            $unpacker->release();
        }
        $unpacker->reset("\x05\x91\xd4\x72\x40\x01\x01")->skip(1)->release();
        self::assertSame('invalid_record at 5 (/0)', Outcome::of(static fn(): int => $unpacker->skipValue()));
        $unpacker = new BufferUnpacker(\str_repeat("\x91", 3) . "\x01", UnpackOptions::RECORDS_INLINE, [], new Limits(maxDepth: 2));
        self::assertSame('limit_exceeded at 2 (/0/0)', Outcome::of(static fn(): int => $unpacker->skipValue()));
    }

    public function testWhatDoesNotEndIsNotSkipped(): void
    {
        foreach (["\x92\x01", "\xdf\xff\xff\xff\xff\x01", "\xc4\x05ab", "\xd9", ''] as $bytes) {
            $unpacker = new BufferUnpacker($bytes);
            try {
                $unpacker->skipValue();
                self::fail('the value does not end');
            } catch (InsufficientDataException) {
                self::assertSame(\strlen($bytes), $unpacker->getRemainingCount());
            }
        }
        $this->expectExceptionMessage('0xc1 is reserved, at byte 1');
        (new BufferUnpacker("\x91\xc1"))->skipValue();
    }

    public function testMomentsAndIntegersAreKeptInJson(): void
    {
        $values = [
            new Timestamp(0), new Timestamp(1_772_362_800, 250_000_000), new Timestamp(-1, 999_999_999),
            new UInt64('18446744073709551615'),
        ];

        self::assertSame(
            '["1970-01-01T00:00:00Z","2026-03-01T11:00:00.25Z","1969-12-31T23:59:59.999999999Z","18446744073709551615"]',
            \json_encode($values),
        );
        self::assertSame('2026-03-01T11:00:00.25Z', (string) $values[1]);
    }

    public function testTimestampsAreReadAsMomentsOfPhp(): void
    {
        $moment = new \DateTimeImmutable('2026-03-01T11:00:00.25Z');
        $packed = MessagePack::pack(['at' => $moment], transformers: [new DateTimeExtension()]);

        self::assertSame(MessagePack::pack(['at' => $moment]), $packed);
        self::assertEquals(['at' => $moment], MessagePack::unpack($packed, extensions: [new DateTimeExtension()]));
        self::assertEquals(['at' => $moment], MessagePack::unpack($packed, UnpackOptions::STRICT, extensions: [new DateTimeExtension()]));
    }

    public function testTransformersForCommonInterfaces(): void
    {
        $text = new class {
            public function __toString(): string
            {
                return 'text';
            }
        };
        $data = new class implements \JsonSerializable {
            /** @return array<string, int> */
            public function jsonSerialize(): array
            {
                return ['x' => 1];
            }
        };
        $values = [$text, $data, Direction::Up, Suit::cases()[0], new Timestamp(1), new UInt64('7')];
        $packed = MessagePack::pack($values, transformers: [
            new JsonSerializableTransformer(), new StringableTransformer(), new UnitEnumTransformer(),
        ]);

        self::assertSame(["text", ["x" => 1], "Up", Suit::cases()[0]->value], \array_slice((array) MessagePack::unpack($packed), 0, 4));
        self::assertEquals(new Timestamp(1), ((array) MessagePack::unpack($packed))[4]);
        self::assertSame(7, ((array) MessagePack::unpack($packed))[5]);
    }
}
