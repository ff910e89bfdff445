<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * An object that says itself what is written of it.
 */
final class PeclState
{
    /**
     * @return array<string, list<int>>
     */
    public function __serialize(): array
    {
        return ['kept' => [1, 2]];
    }

    /**
     * @param array<array-key, mixed> $state
     */
    public function __unserialize(array $state): void
    {
        throw new \LogicException('an object was made for the input');
    }
}
