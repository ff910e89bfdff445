<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Exception\InsufficientDataException;
use Polypack\Exception\InvalidOptionException;
use Polypack\Extension;
use Polypack\Extension\TimestampExtension;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Tests\Support\Outcome;
use Polypack\Type\Ext;
use Polypack\Type\Map;
use Polypack\Type\Timestamp;
use Polypack\TypeTransformer\StreamTransformer;
use Polypack\UnpackOptions;

/**
 * What users of the library whose API this one carries are used to write, with the bytes and values it gives.
 *
 * In the order of its manual: packing, its options; unpacking, its options; custom types; exceptions.
 */
final class SeedExamplesTest extends TestCase
{
    // Packing

    public function testAPackerAndTheFacadePackTheSame(): void
    {
        $value = ['id' => 1, 'on' => true];
        $packer = new Packer();

        self::assertSame('82a2696401a26f6ec3', \bin2hex($packer->pack($value)));
        self::assertSame($packer->pack($value), MessagePack::pack($value));
    }

    public function testArraysAreListsOrMaps(): void
    {
        $packer = new Packer();

        self::assertSame('920102', \bin2hex($packer->pack([1, 2])));
        self::assertSame('920102', \bin2hex($packer->pack([0 => 1, 1 => 2])));
        self::assertSame('8200010203', \bin2hex($packer->pack([0 => 1, 2 => 3])));
        self::assertSame('8201020203', \bin2hex($packer->pack([1 => 2, 2 => 3])));
        self::assertSame('82a16101a16202', \bin2hex($packer->pack(['a' => 1, 'b' => 2])));
        self::assertSame('8200010102', \bin2hex($packer->packMap([1, 2])));
    }

    public function testOneMethodForEachKind(): void
    {
        $packer = new Packer();

        self::assertSame('c0', \bin2hex($packer->packNil()));
        self::assertSame('c3', \bin2hex($packer->packBool(true)));
        self::assertSame('2a', \bin2hex($packer->packInt(42)));
        self::assertSame('cb400921fb54442d18', \bin2hex($packer->packFloat(\M_PI)));
        self::assertSame('ca40490fdb', \bin2hex($packer->packFloat32(\M_PI)));
        self::assertSame('cb400921fb54442d18', \bin2hex($packer->packFloat64(\M_PI)));
        self::assertSame('a3666f6f', \bin2hex($packer->packStr('foo')));
        self::assertSame('c40180', \bin2hex($packer->packBin("\x80")));
        self::assertSame('920102', \bin2hex($packer->packArray([1, 2])));
        self::assertSame('81a16101', \bin2hex($packer->packMap(['a' => 1])));
        self::assertSame('d401aa', \bin2hex($packer->packExt(1, "\xaa")));
    }

    public function testHeadersLetTheCallerPackTheRest(): void
    {
        $packer = new Packer();

        self::assertSame('920102', \bin2hex($packer->packArrayHeader(2) . $packer->pack(1) . $packer->pack(2)));
        self::assertSame('81a16101', \bin2hex($packer->packMapHeader(1) . $packer->pack('a') . $packer->pack(1)));
    }

    // Packing options

    /**
     * @return array<string, array{?int, mixed, string}>
     */
    public static function packOptions(): array
    {
        return [
            'a str by default' => [null, "\x80", 'a180'],
            'FORCE_STR' => [PackOptions::FORCE_STR, "\x80", 'a180'],
            'FORCE_BIN' => [PackOptions::FORCE_BIN, 'foo', 'c403666f6f'],
            'DETECT_STR_BIN, text' => [PackOptions::DETECT_STR_BIN, 'foo', 'a3666f6f'],
            'DETECT_STR_BIN, bytes' => [PackOptions::DETECT_STR_BIN, "\x80", 'c40180'],
            'arrays are detected by default' => [null, [1 => 2], '810102'],
            'FORCE_ARR' => [PackOptions::FORCE_ARR, [1 => 2], '9102'],
            'FORCE_MAP' => [PackOptions::FORCE_MAP, [2], '810002'],
            'DETECT_ARR_MAP' => [PackOptions::DETECT_ARR_MAP, [2], '9102'],
            'float 64 by default' => [null, 1.5, 'cb3ff8000000000000'],
            'FORCE_FLOAT32' => [PackOptions::FORCE_FLOAT32, 1.5, 'ca3fc00000'],
            'FORCE_FLOAT64' => [PackOptions::FORCE_FLOAT64, 1.5, 'cb3ff8000000000000'],
            'two at once' => [PackOptions::DETECT_STR_BIN | PackOptions::FORCE_FLOAT32, ["\x80", 1.5], '92c40180ca3fc00000'],
        ];
    }

    #[DataProvider('packOptions')]
    public function testPackOptions(?int $options, mixed $value, string $hex): void
    {
        self::assertSame($hex, \bin2hex((new Packer($options))->pack($value)));
        self::assertSame($hex, \bin2hex(MessagePack::pack($value, $options)));
    }

    /**
     * @return list<array{int}>
     */
    public static function conflicts(): array
    {
        return [
            [PackOptions::FORCE_STR | PackOptions::FORCE_BIN],
            [PackOptions::FORCE_FLOAT32 | PackOptions::FORCE_FLOAT64],
        ];
    }

    #[DataProvider('conflicts')]
    public function testOptionsThatExcludeEachOtherAreRefused(int $options): void
    {
        $this->expectException(InvalidOptionException::class);
        new Packer($options);
    }

    // Unpacking

    public function testAnUnpackerAndTheFacadeUnpackTheSame(): void
    {
        $packed = MessagePack::pack(['a' => [1, 2.5, null]]);
        $unpacker = new BufferUnpacker();

        $unpacker->reset($packed);
        self::assertSame(['a' => [1, 2.5, null]], $unpacker->unpack());
        self::assertSame(['a' => [1, 2.5, null]], MessagePack::unpack($packed));
    }

    public function testChunksAreUnpackedAsTheyComplete(): void
    {
        $unpacker = new BufferUnpacker();
        $returned = [];
        foreach (["\x93\x01", "\x02", "\x03\xa1", "a\xc0"] as $chunk) {
            $unpacker->append($chunk);
            $messages = $unpacker->tryUnpack();
            if ($messages !== []) {
                $returned[] = $messages;
            }
        }

        self::assertSame([[[1, 2, 3]], ['a', null]], $returned);
    }

    public function testTheBufferHasAPosition(): void
    {
        $unpacker = new BufferUnpacker(\str_repeat("\xc0", 42) . "\x01\x02" . \str_repeat("\x07", 10) . 'ab');

        self::assertSame(1, $unpacker->seek(42)->unpack());
        self::assertSame(7, $unpacker->seek(-8)->unpack());
        self::assertSame(0x61, $unpacker->seek(44)->skip(10)->unpack());
        self::assertSame(1, $unpacker->getRemainingCount());
        self::assertTrue($unpacker->hasRemaining());
        self::assertSame(55, $unpacker->release());
        self::assertSame('b', $unpacker->read(1));
        self::assertFalse($unpacker->hasRemaining());
        self::assertSame(0, $unpacker->getRemainingCount());
    }

    public function testRawBytesAreRead(): void
    {
        $unpacker = new BufferUnpacker("\x92\x01\x02");
        self::assertSame("\x92\x01", $unpacker->read(2));
        self::assertSame(2, $unpacker->unpack());
    }

    public function testOneUnpackingMethodForEachKind(): void
    {
        $unpacker = new BufferUnpacker("\xc0\xc3\x2a\xcb\x40\x09\x21\xfb\x54\x44\x2d\x18\xa3foo\xc4\x01\x80"
            . "\x92\x01\x02\x81\xa1a\x01\xd4\x01\xaa");

        $unpacker->unpackNil();
        self::assertTrue($unpacker->unpackBool());
        self::assertSame(42, $unpacker->unpackInt());
        self::assertSame(\M_PI, $unpacker->unpackFloat());
        self::assertSame('foo', $unpacker->unpackStr());
        self::assertSame("\x80", $unpacker->unpackBin());
        self::assertSame([1, 2], $unpacker->unpackArray());
        self::assertSame(['a' => 1], $unpacker->unpackMap());
        self::assertEquals(new Ext(1, "\xaa"), $unpacker->unpackExt());
        self::assertFalse($unpacker->hasRemaining());
    }

    public function testHeadersLetTheCallerUnpackTheRest(): void
    {
        $unpacker = new BufferUnpacker("\x92\x01\x02\x81\xa1a\x01");

        self::assertSame(2, $unpacker->unpackArrayHeader());
        self::assertSame([1, 2], [$unpacker->unpack(), $unpacker->unpack()]);
        self::assertSame(1, $unpacker->unpackMapHeader());
        self::assertSame(['a', 1], [$unpacker->unpackStr(), $unpacker->unpackInt()]);
    }

    // Unpacking options

    public function testIntegersThatPhpCannotHoldAreStrings(): void
    {
        $packedUint64 = "\xcf\xff\xff\xff\xff\xff\xff\xff\xff";

        self::assertSame('18446744073709551615', (new BufferUnpacker($packedUint64))->unpack());
        self::assertSame('18446744073709551615', MessagePack::unpack($packedUint64, UnpackOptions::BIGINT_AS_STR));
    }

    #[RequiresPhpExtension('gmp')]
    public function testIntegersThatPhpCannotHoldMayBeGmp(): void
    {
        $packedUint64 = "\xcf\xff\xff\xff\xff\xff\xff\xff\xff";
        $number = (new BufferUnpacker($packedUint64, UnpackOptions::BIGINT_AS_GMP))->unpack();

        self::assertInstanceOf(\GMP::class, $number);
        self::assertSame('18446744073709551615', \gmp_strval($number));
    }

    #[RequiresPhpExtension('decimal')]
    public function testIntegersThatPhpCannotHoldMayBeDecimals(): void
    {
        $packedUint64 = "\xcf\xff\xff\xff\xff\xff\xff\xff\xff";
        $number = (new BufferUnpacker($packedUint64, UnpackOptions::BIGINT_AS_DEC))->unpack();

        self::assertInstanceOf('Decimal\Decimal', $number);
        self::assertInstanceOf(\Stringable::class, $number);
        self::assertSame('18446744073709551615', (string) $number);
    }

    // Custom types

    public function testTheTypeMapSavesTheDetection(): void
    {
        $packer = new Packer();

        self::assertSame('83000101020203', \bin2hex($packer->pack(new Map([1, 2, 3]))));
        self::assertSame('93010203', \bin2hex($packer->pack([1, 2, 3])));
    }

    public function testTransformersPackWhatPhpHasNoInterfaceFor(): void
    {
        $file = \tempnam(\sys_get_temp_dir(), 'polypack');
        self::assertIsString($file);
        \file_put_contents($file, 'abc');
        $packer = new Packer(null, [new StreamTransformer()]);
        $packedBin = $packer->pack(\fopen($file, 'r+'));
        \unlink($file);

        self::assertSame('c403616263', \bin2hex($packedBin));
    }

    public function testTheTimestampExtensionMayBeRegistered(): void
    {
        $timestampExtension = new TimestampExtension();
        $packer = (new Packer())->extendWith($timestampExtension);
        $unpacker = (new BufferUnpacker())->extendWith($timestampExtension);

        $packedTimestamp = $packer->pack(new Timestamp(1_700_000_000, 5));
        $timestamp = $unpacker->reset($packedTimestamp)->unpack();

        self::assertSame('d7ff000000146553f100', \bin2hex($packedTimestamp));
        self::assertInstanceOf(Timestamp::class, $timestamp);
        self::assertSame(1_700_000_000, $timestamp->getSeconds());
        self::assertSame(5, $timestamp->getNanoseconds());
    }

    public function testTheFacadeKnowsTimestamps(): void
    {
        $before = \time();
        $timestamp = MessagePack::unpack(MessagePack::pack(Timestamp::now()));

        self::assertInstanceOf(Timestamp::class, $timestamp);
        self::assertGreaterThanOrEqual($before, $timestamp->getSeconds());
        self::assertLessThanOrEqual(\time(), $timestamp->getSeconds());
    }

    public function testClassesWithoutDeclaredTypesImplementTheInterfaces(): void
    {
        $extension = new class implements Extension {
            public function getType(): int
            {
                return 5;
            }

            public function pack(Packer $packer, $value): ?string // @phpstan-ignore missingType.parameter
            {
                return $value instanceof \SplObjectStorage ? $packer->packExt(5, $packer->packInt($value->count())) : null;
            }

            public function unpackExt(BufferUnpacker $unpacker, int $extLength)
            {
                return ['count' => $unpacker->unpackInt()];
            }
        };
        $packed = (new Packer(null, [$extension]))->pack(new \SplObjectStorage());

        self::assertSame('d40500', \bin2hex($packed));
        self::assertSame(['count' => 0], (new BufferUnpacker($packed, null, [$extension]))->unpack());
    }

    // Exceptions

    public function testEachPartHasItsException(): void
    {
        self::assertSame('unsupported_value at  ()', Outcome::of(static fn(): string => MessagePack::pack(\STDIN)));
        self::assertSame('reserved_byte at 0 ()', Outcome::of(static fn(): mixed => MessagePack::unpack("\xc1")));
        $this->expectException(InsufficientDataException::class);
        MessagePack::unpack("\x92\x01");
    }
}
