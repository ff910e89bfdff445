<?php

declare(strict_types=1);

namespace Polypack\Tests\Encoder;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\CanPack;
use Polypack\Exception\PackingFailedException;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\Returning;
use Polypack\Type\Entries;
use Polypack\UnpackOptions;

/**
 * What objects and transformers return is exactly one value, or an error.
 */
final class ResultsTest extends TestCase
{
    /**
     * @return iterable<string, array{string, string}> what is returned, and the code of its fault
     */
    public static function faulty(): iterable
    {
        yield 'nothing' => ['', 'unexpected_end'];
        yield 'two values' => ["\x01\x02", 'trailing_data'];
        yield 'two strs' => ["\xa1a\xa1b", 'trailing_data'];
        yield 'str and nil' => ["\xd9\x01a\xc0", 'trailing_data'];
        yield 'ext and nil' => ["\xd4\x05a\xc0", 'trailing_data'];
        yield 'a str that is cut' => ["\xa5abcd", 'unexpected_end'];
        yield 'an ext that is cut' => ["\xc7\x05\x01abcd", 'unexpected_end'];
        yield 'a head that is cut' => ["\xd9", 'unexpected_end'];
        yield 'a map without its last value' => ["\x82\xa1a\x01\xa1b", 'unexpected_end'];
        yield 'a count that is a lie' => ["\xdd\xff\xff\xff\xff", 'unexpected_end'];
        yield 'the reserved byte' => ["\x91\xc1", 'reserved_byte'];
        yield 'a declaration of a record' => ["\xd4\x72\x40\x91\xa1a\x01", 'invalid_record'];
    }

    #[DataProvider('faulty')]
    public function testAnythingButOneValueIsRefusedWithItsPath(string $bytes, string $code): void
    {
        $bad = new Returning($bytes);
        $good = new Returning("\x93\x01\x81\xa1a\xc0\xd4\x05a");
        $places = [
            '' => $bad,
            '/1' => [$good, $bad],
            '/2' => [$good, $good, $bad, 7],
            '/17' => [...\array_fill(0, 17, 1), $bad],
            '/a/0' => ['a' => [$bad]],
            '/a/b' => ['a' => (object) ['b' => $bad]],
            // The outermost object is named.
            '/0' => [new Returning(static fn(Packer $packer): string => $packer->packArray(['x' => $bad]))],
            '/3' => [1, 2, 3, new Returning(static fn(Packer $packer): string => $packer->packMapHeader(1) . $packer->packStr('a') . $packer->pack($bad))],
        ];
        foreach ([0, PackOptions::STRICT, PackOptions::LOSSLESS, PackOptions::RECORDS_INLINE, PackOptions::FORCE_MAP] as $options) {
            foreach ([new Packer($options), new Packer($options, [Returning::transformer()])] as $packer) {
                foreach ($places as $path => $value) {
                    $packed = static fn(): string => $packer->pack($value);
                    self::assertSame("{$code} at  ({$path})", Outcome::of($packed), "{$options} {$path}");
                }
                self::assertSame("{$code} at  ()", Outcome::of(static fn(): string => $packer->pack(new Entries([[$bad, 1]]))), 'a key');
                self::assertSame("{$code} at  ()", Outcome::of(static fn(): string => $packer->pack(new Entries([[[$bad], 1]]))), 'in a key');
                $rows = \iterator_to_array((static function () use ($good): \Generator {
                    yield $good;
                    yield $good;
                })());
                self::assertSame('92' . \str_repeat('930181a161c0d40561', 2), \bin2hex($packer->packArray($rows)));
            }
        }
    }

    public function testTheErrorSaysWho(): void
    {
        $packer = new Packer();
        try {
            $packer->pack(['a' => new Returning('')]);
            self::fail();
        } catch (PackingFailedException $error) {
            self::assertStringStartsWith(Returning::class . '::pack() did not return exactly one packed value', $error->getMessage());
            self::assertSame('/a', $error->path);
            self::assertNull($error->offset);
        }
        $stream = \fopen('php://memory', 'r');
        $packer = new Packer(null, [new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                return \is_resource($value) ? '' : null;
            }
        }]);
        self::assertSame('unexpected_end at  (/0)', Outcome::of(static fn(): string => $packer->pack([$stream])));
    }

    /**
     * Also if what the packer packed has been changed since, and where a value was thrown away.
     */
    public function testWhatThePackerPackedIsBelieved(): void
    {
        $pack = static fn(\Closure $bytes): string => Outcome::of(static fn(): string => \bin2hex(MessagePack::pack([new Returning($bytes), 1])));
        self::assertSame(Outcome::value('92920102' . '01'), $pack(static fn(Packer $packer): string => $packer->packArray([1, 2])));
        self::assertSame(Outcome::value('9281a16102' . '01'), $pack(static fn(Packer $packer): string => $packer->pack(['a' => 2])));
        self::assertSame('trailing_data at  (/0)', $pack(static fn(Packer $packer): string => $packer->packArray([1]) . $packer->packArray([1])));
        self::assertSame('unexpected_end at  (/0)', $pack(static fn(Packer $packer): string => \substr($packer->packArray([1]), 0, -1)));
        self::assertSame(Outcome::value('929101' . '01'), $pack(static function (Packer $packer): string {
            $packer->pack([new Returning('')]);

            return $packer->packArray([1]);
        }));
        $packer = new Packer();
        $long = \str_repeat('x', 1_000_000);
        foreach ([[new Returning(static fn(Packer $packer): string => $packer->packArray([$long]))], new Returning(static fn(Packer $packer): string => $packer->pack([$long]))] as $value) {
            $packer->pack($value);
            $before = \memory_get_usage();
            $packer = new Packer();
            self::assertLessThan(100_000, $before - \memory_get_usage(), 'the packer keeps nothing long');
        }
    }

    /**
     * @see spec/09-modes.md#php
     */
    public function testABytePackedByHandMayBeReadAsTheIdOfARecord(): void
    {
        $pack = static fn(string|\Closure $bytes): string => MessagePack::pack([['id' => 7], new Returning($bytes)], PackOptions::RECORDS_INLINE);
        $unpack = static fn(string $bytes): mixed => MessagePack::unpack($bytes, UnpackOptions::RECORDS_INLINE);
        foreach ([64, 65, 127] as $int) {
            self::assertSame([['id' => 7], $int], $unpack($pack(static fn(Packer $packer): string => $packer->packInt($int))));
        }

        // The id of the first record that a message declares is 40; 41 belongs to none here.
        self::assertSame([['id' => 7], 65], $unpack($pack("\x41")));
        self::assertSame('92d4724091a26964' . '07' . '40', \bin2hex($pack("\x40")));
        self::assertSame('unexpected_end at 9 (/1)', Outcome::of(static fn(): mixed => $unpack($pack("\x40"))));
    }
}
