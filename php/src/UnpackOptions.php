<?php

declare(strict_types=1);

namespace Polypack;

use Polypack\Exception\InvalidOptionException;
use Polypack\Options\BigInts;
use Polypack\Options\Mode;
use Polypack\Options\OptionBits;
use Polypack\Records\SharedRecords;

/**
 * The options of unpacking: constants to combine with |, or enums given by name to of(). Immutable.
 * BufferUnpacker::choose() turns them into the decoder's settings.
 *
 * To add an option, add a constant here and to EXCLUSIVE, and a parameter to of(), and read it in
 * BufferUnpacker::choose(). If it has several choices, add an enum to Options/.
 *
 * The BIGINT options choose what integers above 2⁶³−1 become, which PHP's int can't hold. As map keys, these integers
 * become strings of digits with every option except BIGINT_THROW. LOSSLESS excludes the BIGINT options: there, these
 * integers become UInt64.
 *
 * The bits 1, 2 and 4 are the same as in rybakit/msgpack. They mean something else in PackOptions. Pass enums to of()
 * to avoid confusing the two classes. From 1 << 16 on, a constant that both classes have is the same bit in both. A bit
 * that only PackOptions has is refused, with an error that names its constant.
 *
 * @api
 */
final class UnpackOptions
{
    /** Integers above 2⁶³−1 become strings of digits. The default. */
    public const BIGINT_AS_STR = 0b001;
    /** Integers above 2⁶³−1 become GMP objects. Needs ext-gmp. */
    public const BIGINT_AS_GMP = 0b010;
    /** Integers above 2⁶³−1 become Decimal\Decimal objects. Needs ext-decimal. */
    public const BIGINT_AS_DEC = 0b100;
    /** Mode strict (spec/09-modes.md): for untrusted input. */
    public const STRICT = 1 << 16;
    /** Mode lossless (spec/09-modes.md): types that lose nothing; integers above 2⁶³−1 become UInt64. */
    public const LOSSLESS = 1 << 17;
    /** Reads records that are declared inside a message (spec/05-records.md). */
    public const RECORDS_INLINE = 1 << 18;
    /** Integers above 2⁶³−1 become BcMath\Number objects. Needs ext-bcmath of PHP 8.4 or later. */
    public const BIGINT_AS_BCMATH = 1 << 20;
    /** Integers above 2⁶³−1 become the nearest floats. */
    public const BIGINT_AS_FLOAT = 1 << 21;
    /** Integers above 2⁶³−1 are refused as `out_of_range`. */
    public const BIGINT_THROW = 1 << 22;

    private const BIGINTS = self::BIGINT_AS_STR | self::BIGINT_AS_GMP | self::BIGINT_AS_DEC
        | self::BIGINT_AS_BCMATH | self::BIGINT_AS_FLOAT | self::BIGINT_THROW;

    private const EXCLUSIVE = [
        [
            'BIGINT_AS_STR' => self::BIGINT_AS_STR,
            'BIGINT_AS_GMP' => self::BIGINT_AS_GMP,
            'BIGINT_AS_DEC' => self::BIGINT_AS_DEC,
            'BIGINT_AS_BCMATH' => self::BIGINT_AS_BCMATH,
            'BIGINT_AS_FLOAT' => self::BIGINT_AS_FLOAT,
            'BIGINT_THROW' => self::BIGINT_THROW,
            'LOSSLESS' => self::LOSSLESS, // lossless mode has its own type for big integers
        ],
        ['STRICT' => self::STRICT, 'LOSSLESS' => self::LOSSLESS],
        ['RECORDS_INLINE' => self::RECORDS_INLINE],
    ];

    /** BIGINT options that need a PHP extension, by bit: their name, the extension, and the class that it defines. */
    private const NEEDS = [
        self::BIGINT_AS_GMP => ['BIGINT_AS_GMP', 'gmp', 'GMP'],
        self::BIGINT_AS_DEC => ['BIGINT_AS_DEC', 'decimal', 'Decimal\Decimal'],
        self::BIGINT_AS_BCMATH => ['BIGINT_AS_BCMATH', 'bcmath of PHP 8.4', 'BcMath\Number'],
    ];

    /** @internal the constants that PackOptions refuses by name; the bits 1, 2 and 4 are constants of both classes */
    public const ONLY_HERE = [
        'BIGINT_AS_BCMATH' => self::BIGINT_AS_BCMATH,
        'BIGINT_AS_FLOAT' => self::BIGINT_AS_FLOAT,
        'BIGINT_THROW' => self::BIGINT_THROW,
    ];

    /**
     * @param int $bits the chosen constants, combined with |
     */
    private function __construct(
        /** @internal */
        public readonly int $bits,
        private readonly ?SharedRecords $shared = null,
    ) {}

    /**
     * Makes options from choices by name: UnpackOptions::of(bigInts: BigInts::Gmp, mode: Mode::Strict).
     *
     * @param ?BigInts $bigInts null for the default of the mode: UInt64 in lossless mode, else a string of digits
     * @param bool|SharedRecords $records true reads records that the message declares (spec/05-records.md);
     *     SharedRecords also reads the records of its dictionary
     *
     * @throws InvalidOptionException when a choice needs a PHP extension that is not loaded, or $bigInts is given with
     *                                Mode::Lossless
     */
    public static function of(
        ?BigInts $bigInts = null,
        Mode $mode = Mode::Default,
        bool|SharedRecords $records = false,
    ): self {
        $options = self::fromBitmask(($bigInts->value ?? 0) | ($records === true ? self::RECORDS_INLINE : 0) | match ($mode) {
            Mode::Default => 0,
            Mode::Strict => self::STRICT,
            Mode::Lossless => self::LOSSLESS,
        });

        return $records instanceof SharedRecords ? $options->withRecords($records) : $options;
    }

    /**
     * Returns these options with records of a dictionary (spec/05-records.md#shared) instead of RECORDS_INLINE, as in
     * UnpackOptions::fromBitmask($bitmask)->withRecords($shared).
     */
    public function withRecords(SharedRecords $records): self
    {
        return new self($this->bits & ~self::RECORDS_INLINE, $records);
    }

    /**
     * Returns the default options.
     */
    public static function fromDefaults(): self
    {
        return new self(0);
    }

    /**
     * Reads a combination of the constants.
     *
     * @throws InvalidOptionException when two constants exclude each other, a bit is unknown or belongs to
     *                                PackOptions, or an option needs a PHP extension that is not loaded
     */
    public static function fromBitmask(int $bitmask): self
    {
        OptionBits::check(self::class, $bitmask, self::EXCLUSIVE, PackOptions::class, PackOptions::ONLY_HERE);
        foreach (self::NEEDS as $bit => [$option, $extension, $class]) {
            if (($bitmask & $bit) !== 0 && !\class_exists($class)) {
                throw InvalidOptionException::missingPhpExtension("UnpackOptions::{$option}", $extension);
            }
        }

        return new self($bitmask);
    }

    /**
     * Says whether integers above 2⁶³−1 become strings of digits. Also true in lossless mode, where they become UInt64.
     */
    public function isBigIntAsStrMode(): bool
    {
        return $this->getBigInts() === BigInts::Str;
    }

    /**
     * Says whether integers above 2⁶³−1 become GMP objects.
     */
    public function isBigIntAsGmpMode(): bool
    {
        return $this->getBigInts() === BigInts::Gmp;
    }

    /**
     * Says whether integers above 2⁶³−1 become Decimal\Decimal objects.
     */
    public function isBigIntAsDecMode(): bool
    {
        return $this->getBigInts() === BigInts::Dec;
    }

    /**
     * Returns what integers above 2⁶³−1 become. In lossless mode they become UInt64 instead.
     */
    public function getBigInts(): BigInts
    {
        return BigInts::tryFrom($this->bits & self::BIGINTS) ?? BigInts::Str;
    }

    /**
     * Says whether the mode is strict (spec/09-modes.md).
     */
    public function isStrictMode(): bool
    {
        return ($this->bits & self::STRICT) !== 0;
    }

    /**
     * Says whether the mode is lossless (spec/09-modes.md).
     */
    public function isLosslessMode(): bool
    {
        return ($this->bits & self::LOSSLESS) !== 0;
    }

    /**
     * Says whether records are read without a dictionary, so that each message declares its own (spec/05-records.md).
     */
    public function isRecordsInlineMode(): bool
    {
        return ($this->bits & self::RECORDS_INLINE) !== 0;
    }

    /**
     * Returns the SharedRecords given to these options, or null if there are none (spec/05-records.md#shared).
     */
    public function getSharedRecords(): ?SharedRecords
    {
        return $this->shared;
    }
}
