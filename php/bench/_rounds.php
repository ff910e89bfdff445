<?php

declare(strict_types=1);

namespace Polypack\Bench;

// Measures one operation of several contestants, in rounds in turn, every result compared with the value.

require __DIR__ . '/_clock.php';

const WARM_UP_NS = 25_000_000;

/**
 * Of a contestant in a round. The last result is looked at and released outside of the clock, all others inside:
 * with one call to a round of the slower, and three of the faster, only the faster would be charged for
 * releasing large results.
 */
const LEAST_CALLS = 8;

/**
 * Of a workload whose calls are so long that its rounds last longer than they should: fewer of them
 * then take the same time.
 */
const LEAST_ROUNDS = 7;

/**
 * One operation of one contestant, with the result that is right.
 */
final class Run
{
    /**
     * @param \Closure(int): mixed $repeat takes how often, returns the last result
     */
    public function __construct(private readonly \Closure $repeat, private readonly mixed $expected) {}

    /**
     * @return array{int, bool} nanoseconds, and whether the last result was right
     */
    public function time(int $calls): array
    {
        $started = Clock::now();
        $result = ($this->repeat)($calls);
        $time = \max(1000, Clock::now() - $started);

        return [$time, Payloads::same($result, $this->expected)];
    }
}

/**
 * Rounds of one operation.
 */
final class Rounds
{
    /**
     * Measures one operation of all contestants; ours is the first. The order turns by one each round, and both times
     * of a ratio are of one round, so that a slow phase of the machine hits both.
     *
     * @param non-empty-array<string, Run> $runs
     *
     * @return array<string, array{ratios: list<float>, verified: bool}> of each peer its time divided
     *   by ours, round by round
     */
    public static function measure(array $runs, int $rounds, int $roundNs): array
    {
        $names = \array_keys($runs);
        $wrong = [];
        $calls = [];
        $longest = (float) $roundNs;
        foreach ($runs as $name => $run) {
            [$done, $spent, $time] = [0, 0, 0];
            for ($batch = 1; $spent < \max(WARM_UP_NS, 2 * $roundNs); $batch *= 2) {
                [$time, $right] = $run->time($batch);
                [$done, $spent] = [$batch, $spent + $time];
                $wrong += $right ? [] : [$name => true];
            }
            // The last batch is the warmest.
            $calls[$name] = \max(LEAST_CALLS, (int) ($done * $roundNs / $time));
            $longest = \max($longest, (float) ($calls[$name] * $time / $done));
        }
        $rounds = \max(\min($rounds, LEAST_ROUNDS), (int) ($rounds * $roundNs / $longest));

        $times = [];
        for ($round = 0; $round < $rounds; ++$round) {
            for ($turn = 0; $turn < \count($names); ++$turn) {
                $name = $names[($turn + $round) % \count($names)];
                [$time, $right] = $runs[$name]->time($calls[$name]);
                $times[$name][] = $time / $calls[$name];
                $wrong += $right ? [] : [$name => true];
            }
        }

        $ours = \array_shift($names);
        if (isset($wrong[$ours])) {
            throw new \RuntimeException("{$ours} gave a wrong result");
        }
        $measured = [];
        foreach ($names as $name) {
            $measured[$name] = [
                'ratios' => \array_map(static fn(float $theirs, float $our): float => $theirs / $our, $times[$name], $times[$ours]),
                'verified' => !isset($wrong[$name]),
            ];
        }

        return $measured;
    }
}
