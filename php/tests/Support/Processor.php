<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * The time that this process spent on a processor, so that a busy machine does not count.
 */
final class Processor
{
    public static function milliseconds(): float
    {
        $usage = \getrusage();
        \assert(\is_array($usage));
        $milliseconds = 0.0;
        foreach (['ru_utime', 'ru_stime'] as $part) {
            $seconds = $usage["{$part}.tv_sec"];
            $microseconds = $usage["{$part}.tv_usec"];
            \assert(\is_int($seconds) && \is_int($microseconds));
            $milliseconds += $seconds * 1e3 + $microseconds / 1e3;
        }

        return $milliseconds;
    }
}
