<?php

declare(strict_types=1);

namespace Polypack\Tests\Decoder;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Canonical;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Pecl\PeclReader;
use Polypack\Records\Dictionary;
use Polypack\Records\SharedRecords;
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\CountedExtension;
use Polypack\Tests\Support\CountingStore;
use Polypack\Tests\Support\Outcome;
use Polypack\Type\Entries;
use Polypack\UnpackOptions;

/**
 * spec/06-limits.md#collisions. Most tests have a small budget, so that a few hundred keys exceed it.
 */
final class CollisionsTest extends TestCase
{
    private const MODES = [
        'default' => 0,
        'strict' => UnpackOptions::STRICT,
        'lossless' => UnpackOptions::LOSSLESS,
        'records' => UnpackOptions::RECORDS_INLINE,
        'strict records' => UnpackOptions::STRICT | UnpackOptions::RECORDS_INLINE,
        'lossless records' => UnpackOptions::LOSSLESS | UnpackOptions::RECORDS_INLINE,
    ];

    /** What 300 keys cost that all share a bucket. */
    private const ALL_300 = 44_850;

    // What a map costs

    /**
     * @return iterable<string, array{int, \Closure(int): (int|string)}> how many keys, and each of them
     */
    public static function keys(): iterable
    {
        $digits = ['%d', '0%d', '-%d', '+%d', '%d '];
        yield 'numbers in a row' => [5_000, static fn(int $i): int => $i];
        yield 'ids of milliseconds' => [700, static fn(int $i): int => 1_500_000_000_000 + 37 * $i << 22];
        yield 'the same as digits' => [700, static fn(int $i): string => (string) (1_500_000_000_000 + 37 * $i << 22)];
        yield 'ints that share 9 bits' => [2_000, static fn(int $i): int => $i << 9];
        yield 'negative ints' => [600, static fn(int $i): int => -$i << 8];
        yield 'ints of every width' => [700, static fn(int $i): int => (($i & 1) === 0 ? 1 : -1) * ($i << $i % 50)];
        yield 'strings with one hash' => [500, static fn(int $i): string => self::sameHash(500)[$i - 1]];
        yield 'strings of every length' => [3_000, static fn(int $i): string => \substr(\md5("{$i}"), 0, $i % 33) . $i];
        yield 'digits, and what looks like them' => [900, static fn(int $i): string => \sprintf($digits[$i % 5], $i << 10)];
        yield 'one key again and again' => [400, static fn(): int => 7];
        yield 'keys that come again among others' => [2_000, static fn(int $i): int => $i * $i % 1_009 << 9];
        yield 'strings that come again' => [900, static fn(int $i): string => self::sameHash(400)[$i * $i % 400]];
        yield 'digits that come again as ints' => [900, static fn(int $i): int|string => ($i & 1) === 0 ? $i >> 1 << 9 : (string) ($i >> 1 << 9)];
    }

    /**
     * @param \Closure(int): (int|string) $key
     */
    #[DataProvider('keys')]
    #[Group('slow')]
    public function testEachKeyIsComparedWithThoseBeforeItInItsBucket(int $count, \Closure $key): void
    {
        $keys = \array_map($key, \range(1, $count));
        $message = "\x91" . self::map($keys);
        $cost = self::cost($keys);
        foreach (['default' => 0, 'strict' => UnpackOptions::STRICT, 'records' => UnpackOptions::RECORDS_INLINE] as $mode => $options) {
            $outcome = Outcome::of(static fn(): mixed => MessagePack::unpack($message, $options, new Limits(maxCollisions: \max(1, $cost))));
            self::assertStringStartsNotWith('limit_exceeded', $outcome, $mode);
            if ($cost > 1) {
                self::assertRefused('limit_exceeded at 1 (/0)', $message, $options, $cost - 1);
            }
        }
    }

    public function testASmallMapCostsNothing(): void
    {
        foreach (self::MODES as $mode => $options) {
            $value = MessagePack::unpack(self::map(self::sameHash(256)), $options, new Limits(maxCollisions: 1));
            self::assertCount(256, (array) $value, $mode);
            self::assertNotInstanceOf(Entries::class, $value, $mode);
        }
    }

    public function testBinAndLargeUnsignedKeysCountAsTheStringsThatTheyBecome(): void
    {
        $strs = self::sameHash(300);
        $bins = self::mapOf(\array_map(static fn(string $key): string => "\xc4" . \chr(\strlen($key)) . $key, $strs));
        self::assertRefused('limit_exceeded at 0 ()', $bins, 0, self::ALL_300 - 1);
        self::assertCount(300, (array) MessagePack::unpack($bins, 0, new Limits(maxCollisions: self::ALL_300)));

        $large = \array_map(static fn(int $i): string => (string) \gmp_add('9223372036854775808', $i), \range(1, 300));
        $uints = self::mapOf(\array_map(static fn(int $i): string => "\xcf" . \pack('J', \PHP_INT_MIN + $i), \range(1, 300)));
        self::assertRefused('limit_exceeded at 0 ()', $uints, 0, self::cost($large) - 1);
        self::assertCount(300, (array) MessagePack::unpack($uints, 0, new Limits(maxCollisions: self::cost($large))));
    }

    /**
     * 20,000 ids of milliseconds, a worker and a sequence have 199,990,000 comparisons.
     */
    #[Group('slow')]
    #[Group('once')]
    #[Group('engineless')]
    public function testCommonIdsAreReadInEveryMode(): void
    {
        $ids = \array_map(static fn(int $i): int => 1_500_000_000_000 + 997 * $i << 22, \range(1, 20_001));
        foreach ([$ids, \array_map(\strval(...), $ids)] as $keys) {
            $fits = self::map(\array_slice($keys, 0, 20_000));
            $exceeds = self::map($keys);
            foreach (self::MODES as $mode => $options) {
                // Making an array of the ids takes most of a second, and as ints they have tried all modes.
                if ($keys === $ids || ($options & UnpackOptions::RECORDS_INLINE) === 0) {
                    self::assertCount(20_000, self::entries(MessagePack::unpack($fits, $options)), $mode);
                }
                if (($options & UnpackOptions::LOSSLESS) !== 0) {
                    $map = MessagePack::unpack($exceeds, $options);
                    self::assertInstanceOf(Entries::class, $map, $mode);
                    self::assertCount(20_001, $map->entries, $mode);
                } else {
                    self::assertRefused('limit_exceeded at 0 ()', $exceeds, $options, 200_000_000);
                }
            }
        }
    }

    /**
     * A key that comes again is compared with few, and not added.
     */
    public function testOneKeyManyTimes(): void
    {
        $map = self::map(\array_fill(0, 20_001, 'again'));
        $last = 3 + 7; // where the second stands
        self::assertSame(['again' => null], MessagePack::unpack($map));
        self::assertRefused("duplicate_key at {$last} (/again)", $map, UnpackOptions::STRICT, 200_000_000);
        self::assertRefused("duplicate_key at {$last} (/again)", $map, UnpackOptions::LOSSLESS, 200_000_000);

        // But each repeat of a key that shares its bucket has to get past the others.
        $same = self::sameHash(300);
        $again = self::map([...$same, ...\array_fill(0, 300, $same[0])]);
        self::assertRefused('limit_exceeded at 0 ()', $again, 0, self::ALL_300 + 300 * 300 - 1);
        self::assertCount(300, (array) MessagePack::unpack($again, 0, new Limits(maxCollisions: self::ALL_300 + 300 * 300)));
    }

    #[Group('slow')]
    #[Group('once')]
    #[Group('engineless')]
    public function testWideMapsOfCommonKeysAreRead(): void
    {
        $keys = [
            static fn(int $i): int => 1_700_000_000_000_000_000 + 1_000_000_000 * $i, // nanoseconds
            static fn(int $i): int => $i << 22 | \crc32("{$i}") & 0x3fffff,
            static fn(int $i): string => "user-{$i}@example.org",
            static fn(int $i): string => \md5("{$i}"),
        ];
        foreach ($keys as $key) {
            $message = self::map(\array_map($key, \range(1, 40_000)));
            foreach (self::MODES as $mode => $options) {
                self::assertCount(40_000, self::entries(MessagePack::unpack($message, $options)), $mode);
            }
        }
    }

    // One budget

    /**
     * @return iterable<string, array{string, string, int}>
     */
    public static function severalMaps(): iterable
    {
        $map = self::map(self::sameHash(300));
        $length = \strlen($map);
        yield 'side by side' => ["\x93{$map}\xc0{$map}", '/2', 2 + $length];
        // The map around has its head first, although its keys come later.
        yield 'inside one another' => ["\xde\x01\x2c\xa1a{$map}" . \substr(self::map(\array_slice(self::sameHash(300), 1)), 3), '/a', 5];
    }

    #[DataProvider('severalMaps')]
    public function testAMessageHasOneBudget(string $message, string $path, int $offset): void
    {
        foreach ([0, UnpackOptions::STRICT, UnpackOptions::RECORDS_INLINE] as $options) {
            self::assertRefused("limit_exceeded at {$offset} ({$path})", $message, $options, 2 * self::ALL_300 - 600);
            self::assertRefused("limit_exceeded at {$offset} ({$path})", $message, $options, self::ALL_300);
            MessagePack::unpack($message, $options, new Limits(maxCollisions: 2 * self::ALL_300));
        }
    }

    public function testEachMessageHasABudgetOfItsOwn(): void
    {
        $map = self::map(self::sameHash(300));
        $limits = new Limits(maxCollisions: self::ALL_300);
        $unpacker = new BufferUnpacker($map . $map, limits: $limits);
        self::assertSame($unpacker->unpack(), $unpacker->unpack());
        $stream = new StreamUnpacker(UnpackOptions::STRICT, limits: $limits);
        self::assertCount(2, $stream->feed($map . $map));

        $refused = "\x92{$map}{$map}";
        $unpacker = new BufferUnpacker($refused . "\x07" . $map, limits: $limits);
        self::assertSame('limit_exceeded at ' . (1 + \strlen($map)) . ' (/1)', Outcome::of($unpacker->unpack(...)));
        $unpacker->skip(\strlen($refused));
        self::assertSame(7, $unpacker->unpack());
        self::assertCount(300, (array) $unpacker->unpack());
    }

    public function testAMap32CountsAsAMap16Does(): void
    {
        $keys = self::sameHash(300);
        $map = "\xdf\x00\x00\x01\x2c" . \substr(self::map($keys), 3);
        foreach (self::MODES as $mode => $options) {
            $fits = MessagePack::unpack("\x91{$map}", $options, new Limits(maxCollisions: self::ALL_300));
            self::assertEquals([($options & UnpackOptions::LOSSLESS) !== 0 ? (object) \array_fill_keys($keys, null) : \array_fill_keys($keys, null)], $fits, $mode);
            if (($options & UnpackOptions::LOSSLESS) === 0) {
                self::assertRefused('limit_exceeded at 1 (/0)', "\x91{$map}", $options, self::ALL_300 - 1);
            } else {
                $exceeds = MessagePack::unpack("\x91{$map}", $options, new Limits(maxCollisions: self::ALL_300 - 1));
                self::assertEquals([new Entries(\array_map(static fn(string $key): array => [$key, null], $keys))], $exceeds, $mode);
            }
        }
    }

    /**
     * Whatever stands in front of a map, the walk finds the map behind it.
     */
    public function testTheWalkGetsPastEachFormat(): void
    {
        $map = self::map(self::sameHash(300));
        $values = [
            "\x05", "\xe0", "\xc0", "\xc3", "\xa2no", "\x92\x01\x02", "\x81\xa1a\x01",
            "\xcc\x80", "\xcd\x01\x00", "\xce\x00\x01\x00\x00", "\xcf" . \pack('J', 1 << 40), "\xd0\x80", "\xd1\x80\x00", "\xd2\x80\x00\x00\x00", "\xd3" . \pack('J', -1),
            "\xca" . \pack('G', 0.5), "\xcb" . \pack('E', 0.5),
            "\xd9\x02no", "\xda\x00\x02no", "\xdb\x00\x00\x00\x02no", "\xc4\x02no", "\xc5\x00\x02no", "\xc6\x00\x00\x00\x02no",
            "\xd4\x05\x01", "\xd5\x05no", "\xd6\x05nono", "\xd7\x05\x01" . \str_repeat('o', 7), "\xd8\x05" . \str_repeat('o', 16),
            "\xc7\x02\x05no", "\xc8\x00\x02\x05no", "\xc9\x00\x00\x00\x02\x05no",
            "\xdc\x00\x01\x05", "\xdd\x00\x00\x00\x01\x05", "\xde\x00\x01\xa1a\x05", "\xdf\x00\x00\x00\x01\xa1a\x05",
        ];
        foreach ($values as $value) {
            foreach ([0, UnpackOptions::STRICT, UnpackOptions::RECORDS_INLINE] as $options) {
                $at = 1 + \strlen($value);
                self::assertRefused("limit_exceeded at {$at} (/1)", "\x92{$value}{$map}", $options, self::ALL_300 - 1);
                self::assertIsArray(MessagePack::unpack("\x92{$value}{$map}", $options, new Limits(maxCollisions: self::ALL_300)));
            }
        }
    }

    /**
     * Keys in each width of the head cost the same, and one that is cut off costs nothing.
     */
    public function testHeadsOfKeys(): void
    {
        $keys = self::sameHash(300);
        $heads = ["\xd9\x20", "\xda\x00\x20", "\xdb\x00\x00\x00\x20", "\xc4\x20", "\xc5\x00\x20", "\xc6\x00\x00\x00\x20"];
        foreach ($heads as $head) {
            $map = self::mapOf(\array_map(static fn(string $key): string => $head . $key, $keys));
            self::assertRefused('limit_exceeded at 0 ()', $map, 0, self::ALL_300 - 1);
            self::assertSame(\array_fill_keys($keys, null), MessagePack::unpack($map, 0, new Limits(maxCollisions: self::ALL_300)));

            $last = \strlen($map) - \strlen($head) - 33; // the head of the last key
            foreach ([$last + 1, \strlen($map) - 2] as $length) {
                self::assertRefused("unexpected_end at {$last} ()", \substr($map, 0, $length), 0, self::ALL_300 - 299);
                self::assertRefused('limit_exceeded at 0 ()', \substr($map, 0, $length), 0, self::ALL_300 - 300);
            }
        }
    }

    /**
     * A map is judged at its head, by the keys in front of the first fault that the heads show.
     */
    public function testFaults(): void
    {
        $map = self::map(self::sameHash(300));
        $budget = self::ALL_300 - 1;
        self::assertRefused('reserved_byte at 1 (/0)', "\x92\xc1{$map}", 0, $budget);
        self::assertRefused('limit_exceeded at 1 (/0)', "\x92{$map}\xc1", 0, $budget);
        self::assertRefused('limit_exceeded at 0 ()', \substr($map, 0, -1) . "\xa5", 0, $budget);
        $last = self::sameHash(300)[298]; // its value is a fault, so that only 299 keys count
        self::assertRefused('reserved_byte at ' . (\strlen($map) - 36) . " (/{$last})", \substr_replace($map, "\xc1", -36, 1), 0, $budget);
        self::assertRefused('unexpected_end at 0 ()', "\xdf\x00\x01\x00\x00" . $map, 0, $budget);
    }

    /**
     * The decision is the same wherever the message stands, and in the data of an extension.
     */
    public function testTheDataOfExtensionsHasTheBudgetOfTheMessage(): void
    {
        $map = self::map(self::sameHash(300));
        $ext = "\xc8" . \pack('n', \strlen($map)) . "\x05" . $map;
        $extension = new CountedExtension(static fn(BufferUnpacker $unpacker): mixed => $unpacker->unpack());
        $unpack = static fn(int $count, int $budget): string => Outcome::of(static fn(): int => \count((array) (new BufferUnpacker(
            \chr(0x90 | $count) . \str_repeat($ext, $count),
            UnpackOptions::STRICT,
            [$extension],
            new Limits(maxCollisions: $budget),
        ))->unpack()));
        self::assertSame('unsupported_value at 1 (/0)', $unpack(1, self::ALL_300 - 1));
        self::assertSame(Outcome::value(1), $unpack(1, self::ALL_300));
        // The first is not counted but estimated, and the second counted.
        self::assertSame(Outcome::value(2), $unpack(2, self::ALL_300));
        self::assertSame('unsupported_value at ' . (1 + 2 * \strlen($ext)) . ' (/2)', $unpack(3, self::ALL_300));
    }

    public function testFaultyDataOfExtensionsCounts(): void
    {
        $map = self::map([...self::sameHash(300), 'last']);
        $extension = new CountedExtension(static function (BufferUnpacker $unpacker): mixed {
            try {
                return $unpacker->unpack();
            } catch (UnpackingFailedException $error) {
                return $error->errorCode->value;
            }
        });
        // The engine declines the first message, and has to ask for the map in the second one.
        foreach (["\x92{$map}\xc1", "\x93\xd4\x05\xc0{$map}\xc1"] as $data) {
            $ext = "\xc8" . \pack('n', \strlen($data)) . "\x05{$data}";
            $message = "\x94{$ext}{$ext}{$ext}{$ext}";
            $unpack = static fn(int $budget): mixed => (new BufferUnpacker($message, null, [$extension], new Limits(maxCollisions: $budget)))->unpack();
            self::assertSame(['reserved_byte', 'limit_exceeded', 'limit_exceeded', 'limit_exceeded'], $unpack(self::ALL_300));
            // The first is not counted but estimated, and the others are counted.
            self::assertSame(['reserved_byte', 'reserved_byte', 'reserved_byte', 'limit_exceeded'], $unpack(2 * self::ALL_300));
        }
    }

    // Lossless mode

    public function testInLosslessModeSuchAMapBecomesEntries(): void
    {
        $keys = self::sameHash(300);
        $map = self::map($keys);
        $limits = new Limits(maxCollisions: self::ALL_300);
        foreach ([UnpackOptions::LOSSLESS, UnpackOptions::LOSSLESS | UnpackOptions::RECORDS_INLINE] as $options) {
            [$first, $second, $third] = (array) MessagePack::unpack("\x93{$map}{$map}\x81\xa1a\x01", $options, $limits);
            self::assertEquals((object) \array_fill_keys($keys, null), $first);
            self::assertEquals(new Entries(\array_map(static fn(string $key): array => [$key, null], $keys)), $second);
            self::assertEquals((object) ['a' => 1], $third);
        }
        $canonical = new Canonical(limits: new Limits(maxCollisions: 1));
        self::assertSame((new Canonical())->canonicalize("\x92{$map}{$map}"), $canonical->canonicalize("\x92{$map}{$map}"));
    }

    /**
     * What such a map costs is the greater of two hash tables: in one of them digits are ints.
     */
    public function testDigitsInLosslessMode(): void
    {
        $keys = \array_map(static fn(int $i): string => (string) ($i << 20), \range(1, 300));
        $unpack = static fn(int $budget): mixed => MessagePack::unpack(self::map($keys), UnpackOptions::LOSSLESS, new Limits(maxCollisions: $budget));
        self::assertInstanceOf(\stdClass::class, $unpack(self::ALL_300));
        self::assertInstanceOf(Entries::class, $unpack(self::ALL_300 - 1));
    }

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function faultsBehind(): iterable
    {
        $keys = \array_map(static fn(string $key): string => "\xd9" . \chr(\strlen($key)) . $key, self::sameHash(300));
        $start = \strlen("\xde\x01\x2c") + 35 * 150; // of entry 150
        $key = static fn(int $i): string => \substr($keys[$i], 2);
        $with = static function (int $i, string $entry) use ($keys): string {
            $entries = \array_map(static fn(string $key): string => "{$key}\xc0", $keys);
            $entries[$i] = $entry;

            return "\xde\x01\x2c" . \implode('', $entries);
        };
        yield 'a key again' => [$with(150, "{$keys[3]}\xc0"), "duplicate_key at {$start} (/{$key(3)})"];
        yield 'a key again, and a fault in its value' => [$with(150, "{$keys[3]}\xc1"), "duplicate_key at {$start} (/{$key(3)})"];
        yield 'a key again behind a fault' => [
            \substr_replace($with(200, "{$keys[3]}\xc0"), "\xc1", $start + 34, 1),
            'reserved_byte at ' . ($start + 34) . " (/{$key(150)})",
        ];
        yield 'a fault behind a key that comes again' => [
            \substr_replace($with(150, "{$keys[3]}\xc0"), "\xc1", $start + 35, 1),
            "duplicate_key at {$start} (/{$key(3)})",
        ];
        yield 'a fault in a key' => [$with(150, "\x91\xc1"), 'reserved_byte at ' . ($start + 1) . ' ()'];
        yield 'invalid UTF-8' => [$with(150, "\xa1\xff\xc0"), "invalid_utf8 at {$start} ()"];
        yield 'nil twice' => [
            \substr_replace($with(150, "\xc0\xc0"), "\xc0\xc0", $start + 2, 35),
            'duplicate_key at ' . ($start + 2) . ' (/#151)',
        ];
    }

    #[DataProvider('faultsBehind')]
    public function testFaultsInLosslessMode(string $map, string $expected): void
    {
        foreach ([UnpackOptions::LOSSLESS, UnpackOptions::LOSSLESS | UnpackOptions::RECORDS_INLINE] as $options) {
            foreach ([1, \PHP_INT_MAX] as $budget) {
                self::assertRefused($expected, $map, $options, $budget);
            }
        }
    }

    /**
     * A map that can't become an object must not start as one.
     */
    public function testMixedKeysInLosslessMode(): void
    {
        $keys = self::sameHash(300);
        $map = "\xde\x01\x2d" . \substr(self::map($keys), 3) . "\x07\xc0";
        $unpacker = new BufferUnpacker("\x92{$map}\xc0", UnpackOptions::LOSSLESS, limits: new Limits(maxCollisions: 1));
        $expected = new Entries([...\array_map(static fn(string $key): array => [$key, null], $keys), [7, null]]);
        self::assertEquals([$expected, null], $unpacker->unpack());

        $asKey = "\x81{$map}\x01"; // a map as a key, of which the identity is needed
        $twice = "\x82{$map}\x01{$map}\x02";
        foreach ([1, \PHP_INT_MAX] as $budget) {
            $limits = new Limits(maxCollisions: $budget);
            self::assertEquals(new Entries([[$expected, 1]]), MessagePack::unpack($asKey, UnpackOptions::LOSSLESS, $limits));
            self::assertRefused('duplicate_key at ' . (2 + \strlen($map)) . ' (/#1)', $twice, UnpackOptions::LOSSLESS, $budget);
        }
    }

    /**
     * Keys that are arrays or maps have identities, too, which are needed again when the map is itself in a key.
     */
    public function testContainersAsKeysInLosslessMode(): void
    {
        $keys = self::sameHash(300);
        $array = "\x92\x01\xa1a";
        $map = "\x81\xa1a\x01";
        $wide = static fn(string $first, string $second): string => "\xde\x01\x2e" . \substr(self::map($keys), 3) . "{$first}\x05{$second}\x06";
        $entries = \array_map(static fn(string $key): array => [$key, null], $keys);
        $expected = new Entries([...$entries, [[1, 'a'], 5], [(object) ['a' => 1], 6]]);
        foreach ([1, \PHP_INT_MAX] as $budget) {
            $unpack = static fn(string $message): mixed => MessagePack::unpack($message, UnpackOptions::LOSSLESS, new Limits(maxCollisions: $budget));
            self::assertEquals($expected, $unpack($wide($array, $map)));
            self::assertEquals(new Entries([[$expected, true]]), $unpack("\x81{$wide($array, $map)}\xc3"));
            $second = 2 + \strlen($wide($array, $map));
            self::assertRefused("duplicate_key at {$second} (/#1)", "\x82{$wide($array, $map)}\xc3{$wide($array, $map)}\xc3", UnpackOptions::LOSSLESS, $budget);
            $again = 3 + 35 * 300 + \strlen($array) + 1;
            self::assertRefused("duplicate_key at {$again} (/#301)", $wide($array, $array), UnpackOptions::LOSSLESS, $budget);
        }
    }

    // Records

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function faultyRecords(): iterable
    {
        yield 'an id that may not be' => ["\xd4\x72\x20\x91\xa1a\xc0", 'invalid_record at 0 ()'];
        yield 'a second byte for an id of one' => ["\xd5\x72\x50\x01\x91\xa1a\xc0", 'invalid_record at 0 ()'];
        yield 'an ext 8' => ["\xc7\x01\x72\x40\x91\xa1a\xc0", 'invalid_record at 0 ()'];
        yield 'names that are no array' => ["\xd4\x72\x40\xa1a\xc0", 'invalid_record at 3 ()'];
        yield 'no names' => ["\xd4\x72\x40", 'unexpected_end at 3 ()'];
        yield 'more names than bytes' => ["\xd4\x72\x40\x9f\xa1a\xc0", 'unexpected_end at 3 ()'];
        yield 'a name that isn\'t a str' => ["\xd4\x72\x40\x92\xa1a\x05\xc0\xc0", 'invalid_record at 6 ()'];
        yield 'a name that is cut off' => ["\xd4\x72\x40\x92\xa1a\xd9\x05", 'unexpected_end at 6 ()'];
        yield 'the head of a name that is cut off' => ["\xd4\x72\x40\x91\xda\x00", 'unexpected_end at 4 ()'];
    }

    /**
     * The walk ends at the fault, so that a map in front of it counts, and none behind it.
     */
    #[DataProvider('faultyRecords')]
    public function testFaultyRecordsEndTheWalk(string $record, string $fault): void
    {
        $map = self::map(self::sameHash(300));
        $expected = static fn(int $offset, string $path): string => (string) \preg_replace_callback('/\d+ \(\)/', static fn(array $at): string => ((int) $at[0] + $offset) . " ({$path})", $fault);
        foreach ([0, UnpackOptions::STRICT] as $options) {
            $options |= UnpackOptions::RECORDS_INLINE;
            foreach ([self::ALL_300, \PHP_INT_MAX] as $budget) {
                self::assertRefused($expected(1 + \strlen($map), '/1'), "\x92{$map}{$record}", $options, $budget);
            }
            self::assertRefused('limit_exceeded at 1 (/0)', "\x92{$map}{$record}", $options, self::ALL_300 - 1);
        }
    }

    public function testRecordsOfEachKindInFrontOfAMap(): void
    {
        $map = self::map(self::sameHash(300));
        $options = UnpackOptions::RECORDS_INLINE;
        $records = [
            "\xd4\x72\x40\x91\xa1a\x07",
            "\xd4\x72\x40\xdc\x00\x01\xa1a\x07",
            "\xd4\x72\x40\xdd\x00\x00\x00\x01\xd9\x01a\x07",
            "\xd5\x72\x60\x01\x91\xda\x00\x01a\x07",
            "\xd5\x72\x7f\xff\x91\xdb\x00\x00\x00\x01a\x07",
        ];
        foreach ($records as $record) {
            $instance = \substr($record, 2, $record[0] === "\xd4" ? 1 : 2) . "\x08";
            $message = "\x93{$record}{$instance}{$map}";
            $at = 1 + \strlen($record . $instance);
            self::assertRefused("limit_exceeded at {$at} (/2)", $message, $options, self::ALL_300 - 1);
            [$first, $second] = (array) MessagePack::unpack($message, $options, new Limits(maxCollisions: self::ALL_300));
            self::assertSame([['a' => 7], ['a' => 8]], [$first, $second]);
        }
    }

    public function testTheNamesOfARecordWithAnIdOfTwoBytes(): void
    {
        $names = self::sameHash(300);
        $declaration = "\xd5\x72\x61\x02" . MessagePack::pack($names) . \str_repeat("\xc0", 300);
        $instance = "\x61\x02" . \str_repeat("\x01", 300);
        $offset = 1 + \strlen($declaration);
        $options = UnpackOptions::RECORDS_INLINE;
        self::assertRefused("limit_exceeded at {$offset} (/1)", "\x92{$declaration}{$instance}", $options, 2 * self::ALL_300 - 1);
        $fits = MessagePack::unpack("\x92{$declaration}{$instance}", $options, new Limits(maxCollisions: 2 * self::ALL_300));
        self::assertSame([\array_fill_keys($names, null), \array_fill_keys($names, 1)], $fits);

        $map = self::map($names); // the second byte of the id isn't known
        $unknown = 1 + \strlen($declaration . $map);
        self::assertRefused("unknown_record at {$unknown} (/2)", "\x93{$declaration}{$map}\x61\x03", $options, 2 * self::ALL_300);
        self::assertRefused("limit_exceeded at {$offset} (/1)", "\x93{$declaration}{$map}\x61\x03", $options, 2 * self::ALL_300 - 1);
        self::assertRefused("unexpected_end at {$unknown} (/2)", "\x93{$declaration}{$map}\x61", $options, 2 * self::ALL_300);
        self::assertRefused("limit_exceeded at {$offset} (/1)", "\x93{$declaration}{$map}\x61", $options, 2 * self::ALL_300 - 1);
    }

    public function testTheNamesOfARecord(): void
    {
        $names = self::sameHash(300);
        $declaration = "\xd4\x72\x40" . MessagePack::pack($names) . \str_repeat("\xc0", 300);
        $instance = "\x40" . \str_repeat("\x01", 300);
        $offset = 1 + \strlen($declaration);
        foreach ([UnpackOptions::RECORDS_INLINE, UnpackOptions::RECORDS_INLINE | UnpackOptions::STRICT] as $options) {
            self::assertRefused('limit_exceeded at 1 (/0)', "\x91{$declaration}", $options, self::ALL_300 - 1);
            self::assertRefused("limit_exceeded at {$offset} (/1)", "\x92{$declaration}{$instance}", $options, 2 * self::ALL_300 - 1);
            MessagePack::unpack("\x92{$declaration}{$instance}", $options, new Limits(maxCollisions: 2 * self::ALL_300));
        }

        $options = UnpackOptions::RECORDS_INLINE | UnpackOptions::LOSSLESS;
        $limits = new Limits(maxCollisions: self::ALL_300);
        [$first, $second] = (array) MessagePack::unpack("\x92{$declaration}{$instance}", $options, $limits);
        self::assertEquals((object) \array_fill_keys($names, null), $first);
        self::assertEquals(new Entries(\array_map(static fn(string $name): array => [$name, 1], $names)), $second);
        [$first] = (array) MessagePack::unpack("\x91{$declaration}", $options, new Limits(maxCollisions: 1));
        self::assertInstanceOf(Entries::class, $first);

        $again = "\xd4\x72\x40" . MessagePack::pack([...$names, $names[4]]) . \str_repeat("\xc0", 301);
        foreach ([1, \PHP_INT_MAX] as $budget) {
            self::assertRefused('invalid_record at ' . (3 + 3 + 34 * 300) . ' ()', $again, $options, $budget);
            self::assertRefused('invalid_record at ' . (3 + 3 + 34 * 300) . ' ()', \substr_replace($again, "\xc3", -301, 1), $options, $budget);
        }

        $invalid = "\xa1\xff"; // as a name: it isn't UTF-8
        foreach ([[$names, 'invalid_utf8'], [[...$names, $names[4]], 'invalid_record']] as [$read, $code]) {
            $count = \count($read) + 1;
            $faulty = "\xd4\x72\x40\xdc" . \pack('n', $count) . \substr(MessagePack::pack($read), 3) . $invalid . \str_repeat("\xc0", $count);
            foreach ([1, \PHP_INT_MAX] as $budget) {
                self::assertRefused("{$code} at " . (3 + 3 + 34 * 300) . ' ()', $faulty, $options, $budget);
            }
        }
    }

    public function testTheNamesOfADictionary(): void
    {
        $names = self::sameHash(300);
        $store = new CountingStore((new Dictionary([['a']]))->pack());
        $records = new SharedRecords($store);
        $warm = new BufferUnpacker("\x40\x07", UnpackOptions::of(records: $records));
        self::assertSame(['a' => 7], $warm->unpack());
        $message = "\x93\x40\x07\x41" . \str_repeat("\xc0", 300) . self::map($names);
        $unpacker = new BufferUnpacker($message . $message, UnpackOptions::of(records: $records), limits: new Limits(maxCollisions: self::ALL_300));
        $store->content = (new Dictionary([['a'], $names]))->pack(); // loaded in the middle of the message
        $expected = 'limit_exceeded at 304 (/2)';
        self::assertSame($expected, Outcome::of($unpacker->unpack(...)));
        self::assertSame($expected, Outcome::of($unpacker->unpack(...)), 'and again, when all is known');
        self::assertSame(2, $store->loads);
    }

    /**
     * Counting stops at an id that isn't known yet, so what comes behind it counts once the dictionary is loaded.
     */
    public function testADictionaryIsLoadedBehindAWideMap(): void
    {
        $names = self::sameHash(300);
        $map = self::map($names);
        $message = "\x93\x40\x07{$map}\x41" . \str_repeat("\xc0", 300);
        $at = 2 + 3 + \strlen($map);
        foreach ([2 * self::ALL_300 - 1 => "limit_exceeded at {$at} (/2)", 2 * self::ALL_300 => null] as $budget => $refused) {
            $store = new CountingStore((new Dictionary([['a']]))->pack());
            $records = new SharedRecords($store);
            $limits = new Limits(maxCollisions: $budget);
            $unpacker = new BufferUnpacker("\x40\x07" . $message, UnpackOptions::of(records: $records), limits: $limits);
            self::assertSame(['a' => 7], $unpacker->unpack());
            $store->content = (new Dictionary([['a'], $names]))->pack();
            $expected = $refused ?? Outcome::value([['a' => 7], \array_fill_keys($names, null), \array_fill_keys($names, null)]);
            self::assertSame($expected, Outcome::of($unpacker->unpack(...)));
            self::assertSame(2, $store->loads);
        }
    }

    // Other readers

    public function testLazyReads(): void
    {
        $message = "\x92" . self::map(self::sameHash(300)) . self::map([...\array_slice(self::sameHash(300), 1), 'last']);
        $name = self::sameHash(300)[299];
        foreach (self::MODES as $mode => $options) {
            $raw = (new BufferUnpacker($message, $options, limits: new Limits(maxCollisions: 1)));
            $get = static fn(string $path): string => Outcome::of(static fn(): mixed => $raw->get($path, 'none'));
            $isStrict = ($options & UnpackOptions::STRICT) !== 0;
            self::assertSame($isStrict ? 'limit_exceeded at 1 (/0)' : Outcome::value(null), $get("/0/{$name}"), $mode);
            self::assertSame($isStrict ? 'limit_exceeded at 1 (/0)' : Outcome::value('none'), $get('/0/last'), $mode);
        }
    }

    /**
     * A lazy read of records reads twice, but only what it reads last counts.
     */
    public function testLazyReadsInTheDataOfExtensionsCountOnce(): void
    {
        $names = [...self::sameHash(300), 'last']; // the last shares no bucket, so the estimate is above ALL_300
        $declaration = "\xd4\x72\x40" . MessagePack::pack($names) . \str_repeat("\x07", 301);
        $messages = [
            "\x92" . self::map($names) . $declaration => 2 * self::ALL_300,
            "\x92{$declaration}\x07" => self::ALL_300,
            "\x92{$declaration}\x40" . \str_repeat("\x09", 301) => 2 * self::ALL_300,
        ];
        $reads = [
            'get()' => static fn(BufferUnpacker $unpacker): mixed => $unpacker->get('/1'),
            'getRaw()' => static fn(BufferUnpacker $unpacker): string => $unpacker->getRaw('/1')->bytes ?? '',
            'unpackRaw()' => static fn(BufferUnpacker $unpacker): string => $unpacker->unpackRaw()->bytes,
        ];
        foreach ($messages as $message => $cost) {
            $ext = "\xc8" . \pack('n', \strlen($message)) . "\x05" . $message;
            foreach ($reads as $name => $read) {
                foreach (['records', 'strict records', 'lossless records'] as $mode) {
                    foreach ([$cost - 1, $cost] as $budget) {
                        $limits = new Limits(maxCollisions: $budget);
                        $plain = new BufferUnpacker($message, self::MODES[$mode], limits: $limits);
                        $outside = Outcome::of(static fn(): mixed => $read($plain));
                        self::assertSame($budget < $cost && $mode !== 'lossless records', \str_starts_with($outside, 'limit_exceeded at'), $name);
                        $unpacker = new BufferUnpacker($ext, self::MODES[$mode], [new CountedExtension($read)], $limits);
                        $expected = \str_starts_with($outside, 'limit_exceeded at') ? 'unsupported_value at 0 ()' : $outside;
                        self::assertSame($expected, Outcome::of($unpacker->unpack(...)), "{$name}, {$mode}");
                    }
                }
            }
        }
    }

    public function testThePeclReader(): void
    {
        $map = self::map(self::sameHash(300));
        $object = "\xde\x01\x2d\xc0\xa8stdClass" . \substr($map, 3);
        foreach (["\x91{$map}" => 'limit_exceeded at 1 (/0)', $object => 'limit_exceeded at 0 ()'] as $message => $expected) {
            $read = static fn(int $budget): string => Outcome::of(static fn(): bool => (new PeclReader(new Limits(maxCollisions: $budget)))->read($message) !== null);
            self::assertSame($expected, $read(self::ALL_300 - 1));
            self::assertSame(Outcome::value(true), $read(self::ALL_300));
        }
        $reader = new PeclReader(new Limits(maxCollisions: 2 * self::ALL_300 - 1));
        self::assertSame('limit_exceeded at ' . (1 + \strlen($map)) . ' (/1)', Outcome::of(static fn(): mixed => $reader->read("\x92{$map}{$map}")));
        $reader->read($map);
        $reader->read($map);
    }

    public function testTheLimitIsAtLeastOne(): void
    {
        $this->expectException(InvalidOptionException::class);
        new Limits(maxCollisions: 0);
    }

    // Helpers

    /**
     * Returns with what budget a map of these keys fits.
     *
     * @param list<int|string> $keys
     */
    private static function cost(array $keys): int
    {
        return \min(self::comparisons($keys, false), self::comparisons($keys, true));
    }

    /**
     * Counts the comparisons in the simplest way: in buckets that are lists of keys.
     *
     * @param list<int|string> $keys
     */
    private static function comparisons(array $keys, bool $eachOnce): int
    {
        $comparisons = 0;
        $added = [];
        $buckets = [];
        $capacity = 8;
        foreach ($keys as $key) {
            $key = \array_key_first([$key => null]);
            $isAdded = !$eachOnce || !\in_array($key, $added, true);
            if ($isAdded && \count($added) === $capacity) {
                $capacity *= 2;
                $buckets = [];
                foreach ($added as $before) {
                    $buckets[self::hash($before) % (2 * $capacity)][] = $before;
                }
            }
            $bucket = self::hash($key) % (2 * $capacity);
            $comparisons += \count($buckets[$bucket] ?? []);
            if ($isAdded) {
                $buckets[$bucket][] = $key;
                $added[] = $key;
            }
        }

        return $comparisons;
    }

    /**
     * Returns the lowest 20 bits of PHP's hash of a key.
     */
    private static function hash(int|string $key): int
    {
        $key = \array_key_first([$key => null]);
        if (\is_int($key)) {
            return $key & 0xfffff;
        }
        $hash = 5381;
        foreach (\str_split($key) as $byte) {
            $hash = ($hash * 33 + \ord($byte)) & 0xfffff;
        }

        return $hash;
    }

    /**
     * Strings of 32 bytes with one hash: each pair of letters is one of two with the same.
     *
     * @return list<string>
     */
    private static function sameHash(int $count): array
    {
        return \array_map(static fn(int $i): string => \strtr(\sprintf('%016b', $i), ['0' => 'aa', '1' => 'b@']), \range(1, $count));
    }

    /**
     * @param list<int|string> $keys
     */
    private static function map(array $keys): string
    {
        return self::mapOf(\array_map(static fn(int|string $key): string => MessagePack::pack($key), $keys));
    }

    /**
     * @param list<string> $keys encoded
     */
    private static function mapOf(array $keys): string
    {
        return (\count($keys) < 0x10000 ? "\xde" . \pack('n', \count($keys)) : "\xdf" . \pack('N', \count($keys)))
            . \implode("\xc0", $keys) . "\xc0";
    }

    /**
     * @return array<array-key, mixed>
     */
    private static function entries(mixed $map): array
    {
        return $map instanceof Entries ? $map->entries : (array) $map;
    }

    private static function assertRefused(string $expected, string $message, int $options, int $budget): void
    {
        $limits = new Limits(maxCollisions: $budget);
        self::assertSame($expected, Outcome::of(static fn(): mixed => MessagePack::unpack($message, $options, $limits)));
    }
}
