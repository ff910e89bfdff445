<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\MessagePack;
use Polypack\Tests\Support\Outcome;
use Polypack\Type\Timestamp;
use Polypack\Type\UInt64;

final class TypeTest extends TestCase
{
    /**
     * @return iterable<array{int, int, string}>
     */
    public static function timestamps(): iterable
    {
        yield [0, 0, 'd6ff00000000'];
        yield [0xffffffff, 0, 'd6ffffffffff'];
        yield [0x100000000, 0, 'd7ff0000000100000000'];
        yield [0, 1, 'd7ff0000000400000000'];
        yield [0x3ffffffff, 999_999_999, 'd7ffee6b27ffffffffff'];
        yield [0x400000000, 0, 'c70cff000000000000000400000000'];
        yield [-1, 0, 'c70cff00000000ffffffffffffffff'];
        yield [-1, 999_999_999, 'c70cff3b9ac9ffffffffffffffffff'];
        yield [\PHP_INT_MAX, 1, 'c70cff000000017fffffffffffffff'];
        yield [\PHP_INT_MIN, 0, 'c70cff000000008000000000000000'];
    }

    #[DataProvider('timestamps')]
    public function testTimestampsTakeTheSmallestForm(int $seconds, int $nanoseconds, string $hex): void
    {
        self::assertSame($hex, \bin2hex(MessagePack::pack(new Timestamp($seconds, $nanoseconds))));
        $timestamp = MessagePack::unpack((string) \hex2bin($hex));
        self::assertInstanceOf(Timestamp::class, $timestamp);
        self::assertSame($seconds, $timestamp->getSeconds());
        self::assertSame($nanoseconds, $timestamp->getNanoseconds());
    }

    public function testTimestampsAreReadBehindEveryHead(): void
    {
        foreach (['c704ff', 'c80004ff', 'c900000004ff'] as $head) {
            self::assertEquals(new Timestamp(1), MessagePack::unpack((string) \hex2bin("{$head}00000001")));
        }
        self::assertEquals(new Timestamp(1, 0), MessagePack::unpack((string) \hex2bin('d7ff0000000000000001')));
        self::assertEquals(new Timestamp(1, 0), MessagePack::unpack((string) \hex2bin('c70cff000000000000000000000001')));
    }

    public function testNanosecondsAreChecked(): void
    {
        foreach ([2_000_000_000, 1_000_000_000, -1] as $nanoseconds) {
            $outcome = Outcome::of(static fn(): Timestamp => new Timestamp(1, $nanoseconds));
            self::assertSame('invalid_timestamp at  ()', $outcome);
        }
        foreach (['d7ffee6b280000000000', 'c70cff3b9aca000000000000000000', 'd4ff00', 'c700ff', 'd8ff' . \str_repeat('00', 16)] as $hex) {
            $outcome = Outcome::of(static fn(): mixed => MessagePack::unpack("\x91" . \hex2bin($hex)));
            self::assertSame('invalid_timestamp at 1 (/0)', $outcome, $hex);
        }
    }

    public function testTimestampsConvertToDateTimeAndFloor(): void
    {
        $moment = new \DateTimeImmutable('2024-05-06T07:08:09.123456+02:00');
        $timestamp = Timestamp::fromDateTime($moment);
        self::assertSame(123_456_000, $timestamp->getNanoseconds());
        self::assertSame('2024-05-06T05:08:09.123456+00:00', $timestamp->toDateTime()->format('Y-m-d\TH:i:s.uP'));
        $before = new Timestamp(-1, 999_999_999);
        self::assertSame('1969-12-31T23:59:59.999999', $before->toDateTime()->format('Y-m-d\TH:i:s.u'));
        self::assertEquals(new Timestamp(-1, 500_000_000), Timestamp::fromDateTime(new \DateTime('1969-12-31T23:59:59.5Z')));
        foreach ([\PHP_INT_MIN, \PHP_INT_MAX, -62_135_596_801] as $seconds) {
            self::assertSame($seconds, (new Timestamp($seconds, 5000))->toDateTime()->getTimestamp());
        }
        self::assertEqualsWithDelta(\time(), Timestamp::now()->getSeconds(), 2);
    }

    public function testUnsignedIntegers(): void
    {
        foreach (['0' => 0, '9223372036854775807' => \PHP_INT_MAX, '9223372036854775808' => \PHP_INT_MIN,
            '18446744073709551615' => -1, '4294967296' => 1 << 32] as $digits => $bits) {
            self::assertSame($bits, (new UInt64((string) $digits))->toBits());
            self::assertSame((string) $digits, (string) UInt64::fromBits($bits));
        }
        self::assertSame('7', (new UInt64('007'))->digits);
        self::assertSame('0', (new UInt64('000'))->digits);
        foreach (['18446744073709551616', '99999999999999999999', '-1', '', '1.0', '0x10', "1\n", ' 1', '1e3', 'abc'] as $text) {
            self::assertSame('out_of_range at  ()', Outcome::of(static fn(): UInt64 => new UInt64($text)), "'{$text}'");
        }
    }
}
