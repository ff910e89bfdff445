<?php

declare(strict_types=1);

namespace Polypack\Native;

/**
 * Says that the engine declines to read a snapshot. It isn't null or false, because a snapshot may hold these values.
 *
 * @internal
 */
enum Answer
{
    case Declined;
}
