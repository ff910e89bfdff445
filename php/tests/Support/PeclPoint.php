<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * Properties of each visibility, for the PECL extension to write. Unserializing it would be a fault.
 */
final class PeclPoint
{
    public int $x = 1;
    protected int $y = 2;
    private int $z = 3;

    public function __wakeup(): void
    {
        throw new \LogicException('an object was made for the input');
    }

    public function sum(): int
    {
        return $this->x + $this->y + $this->z;
    }
}
