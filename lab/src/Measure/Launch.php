<?php

declare(strict_types=1);

namespace Polypack\Lab\Measure;

/**
 * Measures a cell in one process: first call, verification, pilot, warm-up, samples, memory, verification.
 *
 * The policy is here, once for all languages; a worker only does what it's told and tells how long it took.
 */
final class Launch
{
    private const EMPTY_CALLS = 20_000;

    /** Seconds of the processor for the warm-up at most; V8 takes longer until it has compiled what is hot. */
    private const WARM_UP = ['JavaScript' => 0.5, 'default' => 0.1];

    /** How much longer than the samples a warm-up may take, and how much longer the clock may go than the processor. */
    private const WARM_UP_PER_BUDGET = 3, WAIT = 5;

    private float $spent = 0.0;

    private function __construct(private readonly Connection $connection, private readonly Effort $effort) {}

    /**
     * @param array{file: string, digest: string, seed: int} $data
     *
     * @return array<string, mixed> as the journal keeps it
     */
    public static function measure(Cell $cell, Effort $effort, array $data, string $out, string $cache): array
    {
        $connection = new Connection($cell->entry->command, $effort->patience);
        try {
            return (new self($connection, $effort))->run($cell, $data, $out, $cache);
        } catch (Fault $fault) {
            return ['fault' => $fault->getMessage()];
        } finally {
            $connection->close();
        }
    }

    /**
     * @param array{file: string, digest: string, seed: int} $data
     *
     * @return array<string, mixed>
     */
    private function run(Cell $cell, array $data, string $out, string $cache): array
    {
        $prepared = $this->connection->ask([
            'do' => 'prepare',
            'scenario' => $cell->scenario->value,
            'operation' => $cell->operation,
            'data' => $data['file'],
            'digest' => $data['digest'],
            'count' => $cell->count,
            'seed' => $data['seed'],
            'out' => $out,
            'cache' => $cache,
        ] + $cell->entry->prepare);
        $this->verify('before');

        $times = $this->pilot();
        $this->warmUp($times, self::WARM_UP[$cell->entry->language] ?? self::WARM_UP['default']);
        $empty = $this->emptyCall();
        $samples = [];
        $this->spent = 0.0;
        for ($left = $this->effort->samplesPerRound(); $left > 0; --$left) {
            $took = $this->time($times);
            $samples[] = \max(0.0, ($this->effort->clock === 'cpu' ? $took['cpu'] : $took['wall']) / $times - $empty);
            if ($this->spent >= $this->effort->budgetPerRound()) {
                break;
            }
        }
        $this->verify('after');
        $memory = $this->connection->ask(['do' => 'memory']);
        $verified = $this->verify('last');

        return [
            'samples' => $samples,
            'times' => $times,
            'empty' => $empty,
            'set_up' => $prepared['set_up'] ?? null,
            'first' => $prepared['first'] ?? null,
            'bytes' => $prepared['bytes'] ?? null,
            'memory' => $memory['bytes'] ?? null,
            'kept' => $memory['kept'] ?? null,
            'deprecations' => $verified['deprecations'] ?? 0,
        ];
    }

    /** @return array<string, mixed> */
    private function verify(string $when): array
    {
        $answer = $this->connection->ask(['do' => 'verify', 'when' => $when]);
        // An answer without a verdict isn't one: null says that nothing is wrong.
        return \array_key_exists('fault', $answer) ? $answer : throw new Fault('its worker does not verify');
    }

    /** Finds how many calls a sample needs to last long enough. */
    private function pilot(): int
    {
        $times = 1;
        $seconds = $this->seconds($times);
        while ($seconds < $this->effort->sample && $this->spent < $this->effort->budgetPerRound() / 2) {
            $times = \min(16 * $times, (int) \ceil($times * 1.2 * $this->effort->sample / \max($seconds, 1e-9)));
            $seconds = $this->seconds($times);
        }

        return $times;
    }

    /**
     * Returns how long so many calls last. If another process had the processor meanwhile, they run again: on a busy
     * machine a single call of 100 ns would else last long enough for a sample.
     */
    private function seconds(int $times): float
    {
        $took = $this->time($times);
        $isInterrupted = $took['wall'] / 1e9 >= $this->effort->sample && $took['cpu'] < $took['wall'] / self::WAIT;

        return \min($took['wall'], $isInterrupted ? $this->time($times)['wall'] : \INF) / 1e9;
    }

    /**
     * Lets caches, compilers and the branch predictor see the work. Processor time counts, since on a busy machine the
     * worker gets little of the time of day. A contestant that only waits is stopped by the clock.
     */
    private function warmUp(int $times, float $seconds): void
    {
        $seconds = \min($seconds, self::WARM_UP_PER_BUDGET * $this->effort->budgetPerRound());
        $this->spent = $cpu = 0.0;
        while ($cpu < $seconds && $this->spent < self::WAIT * $seconds) {
            $cpu += $this->time($times)['cpu'] / 1e9;
        }
    }

    /** Returns what an empty call costs in nanoseconds: the least of three, since noise only adds. */
    private function emptyCall(): float
    {
        $least = \INF;
        for ($i = 0; $i < 3; ++$i) {
            $took = $this->connection->ask(['do' => 'empty', 'times' => self::EMPTY_CALLS], 1.0);
            $least = \min($least, $this->number($took, $this->effort->clock) / self::EMPTY_CALLS);
        }

        return $least;
    }

    /** @return array{wall: float, cpu: float} */
    private function time(int $times): array
    {
        $took = $this->connection->ask(['do' => 'run', 'times' => $times], 3 * $this->effort->budgetPerRound());
        $wall = $this->number($took, 'wall');
        $this->spent += $wall / 1e9;

        return ['wall' => $wall, 'cpu' => $this->number($took, 'cpu')];
    }

    /** @param array<string, mixed> $answer */
    private function number(array $answer, string $name): float
    {
        $number = $answer[$name] ?? null;

        return \is_int($number) || \is_float($number) ? (float) $number : throw new Fault("its worker does not say the time \"{$name}\"");
    }
}
