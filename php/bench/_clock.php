<?php

declare(strict_types=1);

namespace Polypack\Bench;

/**
 * Time of the processor: that of other programs, which a busy machine runs in between, is not in it.
 */
final class Clock
{
    /** @return int nanoseconds, in steps of a microsecond */
    public static function now(): int
    {
        /** @var array<string, int> $usage */
        $usage = \getrusage();

        return 1_000_000_000 * ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec'])
            + 1000 * ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']);
    }
}
