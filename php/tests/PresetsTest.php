<?php

declare(strict_types=1);

namespace Polypack\Tests;

use Brick\Math\BigDecimal;
use Brick\Math\BigInteger;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Extension;
use Polypack\Extension\Fluentd\EventTime;
use Polypack\Extension\Fluentd\EventTimeExtension;
use Polypack\Extension\Tarantool\DateTime;
use Polypack\Extension\Tarantool\DateTimeExtension;
use Polypack\Extension\Tarantool\Decimal;
use Polypack\Extension\Tarantool\DecimalExtension;
use Polypack\Extension\Tarantool\Tarantool;
use Polypack\Extension\Tarantool\Uuid;
use Polypack\Extension\Tarantool\UuidExtension;
use Polypack\Packer;
use Polypack\Tests\Support\Outcome;
use Ramsey\Uuid\Uuid as RamseyUuid;
use Ramsey\Uuid\UuidInterface;
use Symfony\Component\Uid\Uuid as SymfonyUuid;

/**
 * The data is what Tarantool and its connectors write, and what Fluentd's forward protocol says.
 */
final class PresetsTest extends TestCase
{
    private const UUID = 'ae28d4f6-076c-49dd-8227-7f9fae9592d0';

    // Tarantool

    /**
     * @return array<string, array{string, string}> number, data
     */
    public static function decimals(): array
    {
        return [
            'the example of the documentation' => ['-12.34', '0201234d'],
            'a head with length' => ['0.000000000000000000000000000000000010', '24010c'],
            'one digit' => ['0.7', '017c'],
            'two digits' => ['1.4', '01014c'],
            'zeros at the end' => ['100', '00100c'],
            'twelve digits' => ['-108.123456789', '090108123456789d'],
            'sixteen digits' => ['3.141592653589793', '0f03141592653589793c'],
            'zero' => ['0', '000c'],
            'negative zero' => ['-0', '000d'],
            'small' => ['0.00000000000000000000000000000000000009', '269c'],
            'great' => ['-99999999999999999999999999999999999999', '00099999999999999999999999999999999999999d'],
            'both' => ['1234567891234567890.0987654321987654321', '13012345678912345678900987654321987654321c'],
        ];
    }

    #[DataProvider('decimals')]
    public function testDecimals(string $number, string $data): void
    {
        $packed = (new Packer())->packExt(1, (string) \hex2bin($data));
        self::assertSame(\bin2hex($packed), \bin2hex(self::packer(new DecimalExtension())->pack(new Decimal($number))));
        self::assertEquals(new Decimal($number), self::unpacked($packed, new DecimalExtension()));
        self::assertSame($number, (string) new Decimal($number));
    }

    public function testDecimalsAreReadInAllTheirForms(): void
    {
        $forms = [
            '000c' => '0', '000f' => '0', '000a' => '0', '001b' => '-1', '001e' => '1',
            'ff1c' => '10', 'd0df1c' => '1000000000000000000000000000000000', '0000001c' => '1', '02001c' => '0.01',
        ];
        foreach ($forms as $data => $number) {
            $packed = (new Packer())->packExt(1, (string) \hex2bin($data));
            self::assertEquals(new Decimal($number), self::unpacked($packed, new DecimalExtension()), $data);
        }
        self::assertSame('1234500000', (new Decimal('+1.2345e9'))->number);
        self::assertSame('0.012', (new Decimal('12E-3'))->number);
        self::assertSame('0', (new Decimal('0e5'))->number);
    }

    public function testFaultyDecimals(): void
    {
        $faults = ['', '00', '0000', '000a0c', '001cff', 'c01c', 'a130', '271c', 'd9261c', 'ce7fffffff1c', 'd380000000000000001c',
            'cfffffffffffffffff1c', 'da1c', '00' . \str_repeat('11', 19) . '1c', '00' . \str_repeat('00', 100) . '1c'];
        foreach ($faults as $data) {
            $packed = "\x92\x01" . (new Packer())->packExt(1, (string) \hex2bin($data));
            self::assertSame('unsupported_value at 2 (/1)', Outcome::of(
                static fn(): mixed => self::unpacked($packed, new DecimalExtension()),
            ), $data);
        }
        $numbers = ['', 'NaN', '1,5', '.5', '1e', '1_0', '1' . \str_repeat('0', 38), '0.' . \str_repeat('0', 38) . '1', '1e999999999',
            '1.00000000000000000000000000000000000001', '0e-999999999', "1\n"];
        foreach ($numbers as $number) {
            try {
                new Decimal($number);
                self::fail("{$number} is no decimal of Tarantool");
            } catch (PackingFailedException $error) {
                self::assertSame('out_of_range', $error->errorCode->value);
            }
        }
    }

    public function testOtherValuesAreLeftToOthers(): void
    {
        foreach (Tarantool::extensions() as $extension) {
            foreach ([new \stdClass(), 5, '1.50', null, new \DateInterval('P1D')] as $value) {
                self::assertNull($extension->pack(new Packer(), $value), $extension::class);
            }
        }
        $packer = new Packer(null, Tarantool::extensions());
        self::assertSame('92' . '80' . '05', \bin2hex($packer->pack([new \stdClass(), 5])));
    }

    public function testDecimalsOfLibraries(): void
    {
        self::needs(BigDecimal::class);
        $extension = new DecimalExtension(BigDecimal::of(...));
        $packed = self::packer($extension)->pack([BigDecimal::of('-12.340'), BigInteger::of('7')]);
        self::assertSame('92d6010312340dd501007c', \bin2hex($packed));
        $values = self::unpacked($packed, $extension);
        self::assertIsArray($values);
        self::assertEquals([BigDecimal::of('-12.340'), BigDecimal::of('7')], $values);
        self::assertSame('out_of_range at  ()', Outcome::of(
            static fn(): string => self::packer($extension)->pack(BigDecimal::of('1e50')),
        ));
        foreach (['Decimal\Decimal', 'BcMath\Number'] as $class) {
            if (\class_exists($class)) {
                $number = new $class('12.34');
                self::assertSame("\xd6\x01\x02\x01\x23\x4c", self::packer($extension)->pack($number));
                $make = static fn(string $digits): object => new $class($digits);
                self::assertEquals($number, self::unpacked("\xd6\x01\x02\x01\x23\x4c", new DecimalExtension($make)));
            }
        }
    }

    public function testUuids(): void
    {
        $packed = "\xd8\x02" . \hex2bin(\str_replace('-', '', self::UUID));
        $uuid = Uuid::fromString(self::UUID);
        self::assertSame(self::UUID, (string) $uuid);
        self::assertSame($packed, self::packer(new UuidExtension())->pack($uuid));
        self::assertEquals($uuid, self::unpacked($packed, new UuidExtension()));

        foreach (['', \strtr(self::UUID, '-', ':'), self::UUID . "\n", 'g' . \substr(self::UUID, 1)] as $text) {
            try {
                Uuid::fromString($text);
                self::fail("{$text} is no UUID");
            } catch (PackingFailedException $error) {
                self::assertSame('out_of_range', $error->errorCode->value);
            }
        }
        self::assertSame('unsupported_value at 0 ()', Outcome::of(
            static fn(): mixed => self::unpacked("\xd7\x02" . \str_repeat("\x00", 8), new UuidExtension()),
        ));
    }

    public function testUuidsOfLibraries(): void
    {
        self::needs(RamseyUuid::class);
        self::needs(SymfonyUuid::class);
        $packed = "\xd8\x02" . \hex2bin(\str_replace('-', '', self::UUID));
        self::assertSame($packed, self::packer(new UuidExtension())->pack(RamseyUuid::fromString(self::UUID)));
        $ramsey = self::unpacked($packed, new UuidExtension(RamseyUuid::fromString(...)));
        self::assertInstanceOf(UuidInterface::class, $ramsey);
        self::assertSame(self::UUID, $ramsey->toString());
        self::assertSame($packed, self::packer(new UuidExtension())->pack(SymfonyUuid::fromString(self::UUID)));
        self::assertEquals(
            SymfonyUuid::fromString(self::UUID),
            self::unpacked($packed, new UuidExtension(SymfonyUuid::fromString(...))),
        );
    }

    /**
     * @return array<string, array{DateTime, string, string}> moment, data, as text
     */
    public static function dateTimes(): array
    {
        return [
            'a date' => [new DateTime(1_661_904_000), '80a40e6300000000', '2022-08-31T00:00:00.000000+00:00'],
            'before 1970' => [new DateTime(-2_208_988_800), '8081557cffffffff', '1900-01-01T00:00:00.000000+00:00'],
            'nanoseconds' => [
                new DateTime(1_661_969_274, 308_543_321),
                '7aa30f630000000059ff631200000000',
                '2022-08-31T18:07:54.308543+00:00',
            ],
            'an offset' => [
                new DateTime(1_661_958_474, 308_543_321, 180),
                '4a790f630000000059ff6312b4000000',
                '2022-08-31T18:07:54.308543+03:00',
            ],
            'a negative offset' => [
                new DateTime(1_661_972_874, 0, -60),
                '8ab10f630000000000000000c4ff0000',
                '2022-08-31T18:07:54.000000-01:00',
            ],
            'a zone' => [
                new DateTime(1_661_893_200, 0, 180, 947),
                '507a0e630000000000000000b400b303',
                '2022-08-31T00:00:00.000000+03:00',
            ],
        ];
    }

    #[DataProvider('dateTimes')]
    public function testDateTimes(DateTime $moment, string $data, string $text): void
    {
        $packed = (new Packer())->packExt(4, (string) \hex2bin($data));
        self::assertSame(\bin2hex($packed), \bin2hex(self::packer(new DateTimeExtension())->pack($moment)));
        self::assertEquals($moment, self::unpacked($packed, new DateTimeExtension()));
        self::assertSame($text, $moment->toDateTime()->format('Y-m-d\TH:i:s.uP'));
    }

    public function testDateTimesOfPhp(): void
    {
        $packer = self::packer(new DateTimeExtension());
        $moment = new \DateTimeImmutable('2022-08-31T18:07:54.308543', new \DateTimeZone('Europe/Moscow'));
        self::assertSame('d8044a790f630000000018fe6312b4000000', \bin2hex($packer->pack($moment)));
        self::assertSame('d7040000000000000000', \bin2hex($packer->pack(new \DateTime('@0'))));
        self::assertEquals($moment, DateTime::fromDateTime($moment)->toDateTime());
    }

    public function testFaultyDateTimes(): void
    {
        $faults = ['00', \str_repeat('00', 12), '0000000000000000' . '00ca9a3b' . '00000000', '000000000000000000000000' . 'ff7f0000',
            '0000000000000000' . 'ffffffff' . '00000000', '000000000000000000000000' . '2ffd0000', '000000000000000000000000' . '49030000'];
        foreach ($faults as $data) {
            $packed = (new Packer())->packExt(4, (string) \hex2bin($data));
            self::assertSame('unsupported_value at 0 ()', Outcome::of(
                static fn(): mixed => self::unpacked($packed, new DateTimeExtension()),
            ), $data);
        }
        $this->expectException(PackingFailedException::class);
        new DateTime(0, 0, 0, 40_000);
    }

    public function testThePresetIsForBothSides(): void
    {
        $values = [new Decimal('1.50'), Uuid::fromString(self::UUID), new DateTime(1, 2, 3, 4)];
        $packed = (new Packer(null, Tarantool::extensions()))->pack($values);
        self::assertEquals($values, (new BufferUnpacker($packed, null, Tarantool::extensions()))->unpack());

        self::needs(BigDecimal::class);
        self::needs(SymfonyUuid::class);
        $extensions = Tarantool::extensions(BigDecimal::of(...), SymfonyUuid::fromString(...));
        [$decimal, $uuid] = (array) (new BufferUnpacker($packed, null, $extensions))->unpack();
        self::assertEquals(BigDecimal::of('1.50'), $decimal);
        self::assertEquals(SymfonyUuid::fromString(self::UUID), $uuid);
    }

    public function testWhatALibraryRefusesIsTheCause(): void
    {
        $extension = new DecimalExtension(static fn(string $digits): object => throw new \DomainException($digits));
        try {
            self::unpacked("\x91\xd5\x01\x00\x1c", $extension);
            self::fail('the failure is lost');
        } catch (UnpackingFailedException $error) {
            self::assertSame('/0', $error->path);
            self::assertEquals(new \DomainException('1'), $error->getPrevious());
        }
    }

    // Fluentd

    public function testEventTimes(): void
    {
        $time = new EventTime(1_441_588_984, 123_456_789);
        $packed = "\xd7\x00\x55\xec\xe6\xf8\x07\x5b\xcd\x15";
        self::assertSame($packed, (new Packer())->pack($time));
        self::assertSame($packed, self::packer(new EventTimeExtension())->pack($time));
        self::assertEquals($time, self::unpacked($packed, new EventTimeExtension()));
        // Ext 8, as the protocol allows.
        self::assertEquals($time, self::unpacked("\xc7\x08" . \substr($packed, 1), new EventTimeExtension()));
        self::assertSame('2015-09-07T01:23:04.123456+00:00', $time->toDateTime()->format('Y-m-d\TH:i:s.uP'));
        self::assertEquals(new EventTime(1, 500_000), EventTime::fromDateTime(new \DateTimeImmutable('@1.0005')));
        self::assertEqualsWithDelta(\time(), EventTime::now()->seconds, 1);
        self::assertNull(self::unpacked("\xd4\x00\x00", new EventTimeExtension()));
    }

    public function testAMessageOfTheForwardProtocol(): void
    {
        $message = ['tag.name', [[new EventTime(1_441_588_984), ['message' => 'foo']]], ['size' => 1]];
        $packed = (new Packer())->pack($message);
        self::assertSame('93a87461672e6e616d659192d70055ece6f80000000081a76d657373616765a3666f6f81a473697a6501', \bin2hex($packed));
        self::assertEquals($message, self::unpacked($packed, new EventTimeExtension()));
    }

    public function testFaultyEventTimes(): void
    {
        foreach (['0000000000', '000000003b9aca00', '00', '0001'] as $data) {
            $packed = (new Packer())->packExt(0, (string) \hex2bin($data));
            $outcome = Outcome::of(static fn(): mixed => self::unpacked($packed, new EventTimeExtension()));
            self::assertSame($data === '00' ? Outcome::value(null) : 'unsupported_value at 0 ()', $outcome, $data);
        }
        foreach ([[-1, 0], [0x100000000, 0], [0, -1], [0, 1_000_000_000]] as [$seconds, $nanoseconds]) {
            try {
                new EventTime($seconds, $nanoseconds);
                self::fail("{$seconds} seconds and {$nanoseconds} nanoseconds do not fit");
            } catch (PackingFailedException $error) {
                self::assertContains($error->errorCode->value, ['out_of_range', 'invalid_timestamp']);
            }
        }
    }

    private static function needs(string $class): void
    {
        if (!\class_exists($class)) {
            self::markTestSkipped("{$class} is not installed; run composer update");
        }
    }

    private static function packer(Extension $extension): Packer
    {
        return new Packer(null, [$extension]);
    }

    private static function unpacked(string $packed, Extension $extension): mixed
    {
        return (new BufferUnpacker($packed, null, [$extension]))->unpack();
    }
}
