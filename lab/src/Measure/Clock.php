<?php

declare(strict_types=1);

namespace Polypack\Lab\Measure;

/** Time of the processor: what other programs take of a busy machine isn't in it. */
final class Clock
{
    /** @return int nanoseconds, in steps of a microsecond */
    public static function cpu(): int
    {
        /** @var array<string, int> $usage */
        $usage = \getrusage();

        return 1_000_000_000 * ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec'])
            + 1000 * ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']);
    }
}
