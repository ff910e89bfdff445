<?php

declare(strict_types=1);

namespace Polypack\Bench;

/**
 * How much memory decoding takes at its peak, the result included and the input not.
 */
final class Memory
{
    /**
     * Decodes twice and measures the second time, when everything that is kept is there.
     *
     * @return array{int, int} bytes of the peak, and of the result
     */
    public static function ofDecoding(Contestant $one, string $bytes): array
    {
        ($one->decode)($bytes, 1);
        \gc_collect_cycles();
        $before = \memory_get_usage();
        \memory_reset_peak_usage();
        $value = ($one->decode)($bytes, 1);
        $peak = \memory_get_peak_usage() - $before;
        $result = \memory_get_usage() - $before;
        unset($value);

        return [$peak, $result];
    }
}
