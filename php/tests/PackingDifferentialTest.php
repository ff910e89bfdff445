<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\TestCase;
use Polypack\PackOptions;
use Polypack\Tests\Support\PackingDifferential;
use Polypack\Tests\Support\RandomValues;

/**
 * The packer against the reference: lists that are packed at once, and a short, repeatable run of fuzz/packer.php.
 */
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
            self::assertNull($differential->compare($value, 0, $maxDepth));
            self::assertNull($differential->compare($value, $options[$random->int(0, \count($options) - 1)], $maxDepth));
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
        foreach ($numbers as $number) {
            foreach ($strangers as $stranger) {
                foreach ([8, 19] as $count) {
                    for ($position = 0; $position < $count; ++$position) {
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
        $borders = [
            -0x80000001, -0x80000000, -0x8001, -0x8000, -0x81, -0x80, -0x21, -0x20, 0x3f, 0x40, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000,
            0xffffffff, 0x100000000, \PHP_INT_MAX, \PHP_INT_MIN,
        ];
        foreach ($borders as $number) {
            foreach ($borders as $stranger) {
                foreach ([0, 3, 8] as $position) {
                    $list = \array_fill(0, 9, $number);
                    $list[$position] = $stranger;
                    foreach ([0, PackOptions::RECORDS_INLINE] as $options) {
                        self::assertNull($differential->compare($list, $options));
                    }
                }
            }
        }
    }

    /**
     * The same around the borders of what is packed in one call.
     */
    public function testAStrangerInALongList(): void
    {
        $differential = new PackingDifferential();
        foreach ([5, -70_000, 1.5] as $number) {
            foreach ([63, 64, 65, 2047, 2048, 2049, 2112, 2113, 4096, 4097] as $count) {
                $list = \array_fill(0, $count, $number);
                self::assertNull($differential->compare($list, 0));
                foreach ([0, 7, 8, 62, 63, 64, 65, 2046, 2047, 2048, 2049, 2111, 2112, 4095, 4096] as $position) {
                    foreach ($position < $count ? [300, 0.5, 's'] : [] as $stranger) {
                        $one = $list;
                        $one[$position] = $stranger;
                        self::assertNull($differential->compare($one, 0));
                    }
                }
            }
        }
    }
}
