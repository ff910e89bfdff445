<?php

declare(strict_types=1);

namespace Polypack\Tests\Encoder;

use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\Native\Engine;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Tests\Support\Modes;
use Polypack\Tests\Support\PackingDifferential;
use Polypack\Tests\Support\RandomValues;
use Polypack\Tests\Support\Wrapped;
use Polypack\Type\Bin;
use Polypack\Type\Ext;
use Polypack\Type\Map;
use Polypack\Type\UInt64;

/**
 * The packer against the reference: lists that are packed at once, and a short, repeatable run of fuzz/packer.php.
 */
#[Group('slow')]
final class PackingDifferentialTest extends TestCase
{
    private const VALUES = 3000;

    public function testRandomValues(): void
    {
        $random = new RandomValues(20_261_121);
        $differential = new PackingDifferential();
        $options = PackingDifferential::options();
        for ($i = 0; $i < self::VALUES; ++$i) {
            $value = $random->next();
            $maxDepth = $random->int(0, 3) > 0 ? 512 : $random->int(0, 4);
            $others = $options[$random->int(0, \count($options) - 1)];
            if (Modes::takes($i)) {
                self::assertNull($differential->compare($value, 0, $maxDepth));
                self::assertNull($differential->compare($value, $others, $maxDepth));
            }
        }
    }

    /**
     * Lists of numbers of one width, each with one value of another kind at each of its positions.
     */
    public function testAStrangerAtEachPosition(): void
    {
        $differential = new PackingDifferential();
        $numbers = [5, -5, 64, 100, 200, -100, 300, -300, 70_000, -70_000, 5_000_000_000, -5_000_000_000, 1.5, 3e38];
        $strangers = [6, 127, 128, -33, 65_535, 70_001, -70_001, 5_000_000_001, 2.5, \NAN, 1e300, -1e300, 'x', null, true, [1]];
        $round = 0;
        foreach ($numbers as $number) {
            foreach ($strangers as $stranger) {
                foreach ([8, 19] as $count) {
                    for ($position = 0; $position < $count; ++$position) {
                        if (!Modes::takes(++$round)) {
                            continue;
                        }
                        $list = \array_fill(0, $count, $number);
                        $list[$position] = $stranger;
                        foreach ([0, PackOptions::RECORDS_INLINE, PackOptions::FORCE_FLOAT32] as $options) {
                            self::assertNull($differential->compare($list, $options));
                        }
                    }
                }
            }
        }
    }

    /**
     * Lists of numbers of one width with one that is just inside or outside of it.
     */
    public function testBordersOfWidths(): void
    {
        $differential = new PackingDifferential();
        $round = 0;
        $borders = [
            -0x80000001, -0x80000000, -0x8001, -0x8000, -0x81, -0x80, -0x21, -0x20, 0x3f, 0x40, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000,
            0xffffffff, 0x100000000, \PHP_INT_MAX, \PHP_INT_MIN,
        ];
        foreach ($borders as $number) {
            foreach ($borders as $stranger) {
                foreach ([[9, 0], [9, 3], [9, 8], [16, 15], [17, 7], [17, 8], [17, 16]] as [$count, $position]) {
                    if (!Modes::takes(++$round)) {
                        continue;
                    }
                    $list = \array_fill(0, $count, $number);
                    $list[$position] = $stranger;
                    foreach ([0, PackOptions::RECORDS_INLINE] as $options) {
                        self::assertNull($differential->compare($list, $options));
                    }
                }
            }
        }
    }

    /**
     * Lists of objects, whose care is taken once for all: one of another kind, also one that fails, at each position.
     */
    public function testAStrangerAmongObjects(): void
    {
        $differential = new PackingDifferential();
        $objects = [
            new Wrapped(7), new Wrapped(['a' => [1]]), new Wrapped(new Wrapped(new Wrapped([]))), new Ext(5, 'x'), new Bin('b'),
            new UInt64('18446744073709551615'), (object) ['a' => 1], new Map([1]),
        ];
        $strangers = [...$objects, new Wrapped([1, 'in' => new Wrapped(\STDIN)]), new Wrapped(\STDIN), \STDIN, 5, 'x', null, [1], ['a' => 1]];
        foreach ($objects as $object) {
            foreach ($strangers as $stranger) {
                foreach ([0, 3, 8] as $position) {
                    $list = \array_fill(0, 9, $object);
                    $list[$position] = $stranger;
                    foreach ([0, PackOptions::RECORDS_INLINE, PackOptions::FORCE_FLOAT32] as $options) {
                        self::assertNull($differential->compare(['rows' => $list], $options));
                    }
                    foreach ([0, 1, 2, 3] as $maxDepth) {
                        self::assertNull($differential->compare($list, 0, $maxDepth));
                    }
                }
            }
        }
    }

    /**
     * Positive fixints are packed eight at a time, and 16,384 in one call.
     */
    public function testAStrangerAmongManyFixints(): void
    {
        $packer = new Packer();
        foreach ([16_383, 16_384, 16_385, 16_399, 32_775] as $count) {
            $numbers = \array_map(static fn(int $i): int => $i * 5 & 0x7f, \range(1, $count));
            $bytes = \implode('', \array_map(\chr(...), $numbers));
            self::assertSame($packer->packArrayHeader($count) . $bytes, $packer->pack($numbers));
            foreach ([63, 64, 71, 72, 16_376, 16_383, 16_384, 16_391, 16_392, 32_768, 32_774] as $position) {
                foreach ($position < $count ? [-1, 0x80, '7', 7.0, null] : [] as $stranger) {
                    $one = $numbers;
                    $one[$position] = $stranger;
                    $expected = \substr($bytes, 0, $position) . $packer->pack($stranger) . \substr($bytes, $position + 1);
                    self::assertSame($packer->packArrayHeader($count) . $expected, $packer->pack($one), "{$position} of {$count}");
                }
            }
        }
    }

    /**
     * Ints of four bytes are packed eight at a time, and 3,200 in one call.
     */
    public function testAStrangerAmongManyIntsOfFourBytes(): void
    {
        $packer = new Packer();
        $positive = static fn(int $i): int => 0x10000 + $i * 0x1234567 % 0xffff0000;
        $negative = static fn(int $i): int => -0x8001 - $i * 0x1234567 % 0x7fff8000;
        foreach ([$positive, $negative] as $make) {
            foreach ([3199, 3200, 3201, 3207, 6407] as $count) {
                $numbers = \array_map($make, \range(1, $count));
                $packed = \array_map($packer->packInt(...), $numbers);
                self::assertSame($packer->packArrayHeader($count) . \implode('', $packed), $packer->pack($numbers));
                foreach ([63, 64, 71, 72, 3192, 3199, 3200, 3206, 6400, 6406] as $position) {
                    foreach ($position < $count ? [-0x80000001, -0x80000000, -0x8001, 0, 0xffff, 0xffffffff, 1 << 32, '7', 7.0, null] : [] as $stranger) {
                        $one = $numbers;
                        $one[$position] = $stranger;
                        $expected = $packed;
                        $expected[$position] = $packer->pack($stranger);
                        self::assertSame($packer->packArrayHeader($count) . \implode('', $expected), $packer->pack($one), "{$position} of {$count}");
                    }
                }
            }
        }
    }

    /**
     * One width after the other: from the second on, the rest of the list is taken in pieces.
     */
    public function testManyOfEachWidth(): void
    {
        $packer = new Packer();
        foreach ([64, 71, 100, 4100, 20_000] as $count) {
            $numbers = [];
            foreach ([-5_000_000_000, -70_000, 5, 100_000, 200, -70_001, 6, 70_000, 300] as $number) {
                \array_push($numbers, ...\array_fill(0, $count, $number));
            }
            $packed = \implode('', \array_map($packer->packInt(...), $numbers));
            self::assertSame($packer->packArrayHeader(9 * $count) . $packed, $packer->pack($numbers));
        }
    }

    /**
     * The same around the borders of what is packed in one call.
     */
    public function testAStrangerInALongList(): void
    {
        $differential = new PackingDifferential();
        $packer = new Packer();
        // The extension packs up to 64 ints or 256 floats without looking at its output.
        $counts = Engine::isActive() ? [63, 64, 65, 256, 257] : [63, 64, 65, 2047, 2048, 2049, 2112, 2113, 4096, 4097];
        foreach ([5, -5, -70_000, 1.5] as $number) {
            foreach ($counts as $count) {
                $list = \array_fill(0, $count, $number);
                self::assertNull($differential->compare($list, 0));
                // The reference is slow with long lists; each element stands in the message as it is packed alone.
                $elements = \array_fill(0, $count, $packer->pack($number));
                $keys = \array_map($packer->pack(...), \array_keys($list));
                foreach ([0, 7, 8, 62, 63, 64, 65, 255, 256, 2046, 2047, 2048, 2049, 2111, 2112, 4095, 4096] as $place => $position) {
                    foreach ($position < $count ? [300, 0.5, 's'] : [] as $i => $stranger) {
                        if (!Modes::takes($place + $i)) {
                            continue;
                        }
                        $one = $list;
                        $one[$position] = $stranger;
                        $packed = $elements;
                        $packed[$position] = $packer->pack($stranger);
                        $expected = \bin2hex($packer->packArrayHeader($count) . \implode('', $packed));
                        self::assertSame($expected, \bin2hex($packer->pack($one)), "pack: {$position} of {$count}");
                        self::assertSame($expected, \bin2hex($packer->packArray($one)), "packArray: {$position} of {$count}");
                        $entries = \array_map(static fn(string $key, string $value): string => $key . $value, $keys, $packed);
                        $expected = \bin2hex($packer->packMapHeader($count) . \implode('', $entries));
                        self::assertSame($expected, \bin2hex($packer->packMap($one)), "packMap: {$position} of {$count}");
                    }
                }
            }
        }
    }
}
