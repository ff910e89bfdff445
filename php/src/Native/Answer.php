<?php

declare(strict_types=1);

namespace Polypack\Native;

/**
 * What an engine returns instead of a value when it declines: no snapshot has it.
 *
 * @internal
 */
enum Answer
{
    case Declined;
}
