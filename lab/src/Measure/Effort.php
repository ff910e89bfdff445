<?php

declare(strict_types=1);

namespace Polypack\Lab\Measure;

/** How much time goes into a cell. Seconds, unless said otherwise. */
final class Effort
{
    /** Processes of a cell from which an interval tells how processes differ. */
    public const ENOUGH_ROUNDS = 5;

    /**
     * @param int    $samples  of a cell, spread over its rounds
     * @param int    $rounds   a process of its own each
     * @param float  $budget   for all samples of a cell; it gets fewer samples rather than more time
     * @param float  $patience how long a process may be silent beyond what it was asked for
     * @param float  $sample   how long a sample has to last, so that the clock's steps don't matter
     * @param string $clock    "cpu" is time of the processor, "wall" is time of day
     */
    public function __construct(
        public readonly int $samples = 100,
        public readonly int $rounds = self::ENOUGH_ROUNDS,
        public readonly float $budget = 5.0,
        public readonly float $patience = 30.0,
        public readonly float $sample = 0.002,
        public readonly string $clock = 'cpu',
    ) {}

    public function samplesPerRound(): int
    {
        return \max(1, (int) \ceil($this->samples / $this->rounds));
    }

    public function budgetPerRound(): float
    {
        return $this->budget / $this->rounds;
    }
}
