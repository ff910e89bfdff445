<?php

declare(strict_types=1);

namespace Polypack;

use Polypack\Exception\InvalidOptionException;

/**
 * The options of unpacking: constants to combine with |, and what a combination means. Immutable.
 *
 * @api
 */
final class UnpackOptions
{
    /** Integers above 2⁶³−1 become strings of digits. The default. */
    public const BIGINT_AS_STR = 0b000001;
    /** Integers above 2⁶³−1 become GMP objects. Needs ext-gmp. */
    public const BIGINT_AS_GMP = 0b000010;
    /** Integers above 2⁶³−1 become Decimal\Decimal objects. Needs ext-decimal. */
    public const BIGINT_AS_DEC = 0b000100;
    /** Mode strict (spec/09-modes.md): for input from strangers. */
    public const STRICT = 0b001000;
    /** Mode lossless (spec/09-modes.md): types that keep everything; integers above 2⁶³−1 become UInt64. */
    public const LOSSLESS = 0b010000;
    /** Reads record declarations inside a message (spec/05-records.md). */
    public const RECORDS_INLINE = 0b100000;

    private const EXCLUSIVE = [
        [
            'BIGINT_AS_STR' => self::BIGINT_AS_STR,
            'BIGINT_AS_GMP' => self::BIGINT_AS_GMP,
            'BIGINT_AS_DEC' => self::BIGINT_AS_DEC,
        ],
        ['STRICT' => self::STRICT, 'LOSSLESS' => self::LOSSLESS],
        ['RECORDS_INLINE' => self::RECORDS_INLINE],
    ];

    private function __construct(private readonly int $bits) {}

    /**
     * Reads a combination of the constants.
     *
     * @throws InvalidOptionException when two of them exclude each other, a bit is unknown, or an option needs a PHP
     *                                extension that is not loaded
     */
    public static function fromBitmask(int $bitmask): self
    {
        OptionBits::check(self::class, $bitmask, self::EXCLUSIVE);
        if (($bitmask & self::BIGINT_AS_GMP) !== 0 && !\class_exists('GMP')) {
            throw InvalidOptionException::missingPhpExtension('UnpackOptions::BIGINT_AS_GMP', 'gmp');
        }
        if (($bitmask & self::BIGINT_AS_DEC) !== 0 && !\class_exists('Decimal\Decimal')) {
            throw InvalidOptionException::missingPhpExtension('UnpackOptions::BIGINT_AS_DEC', 'decimal');
        }

        return new self($bitmask);
    }

    public function isBigIntAsGmpMode(): bool
    {
        return ($this->bits & self::BIGINT_AS_GMP) !== 0;
    }

    public function isBigIntAsDecMode(): bool
    {
        return ($this->bits & self::BIGINT_AS_DEC) !== 0;
    }

    public function isStrictMode(): bool
    {
        return ($this->bits & self::STRICT) !== 0;
    }

    public function isLosslessMode(): bool
    {
        return ($this->bits & self::LOSSLESS) !== 0;
    }

    public function isRecordsInlineMode(): bool
    {
        return ($this->bits & self::RECORDS_INLINE) !== 0;
    }
}
