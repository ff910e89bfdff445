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
use Polypack\Packer;
use Polypack\PackOptions;
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
        yield [1 << 20, 'no option with the bits 0x100000'];
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
        yield [1 << 10, 'no option with the bits 0x400'];
        yield [-1, 'exclude each other'];
    }

    #[DataProvider('conflictsOfUnpacking')]
    public function testConflictsOfUnpacking(int $bits, string $text): void
    {
        $this->expectException(InvalidOptionException::class);
        $this->expectExceptionMessage($text);
        new BufferUnpacker('', $bits);
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
