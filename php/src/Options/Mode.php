<?php

declare(strict_types=1);

namespace Polypack\Options;

/**
 * The modes of spec/09-modes.md; see PackOptions::of() and UnpackOptions::of().
 *
 * @api
 */
enum Mode
{
    /** Made for PHP's usual types. */
    case Default;
    /** Made for untrusted input. */
    case Strict;
    /** Made for passing data through unchanged. */
    case Lossless;
}
