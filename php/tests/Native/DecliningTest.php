<?php

declare(strict_types=1);

namespace Polypack\Tests\Native;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Canonical;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Records\Dictionary;
use Polypack\Records\SharedRecords;
use Polypack\Stores\MemoryStore;
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\BothEngines;
use Polypack\Tests\Support\Counted;
use Polypack\Tests\Support\CountedExtension;
use Polypack\Tests\Support\Suit;
use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\TypeTransformer\StringableTransformer;
use Polypack\UnpackOptions;

/**
 * Each kind of message that docs/decisions/0024-php-extension.md says the extension declines, beside one that differs
 * as little as possible and that the extension finishes. Both have the outcome of the PHP code. Run by `make test-ext`.
 */
#[RequiresPhpExtension('polypack')]
final class DecliningTest extends TestCase
{
    use BothEngines;

    /** Counters of polypack_stats(): of what is declined, and of what the extension did. */
    private const COUNTERS = [
        'encode' => ['encodeDeclined', 'encoded', 'encodeAsked'],
        'decode' => ['decodeDeclined', 'decoded', 'decodeAsked'],
        'scan' => ['scanDeclined', 'scanned'],
        'canonicalize' => ['canonicalizeDeclined', 'canonicalized'],
    ];

    private const EXT = "\xd4\x05\x07"; // of CountedExtension
    private const BIG_INT = "\xcf\xff\xff\xff\xff\xff\xff\xff\xff";

    /**
     * @param 'canonicalize'|'decode'|'encode'|'scan' $operation
     * @param \Closure(mixed): mixed                  $declined
     * @param \Closure(mixed): mixed                  $finished
     * @param \Closure(): mixed                       $prepare   gives the argument of both
     */
    #[DataProvider('kinds')]
    public function testKinds(string $operation, \Closure $declined, \Closure $finished, ?\Closure $prepare = null): void
    {
        self::assertSame(1, self::counted($operation, $declined, $prepare)[0], 'the extension should decline');
        $counted = self::counted($operation, $finished, $prepare);
        self::assertSame(0, $counted[0], 'the extension should not decline');
        self::assertGreaterThan(0, \max($counted), 'the extension should be asked');
    }

    /**
     * @return iterable<string, array{0: string, 1: \Closure, 2: \Closure, 3?: \Closure}>
     */
    public static function kinds(): iterable
    {
        yield from self::packed();
        yield from self::packedWithRecords();
        yield from self::unpacked();
        yield from self::unpackedInLosslessMode();
        yield from self::unpackedWithExtensions();
        yield from self::withDictionaries();
        yield from self::scanned();
        yield from self::canonical();
        yield from self::nested();
    }

    /**
     * @return iterable<string, array{string, \Closure(): mixed, \Closure(): mixed}>
     */
    private static function packed(): iterable
    {
        foreach (self::toAskFor() as $name => $make) {
            yield "MessagePack::pack() with {$name}" => [
                'encode',
                static fn(): string => MessagePack::pack([1, $make()]),
                static fn(): string => (new Packer())->pack([1, $make()]),
            ];
        }
        $object = static fn(): Counted => new Counted(static fn(Packer $packer): string => $packer->packInt(1));
        foreach (['list' => [0, 1], 'map' => ['a', 'b']] as $name => $keys) {
            yield "a {$name} of objects that pack themselves, and a map of such" => [
                'encode',
                static fn(): string => (new Packer())->pack(\array_combine($keys, [$object(), $object()])),
                static fn(): string => (new Packer())->pack(['c' => \array_combine($keys, [$object(), $object()])]),
            ];
        }
        yield 'objects when there is a transformer, or objects and an int' => [
            'encode',
            static fn(): string => (new Packer(null, [new StringableTransformer()]))->pack([(object) [], (object) ['a' => 1]]),
            static fn(): string => (new Packer(null, [new StringableTransformer()]))->pack([(object) [], (object) ['a' => 1], 1]),
        ];
        yield 'MessagePack::pack() of a fault, or of nearly one' => [
            'encode',
            static fn(): string => MessagePack::pack(["\xff"], PackOptions::LOSSLESS | PackOptions::FORCE_STR),
            static fn(): string => MessagePack::pack(["\xff"], PackOptions::LOSSLESS | PackOptions::FORCE_BIN),
        ];
    }

    /**
     * @return iterable<string, array{string, \Closure(): mixed, \Closure(): mixed}>
     */
    private static function packedWithRecords(): iterable
    {
        $pack = static fn(mixed $value, int $options = PackOptions::RECORDS_INLINE): \Closure
            => static fn(): string => (new Packer($options))->pack($value instanceof \Closure ? $value() : $value);

        foreach (self::toAskFor() as $name => $make) {
            $value = static fn(): array => [['a' => 1], ['a' => $make()]];
            yield "records, and {$name}" => ['encode', $pack($value), $pack($value, 0)];
        }
        yield 'records, and an object that is packed in C' => [
            'encode',
            $pack([['a' => \STDERR]]),
            $pack([['a' => new \DateTimeImmutable('@5'), 'b' => new Ext(7, 'x'), 'c' => Suit::Hearts, 'd' => new Bin('x')]]),
        ];
        foreach (['an array' => [1], 'an object' => (object) ['a' => 1]] as $name => $key) {
            $value = new Entries([[$key, ['b' => 2]]]);
            yield "records, and Entries with {$name} as a key" => ['encode', $pack($value), $pack($value, PackOptions::LOSSLESS)];
            yield "records, and Entries with {$name} as a value" => ['encode', $pack($value), $pack(new Entries([[1, $key]]))];
        }
    }

    /**
     * @return iterable<string, array{string, \Closure(): mixed, \Closure(): mixed}>
     */
    private static function unpacked(): iterable
    {
        yield 'a fault' => ['decode', self::unpack("\x92\x01\xc1"), self::unpack("\x92\x01\xc0")];
        yield 'a count that lies' => ['decode', self::unpack("\x92\x92\x01\x02"), self::unpack("\x92\x91\x01\x02")];
        yield 'a fault, also one found after an extension has run' => [
            'decode',
            self::unpack("\x92\xc1" . self::EXT, hasExtension: true),
            self::unpack("\x92" . self::EXT . "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", hasExtension: true),
        ];
        yield 'MessagePack::unpack() with an option that needs a class' => [
            'decode',
            static fn(): mixed => MessagePack::unpack("\x91" . self::BIG_INT, UnpackOptions::BIGINT_AS_GMP),
            self::unpack("\x91" . self::BIG_INT, UnpackOptions::BIGINT_AS_GMP),
        ];
        yield 'MessagePack::unpack() with such an option, and no such value' => [
            'decode',
            static fn(): mixed => MessagePack::unpack("\x91\x01", UnpackOptions::BIGINT_AS_GMP),
            static fn(): mixed => MessagePack::unpack("\x91\x01", UnpackOptions::BIGINT_AS_FLOAT),
        ];
        $wide = EngineTest::wideMaps()[0];
        yield 'comparisons of keys beyond the budget' => [
            'decode',
            self::unpack($wide, limits: new Limits(maxCollisions: 89_699)),
            self::unpack($wide, limits: new Limits(maxCollisions: 89_700)),
        ];
        $memory = 200 + 2 * 64 + 2 * 200;
        yield 'memory beyond the budget' => [
            'decode',
            self::unpack("\x92\x91\x01\x91\x02", limits: new Limits(maxMemory: $memory + 2 * 64 - 1)),
            self::unpack("\x92\x91\x01\x91\x02", limits: new Limits(maxMemory: $memory + 2 * 64)),
        ];
        yield 'values beyond the budget' => [
            'decode',
            self::unpack("\x92\x91\x01\x02", limits: new Limits(maxValues: 3)),
            self::unpack("\x92\x91\x01\x02", limits: new Limits(maxValues: 4)),
        ];
        yield 'records of many names, as often as may be' => [
            'decode',
            self::unpack(self::records(2_001, 100), UnpackOptions::RECORDS_INLINE),
            self::unpack(self::records(2_001, 99), UnpackOptions::RECORDS_INLINE),
        ];
    }

    /**
     * @return iterable<string, array{string, \Closure(): mixed, \Closure(): mixed}>
     */
    private static function unpackedInLosslessMode(): iterable
    {
        foreach (['an array' => "\x91\x01", 'a map' => "\x81\x01\x02"] as $name => $key) {
            $several = "\x82{$key}\x01\x02\x03";
            yield "lossless mode, and {$name} as a key of several" => [
                'decode', self::unpack($several, UnpackOptions::LOSSLESS), self::unpack("\x81{$key}\x01", UnpackOptions::LOSSLESS),
            ];
            yield "lossless mode, and {$name} as a value of several" => [
                'decode', self::unpack($several, UnpackOptions::LOSSLESS), self::unpack("\x82\x01{$key}\x02\x03", UnpackOptions::LOSSLESS),
            ];
        }
    }

    /**
     * @return iterable<string, array{string, \Closure(): mixed, \Closure(): mixed}>
     */
    private static function unpackedWithExtensions(): iterable
    {
        $finished = self::unpack("\x91" . self::EXT, hasExtension: true);
        foreach (['lossless mode' => UnpackOptions::LOSSLESS, 'records' => UnpackOptions::RECORDS_INLINE] as $name => $options) {
            yield "{$name}, and an extension that would run" => ['decode', self::unpack("\x91" . self::EXT, $options, hasExtension: true), $finished];
            yield "{$name}, and an extension that wouldn't run" => [
                'decode',
                self::unpack("\x91" . self::EXT, $options, hasExtension: true),
                self::unpack("\x91\xd4\x06\x07", $options, hasExtension: true),
            ];
        }
        $limits = new Limits(maxValues: 100);
        yield 'maxValues, and an extension that would run' => [
            'decode', self::unpack("\x91" . self::EXT, limits: $limits, hasExtension: true), $finished,
        ];
        yield 'maxValues, and no extension' => [
            'decode', self::unpack("\x91" . self::EXT, limits: $limits, hasExtension: true), self::unpack("\x91" . self::EXT, limits: $limits),
        ];
    }

    /**
     * @return iterable<string, array{0: string, 1: \Closure, 2: \Closure, 3?: \Closure}>
     */
    private static function withDictionaries(): iterable
    {
        // Loading a dictionary packs it, too, so it is loaded before the count.
        $store = static function (): SharedRecords {
            $shared = new SharedRecords(self::store(), 3);
            $shared->dictionary();

            return $shared;
        };
        $pack = static fn(array $value): \Closure => static fn(SharedRecords $shared): string => (new Packer(PackOptions::of(records: $shared)))->pack($value);
        yield 'names that may be published' => ['encode', $pack(['c' => 1]), $pack(['b' => 1]), $store];
        yield 'names in a dictionary that stays as it is' => [
            'encode', $pack(['c' => 1]), static fn(): string => $pack(['c' => 1])(new SharedRecords(new Dictionary([['a'], ['b']]))), $store,
        ];

        $unpack = static fn(string $bytes, bool $isLoaded): \Closure => static function () use ($bytes, $isLoaded): mixed {
            $shared = new SharedRecords(self::store());
            if ($isLoaded) {
                $shared->dictionary();
            }

            return (new BufferUnpacker($bytes, UnpackOptions::of(records: $shared)))->unpack();
        };
        yield 'ids before the dictionary is loaded' => ['decode', $unpack("\x92\x40\x01\x41\x02", false), $unpack("\x92\x40\x01\x41\x02", true)];
        yield 'ids that the dictionary lacks' => ['decode', $unpack("\x92\x40\x01\x42\x02", true), $unpack("\x92\x40\x01\x41\x02", true)];
    }

    /**
     * @return iterable<string, array{string, \Closure(): mixed, \Closure(): mixed}>
     */
    private static function scanned(): iterable
    {
        $read = static fn(string $bytes, bool $isLoaded = true): \Closure => static function () use ($bytes, $isLoaded): array {
            $shared = new SharedRecords(self::store());
            if ($isLoaded) {
                $shared->dictionary();
            }

            return \iterator_to_array((new StreamUnpacker(UnpackOptions::of(records: $shared)))->decode(\str_split($bytes)));
        };
        yield 'a stream with a fault' => ['scan', $read("\x92\x01\xc1"), $read("\x92\x01\xc0")];
        yield 'a stream with an id that the dictionary lacks' => ['scan', $read("\x92\x40\x01\x42\x02"), $read("\x92\x40\x01\x41\x02")];
        yield 'a stream before the dictionary is loaded' => ['scan', $read("\x91\x40\x01", false), $read("\x91\x40\x01")];
    }

    /**
     * @return iterable<string, array{string, \Closure(): mixed, \Closure(): mixed}>
     */
    private static function canonical(): iterable
    {
        $canonicalize = static fn(string $bytes): \Closure => static fn(): string => \md5((new Canonical(recordsInline: true))->canonicalize($bytes));
        yield 'a canonical form with a fault' => ['canonicalize', $canonicalize("\x92\x01\xc1"), $canonicalize("\x92\x01\xc0")];
        yield 'a canonical form with equal keys' => [
            'canonicalize', $canonicalize("\x82\x91\x01\x01\x91\xd0\x01\x02"), $canonicalize("\x82\x91\x01\x01\x91\xd0\x02\x02"),
        ];
        // The array has a record of one name of 999 bytes, which takes 1,003 bytes, for each instance.
        $records = static fn(int $count): string => "\xdd" . \pack('N', $count)
            . "\xd4\x72\x40\x91\xda\x03\xe7" . \str_repeat('n', 999) . "\x01" . \str_repeat("\x40\x01", $count - 1);
        yield 'a canonical form with long names' => ['canonicalize', $canonicalize($records(998)), $canonicalize($records(997))];
    }

    /**
     * Containers in containers. A message may use 2,000 levels of the C stack.
     *
     * @return iterable<string, array{string, \Closure(): mixed, \Closure(): mixed}>
     */
    private static function nested(): iterable
    {
        $limits = new Limits(3_000);
        $message = static fn(int $depth): string => \str_repeat("\x91", $depth) . "\x01";
        yield 'deep while unpacking' => ['decode', self::unpack($message(2_001), limits: $limits), self::unpack($message(2_000), limits: $limits)];
        $pack = static fn(int $depth, int $options): \Closure => static function () use ($depth, $options, $limits): string {
            $value = ['a' => 1];
            for (; $depth > 1; --$depth) {
                $value = [$value];
            }

            return (new Packer($options, [], $limits))->pack($value);
        };
        yield 'deep while packing records' => ['encode', $pack(2_001, PackOptions::RECORDS_INLINE), $pack(2_000, PackOptions::RECORDS_INLINE)];
        // Without records the extension asks for the container that is too deep.
        yield 'deep while packing maps' => ['encode', $pack(2_001, PackOptions::RECORDS_INLINE), $pack(2_001, 0)];
    }

    /**
     * A call-back counts as eight levels. Messages inside the call-backs are declined before any user code of theirs.
     */
    public function testNestedCallBacks(): void
    {
        $pack = static fn(int $depth): \Closure => static function () use ($depth): array {
            $value = [1];
            $objects = [];
            for (; $depth > 0; --$depth) {
                $inside = $value;
                $objects[] = $object = new Counted(static fn(Packer $packer): string => $packer->pack($inside));
                $value = [$object, 1];
            }
            $packed = (new Packer())->pack($value);

            return [\bin2hex($packed), \array_map(static fn(Counted $object): int => $object->calls, $objects)];
        };
        self::assertSame([0, 201, 200], self::counted('encode', $pack(200)));
        [$declined, $finished] = self::counted('encode', $pack(300));
        self::assertSame(301, $declined + $finished);
        self::assertGreaterThan(0, $declined);
    }

    // What the library doesn't offer

    /**
     * @param \Closure(): mixed $call
     */
    #[DataProvider('notOffered')]
    public function testNotOffered(\Closure $call): void
    {
        foreach (\array_keys(self::COUNTERS) as $operation) {
            self::assertSame(0, \max(self::counted($operation, $call)), $operation);
        }
    }

    /**
     * @return iterable<string, array{\Closure(): mixed}>
     */
    public static function notOffered(): iterable
    {
        foreach (['nil' => "\xc0", 'an int' => "\x05", 'a text' => "\xa1x", 'an ext value' => "\xd4\x07x", 'the empty array' => "\x90"] as $name => $bytes) {
            yield "{$name}, unpacked" => [self::unpack($bytes)];
        }
        foreach (['null' => null, 'an int' => 5, 'a text' => 'x'] as $name => $value) {
            yield "{$name}, packed" => [static fn(): string => (new Packer())->pack($value)];
        }
        yield 'an object that packs itself' => [static fn(): string => (new Packer())->pack(new Counted(static fn(Packer $packer): string => $packer->packInt(1)))];
        yield 'an object, and a transformer' => [static fn(): string => (new Packer(null, [new StringableTransformer()]))->pack((object) ['a' => 1])];
        yield 'a lazy read' => [static fn(): mixed => (new BufferUnpacker("\x82\xa1a\x01\xa1b\x92\x02\x03"))->get('/b/1')];
    }

    // Helpers

    /**
     * Returns what the counters of an operation have risen by, and checks the outcome.
     *
     * @param 'canonicalize'|'decode'|'encode'|'scan' $operation
     * @param \Closure(mixed): mixed                  $call
     * @param ?\Closure(): mixed                      $prepare   gives its argument, and isn't counted
     *
     * @return non-empty-list<int>
     */
    private static function counted(string $operation, \Closure $call, ?\Closure $prepare = null): array
    {
        $before = $after = [];
        [$withPhp, $natively] = self::withBothEngines(static function () use ($call, $prepare, &$before, &$after): array {
            $argument = $prepare === null ? null : $prepare();
            $before = \polypack_stats();
            $outcome = self::outcome(static fn(): mixed => $call($argument));
            $after = \polypack_stats();

            return $outcome;
        });
        self::assertSame($withPhp, $natively);

        return \array_map(static fn(string $counter): int => $after[$counter] - $before[$counter], self::COUNTERS[$operation]);
    }

    /**
     * @return \Closure(): mixed
     */
    private static function unpack(string $bytes, int $options = 0, ?Limits $limits = null, bool $hasExtension = false): \Closure
    {
        return static function () use ($bytes, $options, $limits, $hasExtension): mixed {
            $extension = new CountedExtension(static fn(BufferUnpacker $inside): mixed => $inside->unpack());

            return (new BufferUnpacker($bytes, $options, $hasExtension ? [$extension] : [], $limits))->unpack();
        };
    }

    /**
     * Returns makers of values that the extension asks a packer for.
     *
     * @return array<string, \Closure(): mixed>
     */
    private static function toAskFor(): array
    {
        return [
            'an object that packs itself' => static fn(): Counted => new Counted(static fn(Packer $packer): string => $packer->pack(['a' => 1])),
            'an iterator' => static fn(): \ArrayIterator => new \ArrayIterator([1, 2]),
            'a resource' => static fn(): mixed => \STDERR,
        ];
    }

    /**
     * Returns an array of records. If all names shared a bucket, each would take half as many comparisons as the square
     * of its names; so would the declaration.
     */
    private static function records(int $names, int $records): string
    {
        return "\xdc" . \pack('n', $records) . "\xd4\x72\x40\xdc" . \pack('n', $names)
            . \implode('', \array_map(static fn(int $i): string => MessagePack::pack("name {$i}"), \range(1, $names)))
            . \str_repeat("\x01", $names) . \str_repeat("\x40" . \str_repeat("\x01", $names), $records - 1);
    }

    private static function store(): MemoryStore
    {
        return new MemoryStore((new Dictionary([['a'], ['b']]))->pack());
    }
}
