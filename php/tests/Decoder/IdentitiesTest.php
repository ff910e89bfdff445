<?php

declare(strict_types=1);

namespace Polypack\Tests\Decoder;

use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Extension;
use Polypack\Extension\DateTimeExtension;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Tests\Support\Box;
use Polypack\Tests\Support\BoxExtension;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\Suit;
use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\UnpackOptions;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Keys that are containers, or that extensions make. CollisionsTest has what comparing them costs.
 */
final class IdentitiesTest extends TestCase
{
    /** @var positive-int */
    private const LONG = 200_000;

    public function testAnUnpackerKeepsNothingOfLongNamesInKeys(): void
    {
        foreach ([UnpackOptions::LOSSLESS, UnpackOptions::LOSSLESS | UnpackOptions::RECORDS_INLINE] as $options) {
            $unpacker = new BufferUnpacker('', $options);
            $decode = static function (int $i) use ($unpacker): void {
                $key = MessagePack::pack([\str_repeat(\chr(65 + $i), self::LONG) => 1]);
                $unpacker->reset("\x82{$key}\x01\x02\x03")->unpack();
                $unpacker->reset("\x01")->unpack();
            };
            $decode(0);
            $before = \memory_get_usage();
            for ($i = 1; $i <= 10; ++$i) {
                $decode($i);
            }

            self::assertLessThan(self::LONG, \memory_get_usage() - $before);
        }
    }

    /**
     * Keys are compared as they are written, whatever an extension makes of them (spec/01-data-model.md#map). So a map
     * has a repeated key exactly if it has one without the extensions, at the same place.
     */
    public function testKeysThatExtensionsMakeAreComparedByTheirBytes(): void
    {
        $extensions = [
            new DateTimeExtension(),
            new BoxExtension(7),
            self::making(8, static fn(mixed $content): array => [new Box($content), [1, new Box(0)]]),
            self::making(9, static fn(mixed $content): \stdClass => (object) ['a' => new Box($content), 'b' => new Bin('b')]),
            self::making(10, static fn(mixed $content): Entries => new Entries([[new Box(1), new Box($content)], [[new Box(0)], 1]])),
            self::making(11, static fn(mixed $content): mixed => $content), // mostly an int
        ];
        $random = new Randomizer(new Xoshiro256StarStar(11));
        $unpackers = [];
        $counts = ['duplicate_key' => 0, 'none' => 0];
        for ($i = 0; $i < 3000; ++$i) {
            $bytes = self::mapBytes(3, $random);
            $options = UnpackOptions::LOSSLESS | ($random->getInt(0, 1) === 1 ? UnpackOptions::RECORDS_INLINE : 0);
            $expected = self::failure(static fn(): mixed => MessagePack::unpack($bytes, $options));
            self::assertSame($expected, self::failure(static fn(): mixed => (new BufferUnpacker($bytes, $options, $extensions))->unpack()), \bin2hex($bytes));
            // It has read other messages before.
            $unpacker = $unpackers[$options] ??= new BufferUnpacker('', $options, $extensions);
            self::assertSame($expected, self::failure(static fn(): mixed => $unpacker->reset($bytes)->unpack()), \bin2hex($bytes));
            ++$counts[\explode(' ', $expected)[0]];
        }
        self::assertGreaterThan(200, \min($counts));
    }

    public function testALosslessPackerWritesTheKeysThatExtensionsMade(): void
    {
        foreach (['82d6ff0000000101d6ff0000000202', '82d4070101d4070202', '8291d40701019207d4070102', '8281d4070101c081d4070102c0'] as $hex) {
            foreach ([[new DateTimeExtension(), new BoxExtension(7)], []] as $extensions) {
                $value = (new BufferUnpacker((string) \hex2bin($hex), UnpackOptions::LOSSLESS, $extensions))->unpack();
                self::assertSame($hex, \bin2hex((new Packer(PackOptions::LOSSLESS, $extensions))->pack($value)));
            }
        }
    }

    /**
     * What two ext values make may be equal, or equal to a value that no extension made. Entries hold all of them.
     */
    public function testEqualThingsThatExtensionsMakeAreSeveralKeys(): void
    {
        $int = self::making(7, static fn(mixed $content): int => 1);
        foreach (['82d407010101a0', '8291d40701019101a0', '8281d4070101018101' . '0102', '82d4070101d4070002'] as $hex) {
            foreach (["\x91", ''] as $around) {
                $value = (new BufferUnpacker($around . \hex2bin($hex), UnpackOptions::LOSSLESS, [$int]))->unpack();
                $map = \is_array($value) ? $value[0] : $value;
                self::assertInstanceOf(Entries::class, $map);
                self::assertSame(\serialize($map->entries[0][0]), \serialize($map->entries[1][0]), $hex);
            }
        }
        $text = self::making(7, static fn(mixed $content): string => 'a');
        self::assertEquals(new Entries([['a', 1], ['a', 2], ['b', 3]]), (new BufferUnpacker("\x83\xa1a\x01\xd4\x07\x01\x02\xa1b\x03", UnpackOptions::LOSSLESS, [$text]))->unpack());
        $nested = (new BufferUnpacker("\x81\x93\xd4\x07\x01\x81\xa1x\xd4\x07\x01\x81\xc3\xd4\x07\x01\xd4\x07\x01", UnpackOptions::LOSSLESS, [$text]))->unpack();
        self::assertEquals(new Entries([[['a', (object) ['x' => 'a'], new Entries([[true, 'a']])], 'a']]), $nested);

        $extension = self::making(7, static fn(mixed $content): Suit => Suit::Hearts);
        $unpack = static fn(string $hex): string => self::failure(static fn(): mixed => (new BufferUnpacker((string) \hex2bin($hex), UnpackOptions::LOSSLESS, [$extension]))->unpack());
        self::assertSame('none', $unpack('82d4070101d4070002'));
        self::assertSame('duplicate_key at 5 (/#1)', $unpack('82d4070101d4070102'));
        self::assertSame('none', $unpack('8291d407000191d4070101'));
    }

    /**
     * An ext value with long data that makes many objects holds the data once.
     */
    public function testLongDataAreHeldOnce(): void
    {
        $many = self::making(7, static fn(mixed $content): array => \array_map(static fn(int $i): Box => new Box($i), \range(1, 1000)));
        $data = MessagePack::pack(\str_repeat('x', self::LONG));
        $key = MessagePack::pack(new Ext(7, $data));
        \memory_reset_peak_usage();
        $before = \memory_get_usage();
        self::assertStringStartsWith('duplicate_key', self::failure(static fn(): mixed => (new BufferUnpacker("\x82{$key}\x01{$key}\x02", UnpackOptions::LOSSLESS, [$many]))->unpack()));
        self::assertLessThan(12 * self::LONG, \memory_get_peak_usage() - $before);
    }

    /**
     * @param \Closure(): mixed $call
     */
    private static function failure(\Closure $call): string
    {
        try {
            $call();
        } catch (UnpackingFailedException $error) {
            return Outcome::error($error);
        }

        return 'none';
    }

    /**
     * @param \Closure(mixed): mixed $make
     */
    private static function making(int $type, \Closure $make): Extension
    {
        return new class ($type, $make) implements Extension {
            /**
             * @param \Closure(mixed): mixed $make
             */
            public function __construct(private readonly int $type, private readonly \Closure $make) {}

            public function getType(): int
            {
                return $this->type;
            }

            public function pack(Packer $packer, mixed $value): ?string
            {
                return null;
            }

            public function unpackExt(BufferUnpacker $unpacker, int $extLength): mixed
            {
                return ($this->make)($unpacker->unpack());
            }
        };
    }

    /**
     * What an extension has made is put into its place without the C stack, of which a fiber has 2 MB by default.
     */
    public function testDeepKeysWithExtensionsFitIntoAFiber(): void
    {
        $limits = new Limits(maxDepth: Limits::MOST_DEPTH);
        $levels = Limits::MOST_DEPTH - 1;
        foreach ([['91', ''], ['81', 'c0'], ['81a161', ''], ['81c0', '']] as [$before, $after]) {
            $key = \hex2bin(\str_repeat($before, $levels) . 'd40701' . \str_repeat($after, $levels));
            $unpacker = new BufferUnpacker("\x81{$key}\xc0", UnpackOptions::LOSSLESS, [new BoxExtension()], $limits);
            $fiber = new \Fiber(static fn(): mixed => $unpacker->unpack());
            $fiber->start();
            self::assertInstanceOf(Entries::class, $fiber->getReturn(), $before);
        }
    }

    /**
     * Returns a map of two or three entries, whose keys have few different values in several forms.
     */
    private static function mapBytes(int $depth, Randomizer $random): string
    {
        $count = $random->getInt(2, 3);
        $bytes = \chr(0x80 + $count);
        for ($i = 0; $i < $count; ++$i) {
            $bytes .= self::keyBytes($depth - 1, $random) . self::extBytes($random);
        }

        return $bytes;
    }

    private static function keyBytes(int $depth, Randomizer $random): string
    {
        return match ($depth > 0 ? $random->getInt(0, 5) : 0) {
            1 => "\x91" . self::keyBytes($depth - 1, $random),
            2 => "\x92\xc0" . self::extBytes($random),
            3 => self::mapBytes($depth, $random),
            4 => "\x81" . self::keyBytes($depth - 1, $random) . self::keyBytes($depth - 1, $random),
            5 => "\x81\xa1a" . self::keyBytes($depth - 1, $random),
            default => self::extBytes($random),
        };
    }

    private static function extBytes(Randomizer $random): string
    {
        $type = $random->getInt(6, 11);
        if ($type === 6) {
            $second = \chr($random->getInt(1, 3));

            return $random->getInt(0, 1) === 0 ? "\xd6\xff\0\0\0{$second}" : "\xd7\xff\0\0\0\0\0\0\0{$second}";
        }
        $data = $type < 11 || $random->getInt(0, 1) === 0 ? \chr($random->getInt(1, 2)) : "\xd4\x07" . \chr($random->getInt(1, 2));
        if ($random->getInt(0, 3) === 0) {
            return "\xc8\0" . \chr(\strlen($data)) . \chr($type) . $data;
        }

        return \strlen($data) === 1 ? "\xd4" . \chr($type) . $data : "\xc7\x03" . \chr($type) . $data;
    }
}
