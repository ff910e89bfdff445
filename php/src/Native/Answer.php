<?php

declare(strict_types=1);

namespace Polypack\Native;

/**
 * Stands for the answer of an engine that declines to read a snapshot. It can't be mistaken for a value, because no
 * snapshot contains this internal enum.
 *
 * @internal
 */
enum Answer
{
    case Declined;
}
