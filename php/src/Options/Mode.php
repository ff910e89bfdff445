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
    /** PHP's habits. */
    case Default;
    /** For untrusted input. */
    case Strict;
    /** Passes data through unchanged. */
    case Lossless;
}
