<?php

declare(strict_types=1);

namespace Polypack\Options;

use Polypack\UnpackOptions;

/**
 * What integers above 2⁶³−1, the greatest int of PHP, become; see UnpackOptions::of(). As map keys, they always become
 * strings of digits, except with Refuse.
 *
 * @api
 */
enum BigInts: int
{
    /** A string of digits. The default. */
    case Str = UnpackOptions::BIGINT_AS_STR;
    /** A GMP object. Needs ext-gmp. */
    case Gmp = UnpackOptions::BIGINT_AS_GMP;
    /** A Decimal\Decimal object. Needs ext-decimal. */
    case Dec = UnpackOptions::BIGINT_AS_DEC;
    /** A BcMath\Number object. Needs ext-bcmath of PHP 8.4 or later. */
    case BcMath = UnpackOptions::BIGINT_AS_BCMATH;
    /** The nearest float. */
    case Float = UnpackOptions::BIGINT_AS_FLOAT;
    /** They are refused as `out_of_range`. */
    case Refuse = UnpackOptions::BIGINT_THROW;

    /** Tells whether an integer above 2⁶³−1, outside of map keys, becomes an object. */
    public function makeObjects(): bool
    {
        return $this === self::Gmp || $this === self::Dec || $this === self::BcMath;
    }
}
