<?php

declare(strict_types=1);

namespace Polypack\Tests\Decoder;

use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\Tests\Support\Differential;
use Polypack\Tests\Support\Modes;
use Polypack\Tests\Support\RandomBytes;

/**
 * The decoder against the reference on random input: a short, repeatable run of fuzz/decoder.php.
 */
#[Group('slow')]
final class DifferentialTest extends TestCase
{
    private const INPUTS = 3000;

    public function testRandomInput(): void
    {
        $random = new RandomBytes(20_240_601);
        for ($i = 0; $i < self::INPUTS; ++$i) {
            $bytes = $random->next();
            if (Modes::takes($i)) {
                self::assertSame([], Differential::compare($bytes, $random));
            }
        }
    }

    /**
     * Sixteen or eight small ints of an array are read at once: whatever stands among them, and wherever the input
     * ends.
     */
    public function testRunsOfSmallInts(): void
    {
        $random = new RandomBytes(8);
        foreach ([7, 8, 9, 15, 16, 17, 23, 24, 33, 85] as $count) {
            $elements = \array_map(\chr(...), \range(0x7f - $count, 0x7e));
            self::assertRun($elements, ["\x7f", "\xcc\x80", "\xe0", "\x93\x01\x02\x03", "\xa1\x07", "\xc1"], $random);
        }
    }

    /**
     * So are eight or four numbers of some other formats.
     */
    public function testRunsOfNumbers(): void
    {
        $random = new RandomBytes(4);
        $others = ["\x7f", "\xcb" . \pack('E', 0.5), "\xcd\xfe\xdc", "\xce\xfe\xdc\xba\x98", "\xd2\x80\x00\x00\x00", "\xc1"];
        foreach ([["\xcb", 'E', 0x0123_4567], ["\xcd", 'n', 0x08f1], ["\xce", 'N', 0x08f1_a3b7]] as [$head, $format, $factor]) {
            foreach ([3, 4, 5, 7, 8, 9, 15, 16, 29] as $count) {
                $elements = \array_map(static fn(int $i): string => $head . \pack($format, $i * $factor), \range(1, $count));
                self::assertRun($elements, $others, $random);
            }
        }
    }

    /**
     * @param list<string> $elements of an array, packed
     * @param list<string> $others   to stand at the place of each
     */
    private static function assertRun(array $elements, array $others, RandomBytes $random): void
    {
        $count = \count($elements);
        $head = $count < 16 ? \chr(0x90 | $count) : "\xdc" . \pack('n', $count);
        for ($i = 0; $i < $count; ++$i) {
            foreach ($others as $j => $other) {
                if (!Modes::takes($i + $j)) {
                    continue;
                }
                $message = $head . \implode('', \array_replace($elements, [$i => $other]));
                self::assertSame([], Differential::compare($message, $random));
            }
            if (Modes::takes($i)) {
                self::assertSame([], Differential::compare(\substr($head . \implode('', $elements), 0, -$i), $random));
            }
        }
    }
}
