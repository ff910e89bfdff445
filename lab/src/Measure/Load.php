<?php

declare(strict_types=1);

namespace Polypack\Lab\Measure;

/**
 * How busy the machine is while it measures. It's looked at before and after every launch: a look at the end alone
 * misses what went on for most of a run of an hour.
 */
final class Load
{
    /** Programs for each core that wanted to run, from which the machine is busy: the lab itself is one. */
    private const BUSY = 1.5;

    /** @param \Closure(): float $read the average number of programs that wanted a processor lately */
    public function __construct(private readonly \Closure $read, private readonly int $cores) {}

    public static function ofMachine(): self
    {
        return new self(Environment::load(...), Environment::cores());
    }

    public function now(): float
    {
        return ($this->read)();
    }

    /** Tells that the machine is busy before anything is measured; null if it isn't. */
    public function atFirst(): ?string
    {
        $load = $this->now();

        return $this->isBusy($load) ? \sprintf('The machine is busy before the run (load %.1f on %d cores).', $load, $this->cores) : null;
    }

    /**
     * Says in which rounds the machine was busy; null if in none.
     *
     * @param list<array<int, float>> $loads of each cell, by round
     */
    public function during(array $loads): ?string
    {
        $rounds = [];
        foreach ($loads as $ofCell) {
            foreach ($ofCell as $round => $load) {
                $rounds[$round][] = $load;
            }
        }
        \ksort($rounds);
        $said = [];
        foreach ($rounds as $round => $ofRound) {
            $busy = \array_filter($ofRound, $this->isBusy(...));
            if ($busy !== []) {
                $said[] = \sprintf('round %d (%d of %d launches, load up to %.1f)', $round + 1, \count($busy), \count($ofRound), \max($busy));
            }
        }

        return $said === [] ? null : 'The machine was busy in ' . \implode(', ', $said) . " on {$this->cores} cores: trust ratios and their intervals, not times.";
    }

    private function isBusy(float $load): bool
    {
        return $load > self::BUSY * $this->cores;
    }
}
