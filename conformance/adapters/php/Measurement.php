<?php

declare(strict_types=1);

namespace Polypack\Conformance;

use Polypack\Exception\UnpackingFailedException;

/**
 * What decoding costs: by wall clock, in processor time, and in bytes of PHP's allocator. `bytes` is the most that it
 * had handed out at one moment of a decode, `retained` what the value keeps.
 */
final class Measurement
{
    /** Enough for everything else that the adapter does. */
    public const MEMORY_LIMIT = '2G';

    /**
     * @param \Closure(string): mixed $decode
     * @param ?int                    $memory the memory_limit while it decodes, in bytes
     *
     * @return array{error: ?UnpackingFailedException, ...} the answer to `measure`
     */
    public static function of(\Closure $decode, string $bytes, int $rounds, ?int $memory = null): array
    {
        // Loads the classes, so that their cost isn't counted.
        self::outcome($decode, "\x90\xc1");
        if ($memory !== null) {
            \ini_set('memory_limit', (string) $memory);
        }
        $milliseconds = $cpu = [];
        for ($round = 0; $round < $rounds; ++$round) {
            $start = \hrtime(true);
            $used = self::cpu();
            $outcome = self::outcome($decode, $bytes);
            unset($outcome); // a refusal lets go of what was decoded, so it counts for a value, too
            $cpu[] = self::cpu() - $used;
            $milliseconds[] = (\hrtime(true) - $start) / 1e6;
        }
        $first = $milliseconds[0] ?? null;
        \sort($milliseconds);

        \gc_collect_cycles();
        \memory_reset_peak_usage();
        $before = \memory_get_usage();
        $outcome = self::outcome($decode, $bytes);
        $peak = \memory_get_peak_usage() - $before;
        $retained = \memory_get_usage() - $before;
        $error = $outcome instanceof UnpackingFailedException ? $outcome : null;
        unset($outcome);
        \ini_set('memory_limit', self::MEMORY_LIMIT);

        return [
            'milliseconds' => ['first' => $first, 'median' => $milliseconds[\intdiv(\count($milliseconds), 2)] ?? null],
            'cpu' => $cpu === [] ? null : \min($cpu),
            'bytes' => $peak,
            'retained' => $retained,
            'error' => $error,
        ];
    }

    /**
     * @param \Closure(string): mixed $decode
     */
    private static function outcome(\Closure $decode, string $bytes): mixed
    {
        try {
            return $decode($bytes);
        } catch (UnpackingFailedException $error) {
            return $error;
        }
    }

    /**
     * Processor time of this process in milliseconds.
     */
    private static function cpu(): float
    {
        /** @var array<string, int> $usage */
        $usage = \getrusage();
        $seconds = $usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec'];

        return $seconds * 1e3 + ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']) / 1e3;
    }
}
