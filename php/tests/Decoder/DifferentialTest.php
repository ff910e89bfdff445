<?php

declare(strict_types=1);

namespace Polypack\Tests\Decoder;

use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Tests\Support\Differential;
use Polypack\Tests\Support\Modes;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\RandomBytes;
use Polypack\Tests\Support\Vectors;

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
     * Values of each format in arrays and maps, wherever the input ends.
     */
    public function testEachFormatWhereverTheInputEnds(): void
    {
        $random = new RandomBytes(16);
        $i = 0;
        foreach (self::values() as $value) {
            $messages = ["\x93\xc3{$value}\x05", "\xdc\x00\x03\xc3{$value}\x05", "\xde\x00\x02\xa1a{$value}\xd9\x01b{$value}", "\xdf\x00\x00\x00\x02{$value}\xc3\xa1b{$value}"];
            foreach ($messages as $message) {
                for ($length = \strlen($message); $length > 0; --$length) {
                    if (Modes::takes(++$i)) {
                        self::assertSame([], Differential::compare(\substr($message, 0, $length), $random));
                    }
                }
            }
        }
    }

    /**
     * Where PHP has a JIT, the loops read numbers of 32 bits byte by byte; without one, by unpack().
     */
    public function testBothWaysToReadNumbersOf32Bits(): void
    {
        $values = [];
        foreach ([0, 1, 0x7f_ffff, 0x80_0000, 0x7fff_ffff, 0x8000_0000, 0xfedc_ba98, 0xffff_ffff] as $bits) {
            $values["\xce" . \pack('N', $bits)] = $bits;
            $values["\xd2" . \pack('N', $bits)] = $bits < 0x8000_0000 ? $bits : $bits - 0x1_0000_0000;
        }
        foreach ($values as $packed => $value) {
            foreach (Vectors::MODES as $mode => $options) {
                $map = ['a' => $value, 'b' => [true, $value]];
                $expected = [$value, $mode === 'lossless' ? (object) $map : $map];
                $message = "\x92{$packed}\x82\xa1a{$packed}\xa1b\x92\xc3{$packed}";
                foreach ([false, true] as $hasJit) {
                    $unpacker = new BufferUnpacker($message . \substr($message, 0, -1), $options);
                    (new \ReflectionProperty($unpacker, 'hasJit'))->setValue($unpacker, $hasJit);
                    self::assertEquals($expected, $unpacker->unpack());
                    $head = 2 * \strlen($message) - 5; // of the number that lacks a byte
                    self::assertSame("unexpected_end at {$head} (/1/b/1)", Outcome::of($unpacker->unpack(...)));
                }
            }
        }
    }

    /**
     * @return list<string> a value of each format, and of each length of head
     */
    private static function values(): array
    {
        return [
            "\x05", "\xe0", "\xc0", "\xc2", "\xc3", "\xa3abc", "\x92\x01\x02", "\x81\xa1c\x01",
            "\xcc\x80", "\xcd\x80\x00", "\xce\x80\x00\x00\x00", "\xcf\x7f" . \str_repeat("\xff", 7), "\xcf" . \str_repeat("\xff", 8),
            "\xd0\x80", "\xd1\x80\x00", "\xd2\x80\x00\x00\x00", "\xd3\x80" . \str_repeat("\x00", 7),
            "\xca" . \pack('G', 0.5), "\xcb" . \pack('E', 0.25),
            "\xd9\x03abc", "\xda\x00\x03abc", "\xdb\x00\x00\x00\x03abc", "\xc4\x03abc", "\xc5\x00\x03abc", "\xc6\x00\x00\x00\x03abc",
            "\xd4\x05a", "\xd5\x05ab", "\xd6\x05abcd", "\xd7\x05abcdefgh", "\xd8\x05" . \str_repeat('a', 16),
            "\xc7\x03\x05abc", "\xc8\x00\x03\x05abc", "\xc9\x00\x00\x00\x03\x05abc", "\xd6\xff\x00\x00\x00\x01",
            "\xdc\x00\x01\x05", "\xdd\x00\x00\x00\x01\x05", "\xde\x00\x01\xa1c\x05", "\xdf\x00\x00\x00\x01\xa1c\x05",
        ];
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
