<?php

declare(strict_types=1);

namespace Polypack\Native;

/**
 * What an engine returns when it declines. It is never confused with a value, because no snapshot contains it.
 *
 * @internal
 */
enum Answer
{
    case Declined;
}
