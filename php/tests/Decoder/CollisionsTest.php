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
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\CollidingKeys;
use Polypack\Tests\Support\CountedExtension;
use Polypack\Tests\Support\Outcome;
use Polypack\Type\Entries;
use Polypack\UnpackOptions;

/**
 * spec/06-limits.md#collisions. Most tests have a small budget, so that a few hundred keys exceed it.
 */
final class CollisionsTest extends TestCase
{
    use CollidingKeys;

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
     * @return array<array-key, mixed>
     */
    private static function entries(mixed $map): array
    {
        return $map instanceof Entries ? $map->entries : (array) $map;
    }
}
