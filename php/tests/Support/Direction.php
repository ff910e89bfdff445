<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

enum Direction
{
    case Up;
}
