<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

/**
 * Has a `__sleep` that returns what a test wants.
 */
final class Sleepless
{
    public static mixed $answer = null;

    public int $a = 1;

    public function __sleep()
    {
        return self::$answer; // @phpstan-ignore return.type
    }
}
