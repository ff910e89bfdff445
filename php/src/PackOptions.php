<?php

declare(strict_types=1);

namespace Polypack;

use Polypack\Exception\InvalidOptionException;
use Polypack\Options\Arrays;
use Polypack\Options\Floats;
use Polypack\Options\Mode;
use Polypack\Options\OptionBits;
use Polypack\Options\Strings;
use Polypack\Records\SharedRecords;

/**
 * The options of packing: constants to combine with |, or enums given by name to of(). Immutable.
 * Packer::choose() turns them into the encoder's settings.
 *
 * To add an option, add a constant here and to EXCLUSIVE, and a parameter to of(), and read it in Packer::choose(). If
 * it has several choices, add an enum to Options/.
 *
 * The bits up to 128 are the same as in rybakit/msgpack. The bits 1, 2 and 4 mean something else in UnpackOptions; of()
 * and the enums avoid this confusion. STRICT, LOSSLESS and RECORDS_INLINE are the same bits in both classes. A bit that
 * only UnpackOptions has is refused, with an error that names its constant.
 *
 * @api
 */
final class PackOptions
{
    /** Strings are packed as str. The default. See STRICT and LOSSLESS for strings that aren't UTF-8. */
    public const FORCE_STR = 0b00000001;
    /** Strings are packed as bin. */
    public const FORCE_BIN = 0b00000010;
    /** Strings are packed as str when they are UTF-8, as bin otherwise. Costs one check per string. */
    public const DETECT_STR_BIN = 0b00000100;
    /** Arrays are packed as array, without their keys. */
    public const FORCE_ARR = 0b00001000;
    /** Arrays are packed as map. */
    public const FORCE_MAP = 0b00010000;
    /** Lists are packed as array, other arrays as map. The default. */
    public const DETECT_ARR_MAP = 0b00100000;
    /** Floats are packed as float 32: rounded, or refused as out_of_range when too great. */
    public const FORCE_FLOAT32 = 0b01000000;
    /** Floats are packed as float 64. The default. */
    public const FORCE_FLOAT64 = 0b10000000;
    /** Mode strict (spec/09-modes.md): a string that isn't UTF-8 is packed as bin, even as a map key. */
    public const STRICT = 1 << 16;
    /** Mode lossless (spec/09-modes.md): a string to be packed as str is refused as invalid_utf8 if it isn't UTF-8. */
    public const LOSSLESS = 1 << 17;
    /**
     * Packs arrays, stdClass and ArrayObject as records if all their keys are str (spec/05-records.md). Inside map keys
     * and pack() methods they become maps. Rows with the same names then usually write the names once per message. Only
     * readers that know records can read the result.
     */
    public const RECORDS_INLINE = 1 << 18;

    private const EXCLUSIVE = [
        ['FORCE_STR' => self::FORCE_STR, 'FORCE_BIN' => self::FORCE_BIN, 'DETECT_STR_BIN' => self::DETECT_STR_BIN],
        ['FORCE_ARR' => self::FORCE_ARR, 'FORCE_MAP' => self::FORCE_MAP, 'DETECT_ARR_MAP' => self::DETECT_ARR_MAP],
        ['FORCE_FLOAT32' => self::FORCE_FLOAT32, 'FORCE_FLOAT64' => self::FORCE_FLOAT64],
        ['STRICT' => self::STRICT, 'LOSSLESS' => self::LOSSLESS],
        ['RECORDS_INLINE' => self::RECORDS_INLINE],
    ];

    /** @internal the constants that UnpackOptions refuses by name; it has other constants for the bits 1, 2 and 4 */
    public const ONLY_HERE = [
        'FORCE_ARR' => self::FORCE_ARR,
        'FORCE_MAP' => self::FORCE_MAP,
        'DETECT_ARR_MAP' => self::DETECT_ARR_MAP,
        'FORCE_FLOAT32' => self::FORCE_FLOAT32,
        'FORCE_FLOAT64' => self::FORCE_FLOAT64,
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
     * Makes options from choices by name: PackOptions::of(strings: Strings::Detect, mode: Mode::Strict).
     *
     * @param bool|SharedRecords $records true writes records that each message declares itself (spec/05-records.md);
     *     SharedRecords writes the records of its dictionary without declarations
     */
    public static function of(
        Strings $strings = Strings::Str,
        Arrays $arrays = Arrays::Detect,
        Floats $floats = Floats::Float64,
        Mode $mode = Mode::Default,
        bool|SharedRecords $records = false,
    ): self {
        $bits = $strings->value | $arrays->value | $floats->value | ($records === true ? self::RECORDS_INLINE : 0);

        return new self($bits | match ($mode) {
            Mode::Default => 0,
            Mode::Strict => self::STRICT,
            Mode::Lossless => self::LOSSLESS,
        }, $records instanceof SharedRecords ? $records : null);
    }

    /**
     * Returns a copy of these options with a dictionary (spec/05-records.md#shared) and without RECORDS_INLINE, as in
     * PackOptions::fromBitmask($bitmask)->withRecords($shared).
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
     * Makes options from constants combined with |.
     *
     * @throws InvalidOptionException when two constants exclude each other, or a bit is unknown or belongs to
     *                                UnpackOptions
     */
    public static function fromBitmask(int $bitmask): self
    {
        OptionBits::check(self::class, $bitmask, self::EXCLUSIVE, UnpackOptions::class, UnpackOptions::ONLY_HERE);

        return new self($bitmask);
    }

    /**
     * Says whether strings are packed as str (FORCE_STR, the default).
     */
    public function isForceStrMode(): bool
    {
        return ($this->bits & (self::FORCE_BIN | self::DETECT_STR_BIN)) === 0;
    }

    /**
     * Says whether strings are packed as bin.
     */
    public function isForceBinMode(): bool
    {
        return ($this->bits & self::FORCE_BIN) !== 0;
    }

    /**
     * Says whether strings are packed as str when they are UTF-8, as bin otherwise.
     */
    public function isDetectStrBinMode(): bool
    {
        return ($this->bits & self::DETECT_STR_BIN) !== 0;
    }

    /**
     * Says whether lists are packed as array, other arrays as map.
     */
    public function isDetectArrMapMode(): bool
    {
        return ($this->bits & (self::FORCE_ARR | self::FORCE_MAP)) === 0;
    }

    /**
     * Says whether arrays are packed as array.
     */
    public function isForceArrMode(): bool
    {
        return ($this->bits & self::FORCE_ARR) !== 0;
    }

    /**
     * Says whether arrays are packed as map.
     */
    public function isForceMapMode(): bool
    {
        return ($this->bits & self::FORCE_MAP) !== 0;
    }

    /**
     * Says whether floats are packed as float 32.
     */
    public function isForceFloat32Mode(): bool
    {
        return ($this->bits & self::FORCE_FLOAT32) !== 0;
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
     * Says whether records are written without a dictionary, so that each message declares its own records
     * (spec/05-records.md).
     */
    public function isRecordsInlineMode(): bool
    {
        return ($this->bits & self::RECORDS_INLINE) !== 0;
    }

    /**
     * Returns the dictionary whose records are written (spec/05-records.md#shared); null for none.
     */
    public function getSharedRecords(): ?SharedRecords
    {
        return $this->shared;
    }
}
