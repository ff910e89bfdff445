<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

enum Weekday: int
{
    case Monday = 1;
}
