<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

final class Point
{
    public function __construct(public int $x = 0, public ?self $next = null) {}
}
