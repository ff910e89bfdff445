<?php

declare(strict_types=1);

namespace Polypack\Tests\Encoder;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\CanPack;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Raw;
use Polypack\Records\Dictionary;
use Polypack\Records\SharedRecords;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\Returning;
use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\Type\Map;
use Polypack\Type\Timestamp;
use Polypack\Type\UInt64;
use Polypack\UnpackOptions;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

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
        yield 'no timestamp' => ["\xd4\xff\x01", 'invalid_timestamp'];
        yield 'too many nanoseconds' => ["\x92\xa1a\xd7\xff\xee\x6b\x28\x00\x00\x00\x00\x00", 'invalid_timestamp'];
        yield 'too many nanoseconds in 96 bits' => ["\x81\xa1a\xc7\x0c\xff\x3b\x9a\xca\x00" . "\0\0\0\0\0\0\0\0", 'invalid_timestamp'];
        yield 'a timestamp that is cut' => ["\xd6\xff\x01\x02\x03", 'unexpected_end'];
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
            $plain = new Packer($options);
            foreach ([$plain, new Packer($options, [Returning::transformer()])] as $packer) {
                foreach ($places as $path => $value) {
                    $packed = static fn(): string => $packer->pack($value);
                    self::assertSame("{$code} at  ({$path})", Outcome::of($packed), "{$options} {$path}");
                }
                foreach ([$bad, [$bad], [1, $bad], [$good, $good, $bad], (object) ['a' => $bad], new Map(['a' => $bad]), new Entries([['a', $bad]]), new Entries([[$bad, 1]]), (static fn(): \Generator => yield $bad)()] as $i => $key) {
                    try {
                        $packer->pack(new Entries([[$key, 1]]));
                        self::fail("key {$i}");
                    } catch (PackingFailedException $error) {
                        self::assertSame("{$code} at  ()", Outcome::error($error), "key {$i}");
                        $who = $packer === $plain ? Returning::class : \get_debug_type(Returning::transformer());
                        self::assertStringStartsWith("{$who}::pack() did not return", $error->getMessage(), "key {$i}");
                        $cause = $error->getPrevious();
                        self::assertInstanceOf(UnpackingFailedException::class, $cause);
                        self::assertSame(Outcome::of(static fn(): int => (new Raw($bytes))->nesting()), Outcome::error($cause), "key {$i}");
                    }
                }
                $rows = \iterator_to_array((static function () use ($good): \Generator {
                    yield $good;
                    yield $good;
                })());
                self::assertSame('92' . \str_repeat('930181a161c0d40561', 2), \bin2hex($packer->packArray($rows)));
            }
        }
    }

    /**
     * The fast checks agree with Raw, which decodes.
     */
    public function testEachHeadAndLength(): void
    {
        $packer = new Packer();
        $asking = new Packer(null, [Returning::transformer()]);
        for ($head = -1; $head <= 0xff; ++$head) {
            foreach ([...\range(0, 36), 0x101, 0x102] as $length) {
                foreach (["\0", "\x05", "\x21", "\x72", "\xff"] as $byte) {
                    $bytes = $head < 0 ? \str_repeat($byte, $length) : \chr($head) . \str_repeat($byte, $length);
                    $value = new Returning($bytes);
                    $expected = Outcome::of(static fn(): string => $packer->pack([new Raw($bytes)]));
                    foreach ([$packer, $asking] as $each) {
                        foreach ([[$value], ['a' => $value], [1, $value], [new Returning(static fn(Packer $packer): string => $packer->pack([$value]))]] as $i => $values) {
                            $packed = Outcome::of(static fn(): string => $each->pack($values));
                            self::assertSame(\str_contains($expected, ' at '), \str_contains($packed, ' at '), \bin2hex($bytes) . " {$i}: {$packed}");
                        }
                    }
                }
            }
        }
    }

    public function testEmptyContainersCountAsLevels(): void
    {
        foreach (["\x90", "\x80"] as $empty) {
            $value = new Returning($empty);
            foreach ([[], [Returning::transformer()]] as $transformers) {
                foreach ([[$value], ['a' => $value], [1, $value], [[1, $value]], [[$value, $value]]] as $values) {
                    $depth = \is_array($values[0] ?? null) ? 2 : 1;
                    $pack = static fn(int $maxDepth): string => Outcome::of(static fn(): string => (new Packer(null, $transformers, new Limits(maxDepth: $maxDepth)))->pack($values));
                    self::assertStringStartsWith('limit_exceeded', $pack($depth));
                    self::assertStringNotContainsString('limit_exceeded', $pack($depth + 1));
                }
            }
        }
    }

    #[DataProvider('faulty')]
    public function testARawHasTheSameFaults(string $bytes, string $code): void
    {
        foreach ([0, PackOptions::STRICT, PackOptions::LOSSLESS, PackOptions::RECORDS_INLINE] as $options) {
            $packed = static fn(): string => MessagePack::pack(['a' => new Raw($bytes)], $options);
            self::assertSame("{$code} at  (/a)", Outcome::of($packed), "{$options}");
        }
    }

    /**
     * Bytes may have keys that default mode can't hold, and repeated keys. A fault behind such keys has its own code,
     * and the offset and path that lossless mode reports.
     */
    public function testKeysOfEveryKindHideNoFault(): void
    {
        $random = new Randomizer(new Xoshiro256StarStar(5));
        $faults = ["\xc1", "\xd4\xff\x01", "\xd7\xff\xee\x6b\x28\0\0\0\0\0", "\xd4\x72\x40", "\xdf\xff\xff\xff\xff", ''];
        $seen = [];
        for ($i = 0; $i < 300; ++$i) {
            $bytes = MessagePack::pack(self::withMark(4, $random), PackOptions::LOSSLESS);
            $fault = $faults[$i % 6];
            [$before, $after] = \explode("\xa4MARK", $bytes);
            $bytes = $before . $fault . ($fault === '' ? '' : $after);
            $expected = Outcome::of(static fn(): mixed => MessagePack::unpack($bytes, UnpackOptions::LOSSLESS));
            $code = \explode(' ', $expected)[0];
            $seen[$code] = true;
            foreach ([0, PackOptions::STRICT, PackOptions::LOSSLESS] as $options) {
                foreach ([new Raw($bytes), new Raw($bytes, UnpackOptions::LOSSLESS), new Returning($bytes)] as $value) {
                    foreach ([[], [Returning::transformer()]] as $transformers) {
                        try {
                            (new Packer($options, $transformers))->pack(['a' => $value]);
                            self::fail(\bin2hex($bytes));
                        } catch (PackingFailedException $error) {
                            self::assertSame("{$code} at  (/a)", Outcome::error($error), \bin2hex($bytes));
                            $cause = $error->getPrevious();
                            self::assertInstanceOf(UnpackingFailedException::class, $cause);
                            self::assertSame($expected, Outcome::error($cause), \bin2hex($bytes));
                        }
                    }
                }
            }
        }
        self::assertCount(4, $seen);
        foreach (['9282c001c001c1' => 'reserved_byte at 6 (/1)', '9281a1ff01c1' => 'reserved_byte at 5 (/1)', '91' . '82a16101a161c1' => 'reserved_byte at 7 (/0/a)'] as $hex => $expected) {
            $raw = new Raw((string) \hex2bin($hex));
            self::assertSame($expected, Outcome::of(static fn(): int => $raw->nesting()), $hex);
        }
        $colliding = \implode('', \array_map(static fn(int $i): string => \sprintf('cf%011x00001c0', $i), \range(1, 0x7fff)));
        $raw = new Raw((string) \hex2bin("de8000{$colliding}c0c1"));
        self::assertStringStartsWith('reserved_byte at', Outcome::of(static fn(): int => $raw->nesting()), 'keys that collide');
    }

    /**
     * Returns a value that has keys of many kinds, and the str MARK once.
     */
    private static function withMark(int $depth, Randomizer $random): mixed
    {
        if ($depth === 0) {
            return 'MARK';
        }
        $scalars = [0, -1, 'k', 300, null, true, 1.5, 2.5, new Bin('b'), new Ext(5, 'ab'), new Timestamp(1), new UInt64(UInt64::MAX), [1], new Map(['x' => 1])];
        $entries = [];
        foreach ($random->pickArrayKeys($scalars, $random->getInt(2, 5)) as $i) {
            $entries[] = [$scalars[$i], $i];
        }
        $place = $random->getInt(0, \count($entries) - 1);
        $marked = self::withMark($depth - 1, $random);
        $entries[$place] = $random->getInt(0, 2) > 0 ? [$entries[$place][0], $marked] : [$marked, 1];

        return $random->getInt(0, 3) > 0 ? new Entries($entries) : [7, new Entries($entries), null];
    }

    public function testTimestampsAreKept(): void
    {
        foreach (['d6ff00000001', 'd7ffee6b27fc00000000', 'c70cff3b9ac9ffffffffffffffffff', 'c704ff00000001', '92ffd6ff00000001'] as $hex) {
            foreach ([new Returning((string) \hex2bin($hex)), new Raw((string) \hex2bin($hex))] as $value) {
                self::assertSame("91{$hex}", \bin2hex(MessagePack::pack([$value])));
            }
        }
    }

    /**
     * spec/06-limits.md#depth holds for every entry point.
     */
    public function testBytesNestAsDeepAsMaxDepthAllows(): void
    {
        $random = new Randomizer(new Xoshiro256StarStar(3));
        $deep = new Packer(PackOptions::LOSSLESS, limits: new Limits(maxDepth: 100));
        $refused = 0;
        for ($i = 0; $i < 200; ++$i) {
            $maxDepth = $random->getInt(1, 12);
            $bytes = $deep->pack(self::nesting($random->getInt(\max(0, $maxDepth - 4), $maxDepth + 1), $random));
            $limits = new Limits(maxDepth: $maxDepth);
            $places = static fn(object $value): array => [
                '' => $value,
                '/0' => [$value],
                '/1' => [new Returning("\x01"), $value],
                '/a/0/b' => ['a' => [['b' => $value]]],
                ' in a key' => new Entries([[$value, 1]]),
                '/0 of an object' => new Returning(static fn(Packer $packer): string => $packer->packArray([$value])),
                '/0 of an object that writes a head' => new Returning(static fn(Packer $packer): string => $packer->packArrayHeader(1) . $packer->pack($value)),
            ];
            $raws = $places(new Raw($bytes));
            foreach ([0, PackOptions::LOSSLESS, PackOptions::RECORDS_INLINE] as $options) {
                foreach ([[], [Returning::transformer()]] as $transformers) {
                    foreach ($places(new Returning($bytes)) as $place => $value) {
                        $text = "{$place}, options {$options}, maxDepth {$maxDepth}, " . \bin2hex($bytes);
                        $packed = Outcome::of(static fn(): string => (new Packer($options, $transformers, $limits))->pack($value));
                        if (\str_starts_with($packed, 'limit_exceeded at ')) {
                            ++$refused;
                            self::assertStringStartsWith('limit_exceeded', Outcome::of(static fn(): string => (new Packer($options, $transformers, $limits))->pack($raws[$place])), $text);
                        } else {
                            $read = Outcome::of(static fn(): mixed => MessagePack::unpack((string) \unserialize($packed), UnpackOptions::LOSSLESS | ($options & PackOptions::RECORDS_INLINE), limits: $limits)); // @phpstan-ignore cast.string
                            self::assertStringNotContainsString('limit_exceeded', $read, $text);
                        }
                    }
                }
            }
        }
        self::assertGreaterThan(500, $refused);
    }

    /**
     * Returns a value whose containers nest exactly as deep as $depth says.
     */
    private static function nesting(int $depth, Randomizer $random): mixed
    {
        if ($depth === 0) {
            return [1, 'a', null, -1, 1.5, new Ext(5, 'ab'), new Timestamp(1), \str_repeat('x', 40)][$random->getInt(0, 7)];
        }
        $width = $random->getInt(0, 9) === 0 ? 20 : $random->getInt(1, 3);
        $deepest = $random->getInt(0, $width - 1);
        $children = [];
        for ($i = 0; $i < $width; ++$i) {
            $children[] = self::nesting($i === $deepest ? $depth - 1 : $random->getInt(0, \min(1, $depth - 1)), $random);
        }

        return match ($random->getInt(0, 2)) {
            0 => $children,
            1 => new Map(\array_combine(\array_map(static fn(int $i): string => "k{$i}", \array_keys($children)), $children)),
            default => new Entries(\array_map(static fn(int $i): array => $i === $deepest ? [$children[$i], $i] : ["k{$i}", $children[$i]], \array_keys($children))),
        };
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
     * @see spec/05-records.md#instance
     */
    public function testIntegersInResultsAreNeverTakenForIdsOfRecords(): void
    {
        $values = [...\array_map(MessagePack::pack(...), [0x3f, 0x40, 0x41, 0x7f, 0x80, [64], ['a' => 65], [[1, 64, 'b'], \str_repeat('@', 40), new Bin('@'), new Ext(5, '@@'), 127]]), "\xcc\x40", "\xd0\x40", "\xdc\x00\x01\x40", "\xdf\x00\x00\x00\x01\xd9\x01@\x40"];
        $shared = static fn(): SharedRecords => new SharedRecords(new Dictionary([['id']]));
        foreach ($values as $bytes) {
            $value = MessagePack::unpack($bytes, UnpackOptions::LOSSLESS);
            $foreign = new Returning($bytes);
            $own = static fn(mixed ...$values): Returning => new Returning(static fn(Packer $packer): string => $packer->packArray($values));
            $places = [
                [$foreign, $value], [[1, $foreign], [1, $value]], [[$foreign, $foreign], [$value, $value]], [['k' => $foreign], ['k' => $value]], [(object) ['k' => $foreign], ['k' => $value]],
                [$own($foreign, 64), [$value, 64]], [[$own($foreign), $own(64)], [[$value], [64]]], [$own($own($foreign)), [[$value]]],
                [new Returning(static fn(Packer $packer): string => $packer->packArrayHeader(2) . $bytes . $packer->pack($foreign)), [$value, $value]],
                [new Entries([[[$foreign], 1]]), new Entries([[[$value], 1]])], [new Raw($bytes), $value],
            ];
            $modes = [
                [PackOptions::of(records: true), UnpackOptions::fromBitmask(UnpackOptions::LOSSLESS | UnpackOptions::RECORDS_INLINE)],
                [PackOptions::of(records: $shared()), UnpackOptions::fromBitmask(UnpackOptions::LOSSLESS)->withRecords($shared())],
            ];
            foreach ($modes as $i => [$packing, $unpacking]) {
                foreach ([[], [Returning::transformer()]] as $transformers) {
                    foreach ($places as $place => [$object, $expected]) {
                        $packed = (new Packer($packing, $transformers))->pack([['id' => 7], $object, ['id' => 8]]);
                        $plain = MessagePack::pack([['id' => 7], $expected, ['id' => 8]], PackOptions::LOSSLESS);
                        self::assertEquals(MessagePack::unpack($plain, UnpackOptions::LOSSLESS), MessagePack::unpack($packed, $unpacking), "{$i}, place {$place}, " . \bin2hex($bytes));
                    }
                }
            }
        }
        self::assertSame('40', \bin2hex((new Packer())->pack(new Returning("\x40"))), 'without records nothing changes');
    }
}
