<?php

declare(strict_types=1);

namespace Polypack\Options;

use Polypack\PackOptions;

/**
 * How PHP strings are packed; see PackOptions::of().
 *
 * @api
 */
enum Strings: int
{
    /** Packed as str. The default. See PackOptions::STRICT and LOSSLESS for strings that aren't UTF-8. */
    case Str = PackOptions::FORCE_STR;
    /** Packed as bin. */
    case Bin = PackOptions::FORCE_BIN;
    /** Packed as str when the string is UTF-8, as bin otherwise. Costs one check per string. */
    case Detect = PackOptions::DETECT_STR_BIN;
}
