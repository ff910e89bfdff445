<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\PolypackException;
use Polypack\Extension;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Options\Arrays;
use Polypack\Options\BigInts;
use Polypack\Options\Floats;
use Polypack\Options\Mode;
use Polypack\Options\Strings;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Tests\Support\Outcome;
use Polypack\UnpackOptions;

final class OptionsTest extends TestCase
{
    /**
     * @return iterable<array{int, string}>
     */
    public static function conflictsOfPacking(): iterable
    {
        yield [PackOptions::FORCE_STR | PackOptions::FORCE_BIN, 'PackOptions::FORCE_STR and PackOptions::FORCE_BIN'];
        yield [PackOptions::FORCE_BIN | PackOptions::DETECT_STR_BIN, 'PackOptions::FORCE_BIN and PackOptions::DETECT_STR_BIN'];
        yield [PackOptions::FORCE_ARR | PackOptions::FORCE_MAP, 'PackOptions::FORCE_ARR and PackOptions::FORCE_MAP'];
        yield [PackOptions::FORCE_MAP | PackOptions::DETECT_ARR_MAP, 'PackOptions::FORCE_MAP and PackOptions::DETECT_ARR_MAP'];
        yield [PackOptions::FORCE_FLOAT32 | PackOptions::FORCE_FLOAT64, 'PackOptions::FORCE_FLOAT32 and'];
        yield [PackOptions::STRICT | PackOptions::LOSSLESS, 'PackOptions::STRICT and PackOptions::LOSSLESS'];
        yield [1 << 8, 'PackOptions has no option with the bits 0x100'];
        yield [1 << 30, 'PackOptions has no option with the bits 0x40000000'];
        yield [UnpackOptions::BIGINT_THROW, 'UnpackOptions::BIGINT_THROW is given where PackOptions is meant'];
        yield [UnpackOptions::BIGINT_AS_FLOAT | UnpackOptions::STRICT, 'UnpackOptions::BIGINT_AS_FLOAT is given where'];
        yield [UnpackOptions::BIGINT_AS_BCMATH, 'UnpackOptions::BIGINT_AS_BCMATH is given where'];
    }

    #[DataProvider('conflictsOfPacking')]
    public function testConflictsOfPacking(int $bits, string $text): void
    {
        $this->expectException(InvalidOptionException::class);
        $this->expectExceptionMessage($text);
        new Packer($bits);
    }

    /**
     * @return iterable<array{int, string}>
     */
    public static function conflictsOfUnpacking(): iterable
    {
        yield [UnpackOptions::BIGINT_AS_STR | UnpackOptions::BIGINT_AS_GMP, 'UnpackOptions::BIGINT_AS_STR and'];
        yield [UnpackOptions::STRICT | UnpackOptions::LOSSLESS, 'UnpackOptions::STRICT and UnpackOptions::LOSSLESS'];
        yield [UnpackOptions::BIGINT_THROW | UnpackOptions::LOSSLESS, 'UnpackOptions::BIGINT_THROW and UnpackOptions::LOSSLESS'];
        yield [1 << 10, 'UnpackOptions has no option with the bits 0x400'];
        yield [PackOptions::FORCE_ARR, 'PackOptions::FORCE_ARR is given where UnpackOptions is meant; use the constants of UnpackOptions'];
        yield [PackOptions::FORCE_MAP, 'PackOptions::FORCE_MAP is given where'];
        yield [PackOptions::FORCE_STR | PackOptions::DETECT_ARR_MAP, 'PackOptions::DETECT_ARR_MAP is given where'];
        yield [PackOptions::FORCE_FLOAT32, 'PackOptions::FORCE_FLOAT32 is given where'];
        yield [PackOptions::FORCE_FLOAT64, 'PackOptions::FORCE_FLOAT64 is given where'];
        yield [-1, 'PackOptions::FORCE_ARR is given where'];
    }

    #[DataProvider('conflictsOfUnpacking')]
    public function testConflictsOfUnpacking(int $bits, string $text): void
    {
        $this->expectException(InvalidOptionException::class);
        $this->expectExceptionMessage($text);
        new BufferUnpacker('', $bits);
    }

    public function testAConstantOfBothClassesIsOneBit(): void
    {
        $pack = self::constants(PackOptions::class);
        $unpack = self::constants(UnpackOptions::class);
        $both = \array_intersect_key($pack, $unpack);
        self::assertArrayHasKey('STRICT', $both);
        self::assertArrayHasKey('LOSSLESS', $both);
        self::assertArrayHasKey('RECORDS_INLINE', $both);
        self::assertSame(\array_intersect_key($unpack, $pack), $both);
        foreach ([[$pack, $unpack], [$unpack, $pack]] as [$own, $other]) {
            foreach (\array_diff_key($own, $both) as $name => $bit) {
                // 1, 2 and 4 are bits of rybakit/msgpack in both classes.
                self::assertTrue($bit <= 4 || !\in_array($bit, $other, true), $name);
            }
        }
        self::assertSame('82a269640aa46e616d65a178', \bin2hex(MessagePack::pack(['id' => 10, 'name' => 'x'], UnpackOptions::STRICT)));
        self::assertSame('920102', \bin2hex(MessagePack::pack([1, 2], UnpackOptions::LOSSLESS)));
        $packed = "\x82\xa1a\xa1\xff\xa1a\x02";
        self::assertSame('invalid_utf8 at 3 (/a)', Outcome::of(static fn(): mixed => MessagePack::unpack($packed, PackOptions::STRICT)));
    }

    /**
     * @param class-string $class
     *
     * @return array<string, int>
     */
    private static function constants(string $class): array
    {
        return \array_filter((new \ReflectionClass($class))->getConstants(\ReflectionClassConstant::IS_PUBLIC), \is_int(...));
    }

    public function testOptionsMayBeReadOnce(): void
    {
        $pack = PackOptions::fromBitmask(PackOptions::FORCE_BIN | PackOptions::FORCE_MAP | PackOptions::FORCE_FLOAT32);
        self::assertSame('c40161', \bin2hex((new Packer($pack))->pack('a')));
        self::assertTrue($pack->isForceBinMode());
        self::assertTrue($pack->isForceMapMode());
        self::assertTrue($pack->isForceFloat32Mode());
        self::assertFalse($pack->isForceArrMode());
        self::assertFalse($pack->isStrictMode());
        $unpack = UnpackOptions::fromBitmask(UnpackOptions::BIGINT_AS_GMP | UnpackOptions::RECORDS_INLINE);
        self::assertEquals(\gmp_init('18446744073709551615'), (new BufferUnpacker("\xcf" . \str_repeat("\xff", 8), $unpack))->unpack());
        self::assertTrue($unpack->isRecordsInlineMode());
        self::assertFalse($unpack->isLosslessMode());
    }

    public function testEnumsAreTheSameChoices(): void
    {
        $byName = [
            [PackOptions::of(), 0],
            [PackOptions::fromDefaults(), 0],
            [PackOptions::of(strings: Strings::Detect, floats: Floats::Float32), PackOptions::DETECT_STR_BIN | PackOptions::FORCE_FLOAT32],
            [PackOptions::of(strings: Strings::Bin, arrays: Arrays::Map), PackOptions::FORCE_BIN | PackOptions::FORCE_MAP],
            [PackOptions::of(arrays: Arrays::Array, mode: Mode::Strict), PackOptions::FORCE_ARR | PackOptions::STRICT],
            [PackOptions::of(mode: Mode::Lossless), PackOptions::LOSSLESS],
        ];
        foreach ($byName as [$options, $bitmask]) {
            $byBits = PackOptions::fromBitmask($bitmask);
            foreach (self::questions($options) as $question => $answer) {
                self::assertSame(self::questions($byBits)[$question], $answer, "{$question} of {$bitmask}");
            }
        }
        $byName = [
            [UnpackOptions::of(), 0],
            [UnpackOptions::fromDefaults(), 0],
            [UnpackOptions::of(BigInts::Gmp, Mode::Strict), UnpackOptions::BIGINT_AS_GMP | UnpackOptions::STRICT],
            [UnpackOptions::of(mode: Mode::Lossless, records: true), UnpackOptions::LOSSLESS | UnpackOptions::RECORDS_INLINE],
            [UnpackOptions::of(bigInts: BigInts::Refuse), UnpackOptions::BIGINT_THROW],
        ];
        foreach ($byName as [$options, $bitmask]) {
            self::assertSame(self::questions(UnpackOptions::fromBitmask($bitmask)), self::questions($options));
        }
        $this->expectException(InvalidOptionException::class);
        UnpackOptions::of(BigInts::Float, Mode::Lossless);
    }

    /**
     * @return array<string, mixed> what the methods without parameters answer
     */
    private static function questions(PackOptions|UnpackOptions $options): array
    {
        $answers = [];
        foreach ((new \ReflectionClass($options))->getMethods(\ReflectionMethod::IS_PUBLIC) as $method) {
            if (!$method->isStatic() && $method->getNumberOfParameters() === 0) {
                $answers[$method->getName()] = $method->invoke($options);
            }
        }
        self::assertNotSame([], $answers);

        return $answers;
    }

    public function testIntegersThatPhpCannotHold(): void
    {
        $bytes = "\x92\xc2\xcf\x80\x00\x00\x00\x00\x00\x00\x00";
        self::assertSame([false, 2.0 ** 63], (new BufferUnpacker($bytes, UnpackOptions::BIGINT_AS_FLOAT))->unpack());
        $refusing = new BufferUnpacker($bytes, UnpackOptions::BIGINT_THROW);
        self::assertSame('out_of_range at 2 (/1)', Outcome::of(static fn(): mixed => $refusing->unpack()));
        self::assertSame(11, $refusing->getRemainingCount());
        $refusing->reset("\xcf" . \str_repeat("\xff", 8));
        self::assertSame('out_of_range at 0 ()', Outcome::of(static fn(): mixed => $refusing->unpackInt()));
        $refusing->reset("\x91\x81\xcf" . \str_repeat("\xff", 8) . "\x01");
        self::assertSame('out_of_range at 2 (/0)', Outcome::of(static fn(): mixed => $refusing->unpack()));
        self::assertSame(\PHP_INT_MAX, $refusing->reset("\xcf\x7f" . \str_repeat("\xff", 7))->unpack());
        self::assertSame(2.0 ** 64, (new BufferUnpacker("\xcf" . \str_repeat("\xff", 8), UnpackOptions::BIGINT_AS_FLOAT))->unpackInt());
    }

    public function testBcMathNumbersNeedPhp84(): void
    {
        if (\class_exists('BcMath\Number')) {
            $number = (new BufferUnpacker("\xcf" . \str_repeat("\xff", 8), UnpackOptions::BIGINT_AS_BCMATH))->unpack();
            self::assertInstanceOf('BcMath\Number', $number);
            self::assertInstanceOf(\Stringable::class, $number);
            self::assertSame('18446744073709551615', (string) $number);
        } else {
            $this->expectException(InvalidOptionException::class);
            $this->expectExceptionMessage('UnpackOptions::BIGINT_AS_BCMATH needs the PHP extension bcmath of PHP 8.4');
            new BufferUnpacker('', UnpackOptions::BIGINT_AS_BCMATH);
        }
    }

    /**
     * @return iterable<array{array<string, int>, string}>
     */
    public static function badLimits(): iterable
    {
        yield [['maxDepth' => -1], 'maxDepth is -1; choose 0 to 10000'];
        yield [['maxDepth' => 10_001], 'maxDepth is 10001; choose 0 to 10000'];
        yield [['maxValues' => 0], 'maxValues is 0; choose 1'];
        yield [['maxBytes' => 0], 'maxBytes is 0; choose 1'];
    }

    /**
     * @param array<string, int> $limits
     */
    #[DataProvider('badLimits')]
    public function testLimitsAreChecked(array $limits, string $text): void
    {
        $this->expectException(InvalidOptionException::class);
        $this->expectExceptionMessage($text);
        new Limits(...$limits);
    }

    public function testDecimalsNeedTheirExtension(): void
    {
        if (\class_exists('Decimal\Decimal')) {
            $decimal = (new BufferUnpacker("\xcf" . \str_repeat("\xff", 8), UnpackOptions::BIGINT_AS_DEC))->unpack();
            self::assertInstanceOf(\Decimal\Decimal::class, $decimal);
            self::assertSame('18446744073709551615', (string) $decimal);
        } else {
            $this->expectException(InvalidOptionException::class);
            $this->expectExceptionMessage('UnpackOptions::BIGINT_AS_DEC needs the PHP extension decimal');
            new BufferUnpacker('', UnpackOptions::BIGINT_AS_DEC);
        }
    }

    public function testAnOptionThatLacksItsExtensionIsRefusedWhateverTheMessageHolds(): void
    {
        $classes = [UnpackOptions::BIGINT_AS_GMP => 'GMP', UnpackOptions::BIGINT_AS_DEC => 'Decimal\Decimal', UnpackOptions::BIGINT_AS_BCMATH => 'BcMath\Number'];
        foreach ($classes as $option => $class) {
            try {
                $value = MessagePack::unpack("\x91\x01", $option);
                self::assertTrue(\class_exists($class), $class);
                self::assertSame([1], $value);
            } catch (InvalidOptionException) {
                self::assertFalse(\class_exists($class), $class);
            }
        }
    }

    public function testExtensionTypesAreChecked(): void
    {
        $extension = self::createStub(Extension::class);
        $extension->method('getType')->willReturn(128);
        $this->expectException(PolypackException::class);
        $this->expectExceptionMessage('the extension type is 128');
        (new BufferUnpacker())->extendWith($extension);
    }

    public function testLengthsAreChecked(): void
    {
        $this->expectException(InvalidOptionException::class);
        (new BufferUnpacker('abc'))->read(-1);
    }
}
