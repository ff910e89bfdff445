<?php

declare(strict_types=1);

namespace Polypack\Options;

use Polypack\PackOptions;

/**
 * How PHP arrays are packed; see PackOptions::of().
 *
 * @api
 */
enum Arrays: int
{
    /** Packed as array, without the keys. */
    case Array = PackOptions::FORCE_ARR;
    /** Packed as map. */
    case Map = PackOptions::FORCE_MAP;
    /** Lists are packed as array, other arrays as map. The default. */
    case Detect = PackOptions::DETECT_ARR_MAP;
}
