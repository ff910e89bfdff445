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
    /** array, without the keys. */
    case Array = PackOptions::FORCE_ARR;
    /** map. */
    case Map = PackOptions::FORCE_MAP;
    /** Lists as array, others as map. The default. */
    case Detect = PackOptions::DETECT_ARR_MAP;
}
