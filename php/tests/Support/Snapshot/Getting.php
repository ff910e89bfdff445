<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

/**
 * Has dynamic properties, and `__get` for those that it lacks.
 */
#[\AllowDynamicProperties]
final class Getting
{
    public function __get(string $name): mixed
    {
        throw new \LogicException("__get was called for {$name}");
    }
}
