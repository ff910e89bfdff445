<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Exception\ErrorCode;
use Polypack\Exception\InsufficientDataException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Tests\Support\OneKind;
use Polypack\Tests\Support\Outcome;
use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\Type\Timestamp;
use Polypack\Type\UInt64;
use Polypack\UnpackOptions;

final class BufferUnpackerTest extends TestCase
{
    /** A message with every format. */
    private const EVERYTHING = 'dc0026' . '01' . '81a16101' . '9102' . 'a3616263' . 'c0' . 'c2' . 'c3' . 'c4020001' . 'c500020001'
        . 'c60000000200ff' . 'c7030561626' . '3' . 'c8000305616263' . 'c90000000305616263' . 'ca3fc00000' . 'cb3ff8000000000000'
        . 'ccff' . 'cdffff' . 'ceffffffff' . 'cfffffffffffffffff' . 'd080' . 'd18000' . 'd280000000' . 'd38000000000000000'
        . 'd40561' . 'd5056161' . 'd6ff00000001' . 'd7ff0000000400000001' . 'd80561616161616161616161616161616161'
        . 'd90161' . 'da000161' . 'db0000000161' . 'dc000101' . 'dd0000000101' . 'de0001a16101' . 'df00000001a16101' . 'ff'
        . 'c70cff3b9ac9ffffffffffffffffff' . 'cf0000000000000001';

    public function testEveryFormatIsUnpacked(): void
    {
        self::assertEquals(
            [1, ['a' => 1], [2], 'abc', null, false, true, "\0\1", "\0\1", "\0\xff",
                new Ext(5, 'abc'), new Ext(5, 'abc'), new Ext(5, 'abc'), 1.5, 1.5,
                255, 65535, 4294967295, '18446744073709551615', -128, -32768, -2147483648, \PHP_INT_MIN,
                new Ext(5, 'a'), new Ext(5, 'aa'), new Timestamp(1), new Timestamp(1, 1), new Ext(5, \str_repeat('a', 16)),
                'a', 'a', 'a', [1], [1], ['a' => 1], ['a' => 1], -1, new Timestamp(-1, 999_999_999), 1],
            MessagePack::unpack(self::hex(self::EVERYTHING)),
        );
    }

    public function testEveryTruncationIsReported(): void
    {
        $bytes = self::hex(self::EVERYTHING);
        foreach ([0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS, UnpackOptions::RECORDS_INLINE] as $options) {
            for ($length = 0; $length < \strlen($bytes); ++$length) {
                $unpacker = new BufferUnpacker(\substr($bytes, 0, $length), $options);
                try {
                    $unpacker->unpack();
                    self::fail("{$length} bytes are enough");
                } catch (InsufficientDataException $error) {
                    self::assertSame(ErrorCode::UnexpectedEnd, $error->errorCode);
                    self::assertSame($length, $unpacker->getRemainingCount());
                }
                $unpacker->append(\substr($bytes, $length));
                $unpacker->unpack();
                self::assertFalse($unpacker->hasRemaining());
            }
        }
    }

    /**
     * @return iterable<array{string, string}>
     */
    public static function texts(): iterable
    {
        yield ['d9c861*', 'str 8 declares 200 bytes but 1 remain, at byte 0; the input is truncated'];
        yield ['81a46e616d65d905', 'str 8 declares 5 bytes but 0 remain, at byte 6 (path "/name"); the input is truncated'];
        yield ['92c0c1', 'the head byte 0xc1 is reserved, at byte 2 (path "/1"); the input is damaged, or is not MessagePack'];
        yield ['81c001', 'a map key of the kind nil does not fit a PHP array, at byte 1; UnpackOptions::LOSSLESS reads such maps'];
        yield ['81c700', 'ext 8 has no complete head, at byte 1; the input is truncated'];
        yield ['81c70001c0', 'a map key of the kind ext does not fit a PHP array, at byte 1; UnpackOptions::LOSSLESS reads such maps'];
        yield ['c0c0c0', '2 bytes follow the value, at byte 1; use BufferUnpacker to read several values'];
        yield ['4142', '1 bytes follow the value, at byte 1; use BufferUnpacker to read several values'];
        $notMessagePack = [
            'JSON' => ['{"a":1}', '[]', '"text"', "\n  {}", "\xef\xbb\xbf[1]"], 'HTML or XML' => ['<html>', "\n<?xml "],
            "PHP's serialize()" => ['a:1:{i:0;i:1;}', 'O:8:"stdClass":0:{}'], 'gzip' => ["\x1f\x8b\x08\0"],
            'Zstandard' => ["\x28\xb5\x2f\xfd\0"], 'hex' => ['82a16101', "C0C0\n"], 'text' => ['hello', 'gaFhAQ==', '-1.5'],
        ];
        foreach ($notMessagePack as $kind => $inputs) {
            foreach ($inputs as $input) {
                $count = \strlen($input) - 1;
                yield [\bin2hex($input), "{$count} bytes follow the value, at byte 1; the input looks like {$kind}, not MessagePack"];
            }
        }
        yield ['d47240', 'the message declares a record, at byte 0; pass UnpackOptions::RECORDS_INLINE to read records'];
        yield ['d5ff0000', 'a timestamp has 2 bytes, not 4, 8 or 12, at byte 0; the writer must mend it'];
        yield ['dd0a', 'array 32 has no complete head, at byte 0; the input is truncated'];
        yield ['', 'a value should start here, at byte 0; the input is truncated'];
    }

    #[DataProvider('texts')]
    public function testErrorsSayWhatWhereAndHowToMendIt(string $hex, string $text): void
    {
        $bytes = \str_ends_with($hex, '*') ? self::hex(\substr($hex, 0, -1)) : self::hex($hex);
        $this->expectException(UnpackingFailedException::class);
        $this->expectExceptionMessageMatches('/^' . \preg_quote($text, '/') . '$/D');
        MessagePack::unpack($bytes);
    }

    public function testTheFormatOfLongInputIsNamedToo(): void
    {
        foreach ([4, 10_000, 100_000, 3_000_000] as $length) {
            $inputs = ['hex' => \str_repeat('3d', $length), 'text' => \str_repeat('3x', $length), 'JSON' => \str_repeat(' ', $length) . '{}'];
            foreach ($inputs as $kind => $input) {
                try {
                    MessagePack::unpack($input);
                    self::fail('text was accepted');
                } catch (UnpackingFailedException $error) {
                    self::assertStringContainsString("looks like {$kind},", $error->getMessage());
                }
            }
        }
    }

    public function testPathsInTextsAreShortAndPrintable(): void
    {
        $key = "\n" . \str_repeat('k', 300);
        try {
            MessagePack::unpack(\substr(MessagePack::pack([$key => 1]), 0, -1) . "\xc1");
            self::fail('0xc1 was accepted');
        } catch (UnpackingFailedException $error) {
            self::assertSame("/{$key}", $error->path);
            self::assertLessThan(250, \strlen($error->getMessage()));
            self::assertStringContainsString('"/?kkk', $error->getMessage());
        }
    }

    public function testUnpackReadsOneValueAndLeavesTheRest(): void
    {
        $unpacker = new BufferUnpacker(self::hex('01a16192c0c3'));
        self::assertSame(1, $unpacker->unpack());
        self::assertSame('a', $unpacker->unpack());
        self::assertSame(3, $unpacker->getRemainingCount());
        self::assertSame([null, true], $unpacker->unpack());
        self::assertFalse($unpacker->hasRemaining());
        self::assertSame('unexpected_end at 6 ()', Outcome::of(static fn(): mixed => $unpacker->unpack()));
    }

    public function testTheBufferIsMovedIn(): void
    {
        $unpacker = new BufferUnpacker('abcdef');
        self::assertSame('ab', $unpacker->read(2));
        self::assertSame('d', $unpacker->skip(1)->read(1));
        self::assertSame('bc', $unpacker->skip(-3)->read(2));
        self::assertSame('ef', $unpacker->seek(-2)->read(2));
        self::assertSame(0, $unpacker->getRemainingCount());
        self::assertSame('', $unpacker->seek(6)->read(0));
        self::assertSame('a', $unpacker->seek(0)->read(1));
        self::assertSame(1, $unpacker->release());
        self::assertSame(0, $unpacker->release());
        self::assertSame('b', $unpacker->read(1));
        self::assertSame('x', $unpacker->append('x')->seek(-1)->read(1));
        self::assertSame('y', $unpacker->reset('y')->read(1));
        foreach ([7, -8, \PHP_INT_MAX, \PHP_INT_MIN] as $offset) {
            $moved = Outcome::of(static fn(): mixed => $unpacker->seek($offset));
            self::assertSame('unexpected_end at  ()', $moved);
        }
        self::assertSame('unexpected_end at  ()', Outcome::of(static fn(): mixed => $unpacker->skip(1)));
        self::assertSame('unexpected_end at  ()', Outcome::of(static fn(): mixed => $unpacker->skip(-2)));
        self::assertSame('unexpected_end at 1 ()', Outcome::of(static fn(): mixed => $unpacker->read(1)));
        self::assertFalse($unpacker->hasRemaining());
    }

    public function testNoStepIsTooLong(): void
    {
        $unpacker = (new BufferUnpacker('abc'))->seek(2);
        foreach ([\PHP_INT_MAX, 2, -3, \PHP_INT_MIN] as $length) {
            self::assertSame('unexpected_end at  ()', Outcome::of(static fn(): mixed => $unpacker->skip($length)), "skip {$length}");
            self::assertSame(1, $unpacker->getRemainingCount());
        }
        self::assertSame(0, $unpacker->skip(1)->getRemainingCount());
        self::assertSame(3, $unpacker->skip(-3)->getRemainingCount());
    }

    public function testTheEndMayBeExpected(): void
    {
        $unpacker = self::of('0102');
        $unpacker->unpack();
        self::assertSame('trailing_data at 1 ()', Outcome::of($unpacker->expectEnd(...)));
        $released = $unpacker->release();
        self::assertSame("trailing_data at {$released} ()", Outcome::of($unpacker->expectEnd(...)));
        self::assertSame(2, $unpacker->unpack());
        $unpacker->expectEnd();
        self::assertSame(0, $unpacker->getRemainingCount());
    }

    public function testThePositionAfterAnErrorIsTheStartOfTheValue(): void
    {
        $unpacker = new BufferUnpacker(self::hex('c0' . '92' . '92c0a161' . '81c1'));
        $unpacker->unpack();
        for ($i = 0; $i < 2; ++$i) {
            // The map promises two values and one byte remains.
            self::assertSame('unexpected_end at 6 (/1)', Outcome::of(static fn(): mixed => $unpacker->unpack()));
            self::assertSame(7, $unpacker->getRemainingCount());
        }
        self::assertSame(2, $unpacker->unpackArrayHeader());
        self::assertSame([null, 'a'], $unpacker->unpack());
        self::assertSame('reserved_byte at 7 ()', Outcome::of(static fn(): mixed => $unpacker->append("\x01")->unpack()));
        self::assertSame(3, $unpacker->getRemainingCount());
    }

    public function testOffsetsCountReleasedBytes(): void
    {
        $unpacker = new BufferUnpacker("\x01\x02\xc1");
        $unpacker->unpack();
        $unpacker->unpack();
        $unpacker->release();
        self::assertSame('reserved_byte at 2 ()', Outcome::of(static fn(): mixed => $unpacker->unpack()));
        self::assertSame('reserved_byte at 2 ()', Outcome::of(static fn(): mixed => $unpacker->tryUnpack()));
        self::assertSame('reserved_byte at 0 ()', Outcome::of(static fn(): mixed => $unpacker->reset("\xc1")->unpack()));
    }

    public function testMethodsForOneKind(): void
    {
        self::assertSame(Outcome::value(null), Outcome::of(static fn(): mixed => self::of('c0')->unpackNil()));
        self::assertTrue(self::of('c3')->unpackBool());
        self::assertFalse(self::of('c2')->unpackBool());
        foreach (['05' => 5, 'fb' => -5, 'cc05' => 5, 'cd0005' => 5, 'ce00000005' => 5, 'cf0000000000000005' => 5,
            'd0fb' => -5, 'd1fffb' => -5, 'd2fffffffb' => -5, 'd3fffffffffffffffb' => -5] as $hex => $int) {
            self::assertSame($int, self::of($hex)->unpackInt());
        }
        self::assertSame('18446744073709551615', self::of('cfffffffffffffffff')->unpackInt());
        self::assertSame(1.5, self::of('ca3fc00000')->unpackFloat());
        self::assertSame(1.5, self::of('cb3ff8000000000000')->unpackFloat());
        foreach (['a161', 'd90161', 'da000161', 'db0000000161'] as $hex) {
            self::assertSame('a', self::of($hex)->unpackStr());
        }
        foreach (['c40161', 'c5000161', 'c60000000161'] as $hex) {
            self::assertSame('a', self::of($hex)->unpackBin());
            self::assertEquals(new Bin('a'), self::of($hex, UnpackOptions::LOSSLESS)->unpackBin());
        }
        foreach (['9101', 'dc000101', 'dd0000000101'] as $hex) {
            self::assertSame([1], self::of($hex)->unpackArray());
            $unpacker = self::of($hex);
            self::assertSame(1, $unpacker->unpackArrayHeader());
            self::assertSame(1, $unpacker->unpack());
        }
        foreach (['810102', 'de00010102', 'df000000010102'] as $hex) {
            self::assertSame([1 => 2], self::of($hex)->unpackMap());
            $unpacker = self::of($hex);
            self::assertSame(1, $unpacker->unpackMapHeader());
            self::assertSame(1, $unpacker->unpack());
        }
        self::assertEquals(new Ext(5, 'a'), self::of('d40561')->unpackExt());
        self::assertEquals(new Timestamp(1), self::of('d6ff00000001')->unpackExt());
        self::assertNull(self::of('d40000')->unpackExt());
        self::assertSame(0xffffffff, self::of('ddffffffff')->unpackArrayHeader());
        self::assertSame(0xffffffff, self::of('dfffffffff')->unpackMapHeader());
    }

    public function testAnotherKindIsATypeMismatch(): void
    {
        $values = [
            'nil' => 'c0', 'bool' => 'c3', 'int' => '01', 'float' => 'cb3ff8000000000000', 'str' => 'a161', 'bin' => 'c40161',
            'array' => '9101', 'map' => '810102', 'ext' => 'd40561',
        ];
        foreach (OneKind::ALL as $wanted) {
            foreach ($values as $kind => $hex) {
                $unpacker = self::of("c0{$hex}");
                $unpacker->unpackNil();
                $outcome = Outcome::of(static fn(): mixed => OneKind::unpack($wanted, $unpacker));
                if ($kind === \explode(' ', $wanted)[0]) {
                    self::assertStringNotContainsString('type_mismatch', $outcome);
                } else {
                    self::assertSame('type_mismatch at 1 ()', $outcome, "{$wanted} of {$kind}");
                    self::assertSame(\intdiv(\strlen($hex), 2), $unpacker->getRemainingCount());
                }
            }
            self::assertSame('reserved_byte at 0 ()', OneKind::of($wanted, 'c1'), $wanted);
            self::assertSame('unexpected_end at 0 ()', OneKind::of($wanted, ''), $wanted);
        }
        self::assertSame('unexpected_end at 0 ()', Outcome::of(static fn(): int => self::of('dc00')->unpackArrayHeader()));
        self::assertSame('unexpected_end at 0 ()', Outcome::of(static fn(): int => self::of('df000000')->unpackMapHeader()));
    }

    public function testAnEmptyArrayIsAnEmptyMapInDefaultMode(): void
    {
        foreach (['90', 'dc0000', 'dd00000000'] as $hex) {
            self::assertSame([], self::of($hex)->unpackMap());
            $unpacker = self::of("{$hex}05");
            self::assertSame([0, 5], [$unpacker->unpackMapHeader(), $unpacker->unpack()]);
            foreach ([UnpackOptions::STRICT, UnpackOptions::LOSSLESS] as $options) {
                self::assertSame('type_mismatch at 0 ()', Outcome::of(static fn(): mixed => self::of($hex, $options)->unpackMap()));
                self::assertSame('type_mismatch at 0 ()', Outcome::of(static fn(): mixed => self::of($hex, $options)->unpackMapHeader()));
            }
        }
        foreach (['91' => 'type_mismatch', 'dc0001' => 'type_mismatch', 'dc00' => 'unexpected_end', 'dd000000' => 'unexpected_end'] as $hex => $code) {
            self::assertSame("{$code} at 0 ()", Outcome::of(static fn(): mixed => self::of((string) $hex)->unpackMap()));
            self::assertSame("{$code} at 0 ()", Outcome::of(static fn(): mixed => self::of((string) $hex)->unpackMapHeader()));
        }
        self::assertEquals(new \stdClass(), self::of('80', UnpackOptions::LOSSLESS)->unpackMap());
    }

    public function testIntegersAbovePhpsAreWhatTheOptionsSay(): void
    {
        $bytes = 'cf8000000000000000';
        self::assertSame('9223372036854775808', self::of($bytes)->unpack());
        self::assertSame('9223372036854775808', self::of($bytes, UnpackOptions::BIGINT_AS_STR)->unpack());
        self::assertEquals(\gmp_init('9223372036854775808'), self::of($bytes, UnpackOptions::BIGINT_AS_GMP)->unpack());
        self::assertEquals(new UInt64('9223372036854775808'), self::of($bytes, UnpackOptions::LOSSLESS)->unpack());
        self::assertSame(\PHP_INT_MAX, self::of('cf7fffffffffffffff', UnpackOptions::BIGINT_AS_GMP)->unpack());
        self::assertSame(['9223372036854775808' => 1], self::of("81{$bytes}01", UnpackOptions::BIGINT_AS_GMP)->unpack());
    }

    public function testLosslessTypes(): void
    {
        $unpack = static fn(string $hex): mixed => self::of($hex, UnpackOptions::LOSSLESS)->unpack();
        self::assertEquals((object) ['1' => 2, 'a' => null], $unpack('82a13102a161c0'));
        self::assertEquals((object) ['' => 1], $unpack('81a001'));
        self::assertEquals(new Entries([["\x00", 1]]), $unpack('81a10001'));
        self::assertEquals(new Entries([['1', 1], [1, 2], [1.0, 3], [new Bin('1'), 4]]), $unpack('84a131010102cb3ff000000000000003c4013104'));
        self::assertEquals(new Entries([[[[]], null]]), $unpack('819190c0'));
        self::assertEquals(new Ext(0, "\0"), $unpack('d40000'));
        self::assertSame(2, \count(new Entries([[1, 2], [3, 4]])));
        self::assertSame([[1, 2], [1, 3]], \array_map(null, ...self::columns(new Entries([[1, 2], [1, 3]]))));
    }

    /**
     * @return array{list<mixed>, list<mixed>}
     */
    private static function columns(Entries $entries): array
    {
        $keys = [];
        $values = [];
        foreach ($entries as $key => $value) {
            $keys[] = $key;
            $values[] = $value;
        }

        return [$keys, $values];
    }

    public function testTheLastOfTwoEqualKeysWinsInDefaultMode(): void
    {
        self::assertSame(['a' => 3, 'b' => 2], self::of('83a16101a16202a16103')->unpack());
        self::assertSame('duplicate_key at 7 (/a)', Outcome::of(
            static fn(): mixed => self::of('83a16101a16202a16103', UnpackOptions::STRICT)->unpack(),
        ));
        self::assertSame('duplicate_key at 3 (/1)', Outcome::of(
            static fn(): mixed => self::of('820101a13102', UnpackOptions::STRICT)->unpack(),
        ), 'the str 1 and the int 1 are one key of a PHP array');
    }

    public function testClonesShareNothing(): void
    {
        $unpacker = new BufferUnpacker("\x92\x01", UnpackOptions::RECORDS_INLINE, limits: new Limits(maxDepth: 5));
        self::assertSame([], $unpacker->tryUnpack());
        $clone = clone $unpacker;
        self::assertSame([[1, 2]], $unpacker->append("\x02")->tryUnpack());
        self::assertSame([[1, 3], 4], $clone->append("\x03\x04")->tryUnpack());
    }

    private static function of(string|int $hex, int $options = 0): BufferUnpacker
    {
        return new BufferUnpacker(self::hex((string) $hex), $options);
    }

    private static function hex(string $hex): string
    {
        return (string) \hex2bin($hex);
    }
}
