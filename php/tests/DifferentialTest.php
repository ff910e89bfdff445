<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\TestCase;
use Polypack\Tests\Support\Differential;
use Polypack\Tests\Support\RandomBytes;

/**
 * The decoder against the reference on random input: a short, repeatable run of fuzz/decoder.php.
 */
final class DifferentialTest extends TestCase
{
    private const INPUTS = 3000;

    public function testRandomInput(): void
    {
        $random = new RandomBytes(20_240_601);
        for ($i = 0; $i < self::INPUTS; ++$i) {
            self::assertSame([], Differential::compare($random->next(), $random));
        }
    }

    /**
     * Eight small ints of an array are read at once: whatever stands among them, and wherever the input ends.
     */
    public function testRunsOfSmallInts(): void
    {
        $random = new RandomBytes(8);
        foreach ([7, 8, 9, 15, 16, 17, 33] as $count) {
            $head = $count < 16 ? \chr(0x90 | $count) : "\xdc" . \pack('n', $count);
            $elements = \array_map(\chr(...), \range(0x7f - $count, 0x7e));
            for ($i = 0; $i < $count; ++$i) {
                foreach (["\x7f", "\xcc\x80", "\xe0", "\x93\x01\x02\x03", "\xa1\x07", "\xc1"] as $other) {
                    $message = $head . \implode('', \array_replace($elements, [$i => $other]));
                    self::assertSame([], Differential::compare($message, $random));
                }
                self::assertSame([], Differential::compare(\substr($head . \implode('', $elements), 0, -$i), $random));
            }
        }
    }
}
