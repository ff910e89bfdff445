<?php

declare(strict_types=1);

// What PHPStan should know of classes that PHP 8.2 does not have. Never loaded.

namespace BcMath;

final readonly class Number implements \Stringable
{
    public string $value;
    public int $scale;

    public function __construct(string|int $num) {}

    public function __toString(): string {}
}
