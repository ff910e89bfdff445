<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

final class Box
{
    public function __construct(public readonly mixed $content) {}
}
