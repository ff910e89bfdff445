<?php

declare(strict_types=1);

namespace Polypack\Options;

use Polypack\UnpackOptions;

/**
 * What integers above 2⁶³−1, the greatest int of PHP, become; see UnpackOptions::of(). As map keys, such integers
 * become strings of digits whatever the choice, except with Refuse. Lossless mode has no choice: they become UInt64.
 *
 * @api
 */
enum BigInts: int
{
    /** A string of digits. The default, except in lossless mode. */
    case Str = UnpackOptions::BIGINT_AS_STR;
    /** A GMP object. Needs ext-gmp. */
    case Gmp = UnpackOptions::BIGINT_AS_GMP;
    /** A Decimal\Decimal object. Needs ext-decimal. */
    case Dec = UnpackOptions::BIGINT_AS_DEC;
    /** A BcMath\Number object. Needs ext-bcmath of PHP 8.4 or later. */
    case BcMath = UnpackOptions::BIGINT_AS_BCMATH;
    /** The nearest float. */
    case Float = UnpackOptions::BIGINT_AS_FLOAT;
    /** No value: unpacking fails with `out_of_range`. */
    case Refuse = UnpackOptions::BIGINT_THROW;

    /** Tells whether an integer above 2⁶³−1, outside of map keys, becomes an object. */
    public function makeObjects(): bool
    {
        return $this === self::Gmp || $this === self::Dec || $this === self::BcMath;
    }
}
