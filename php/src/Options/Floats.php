<?php

declare(strict_types=1);

namespace Polypack\Options;

use Polypack\PackOptions;

/**
 * How PHP floats are packed; see PackOptions::of().
 *
 * @api
 */
enum Floats: int
{
    /** Packed as float 32: rounded, or refused as `out_of_range` when too great. */
    case Float32 = PackOptions::FORCE_FLOAT32;
    /** Packed as float 64. The default. */
    case Float64 = PackOptions::FORCE_FLOAT64;
}
