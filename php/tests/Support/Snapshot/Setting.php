<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

/**
 * A stdClass that doesn't let anybody set a property.
 */
final class Setting extends \stdClass
{
    public function __set(string $name, mixed $value): void
    {
        throw new \LogicException("__set was called for {$name}");
    }
}
