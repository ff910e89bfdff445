<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Exception\Text;
use Polypack\Utf8;

final class Utf8Test extends TestCase
{
    /**
     * @return iterable<string, array{string, bool}>
     */
    public static function texts(): iterable
    {
        yield 'empty' => ['', true];
        yield 'NUL' => ["\x00", true];
        yield 'two bytes' => ["\xc2\x80", true];
        yield 'three bytes' => ["\xe0\xa0\x80", true];
        yield 'noncharacter' => ["\xef\xbf\xbf", true];
        yield 'four bytes' => ["\xf0\x90\x80\x80", true];
        yield 'the last' => ["\xf4\x8f\xbf\xbf", true];
        yield 'above the last' => ["\xf4\x90\x80\x80", false];
        yield 'five bytes' => ["\xf8\x88\x80\x80\x80", false];
        yield 'overlong of two' => ["\xc0\x80", false];
        yield 'overlong of two, 7f' => ["\xc1\xbf", false];
        yield 'overlong of three' => ["\xe0\x9f\xbf", false];
        yield 'overlong of four' => ["\xf0\x8f\xbf\xbf", false];
        yield 'before the surrogates' => ["\xed\x9f\xbf", true];
        yield 'first surrogate' => ["\xed\xa0\x80", false];
        yield 'last surrogate' => ["\xed\xbf\xbf", false];
        yield 'after the surrogates' => ["\xee\x80\x80", true];
        yield 'lone continuation' => ["\x80", false];
        yield 'cut short' => ["a\xe2\x82", false];
        yield 'a fault far behind' => [\str_repeat('é', 40_000) . "\xff", false];
        yield 'a long text' => [\str_repeat("\u{1f600}", 40_000), true];
    }

    #[DataProvider('texts')]
    public function testIsValid(string $bytes, bool $isValid): void
    {
        self::assertSame($isValid, Utf8::isValid($bytes));
    }

    #[DataProvider('texts')]
    public function testIsValidWithoutMbstring(string $bytes, bool $isValid): void
    {
        self::assertSame($isValid, Utf8::isValidByPcre($bytes));
    }

    /**
     * The length decides which check runs.
     */
    public function testFaultsAreFoundAtEveryLength(): void
    {
        foreach ([1, 47, 48, 49, 300] as $length) {
            $text = \str_repeat('a', $length);
            self::assertTrue(Utf8::isValid($text));
            self::assertTrue(Utf8::isValid($text), 'noted in the string');
            $text[$length - 1] = "\xc3";
            self::assertFalse(Utf8::isValid($text), 'and forgotten when it changes');
            self::assertTrue(Utf8::isValid("{$text}\xa9"));
        }
    }

    public function testBothWaysAgreeOnEveryPairAndOnMutatedTriples(): void
    {
        for ($i = 0; $i < 0x10000; ++$i) {
            $bytes = \pack('n', $i);
            self::agree($bytes);
            if (($i & 0xff) >= 0x80) {
                self::agree($bytes . "\x80");
                self::agree($bytes . "\xbf\x80");
            }
        }
        $this->addToAssertionCount(1);
    }

    public function testTextIsMendedByMaximalSubparts(): void
    {
        self::assertSame("a\u{fffd}b", Text::utf8("a\xffb"));
        self::assertSame("\u{fffd}\u{fffd}\u{fffd}", Text::utf8("\xed\xa0\x80"));
        self::assertSame("\u{fffd}x", Text::utf8("\xf0\x9f\x98x"));
        self::assertSame("\u{fffd}\u{fffd}", Text::utf8("\xc0\x80"));
        self::assertSame("é\u{fffd}", Text::utf8("é\xc3"));
        self::assertSame(\str_repeat("é\u{fffd}", 100_000), Text::utf8(\str_repeat("é\xff", 100_000)));
    }

    private static function agree(string $bytes): void
    {
        if (Utf8::isValid($bytes) !== Utf8::isValidByPcre($bytes)) {
            self::fail('mbstring and PCRE disagree on ' . \bin2hex($bytes));
        }
    }
}
