<?php

declare(strict_types=1);

namespace Polypack\Tests\Records;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Records\Dictionary;
use Polypack\Records\SharedRecords;
use Polypack\Tests\Support\CollidingKeys;
use Polypack\Tests\Support\CountedExtension;
use Polypack\Tests\Support\CountingStore;
use Polypack\Tests\Support\Outcome;
use Polypack\Type\Entries;
use Polypack\UnpackOptions;

/**
 * What the names of records and dictionaries cost (spec/06-limits.md#collisions).
 */
final class CollisionsTest extends TestCase
{
    use CollidingKeys;

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
}
