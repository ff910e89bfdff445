<?php

declare(strict_types=1);

namespace Polypack\Lab\Measure;

use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/** Medians, and intervals by the bootstrap: what would come out if the same had been measured again. */
final class Statistics
{
    public const RESAMPLES = 1000;

    /** @param non-empty-list<float> $values */
    public static function median(array $values): float
    {
        \sort($values);
        $middle = \intdiv(\count($values), 2);

        return \count($values) % 2 === 1 ? $values[$middle] : ($values[$middle - 1] + $values[$middle]) / 2;
    }

    /**
     * Returns the median of the rounds' medians with its 95 % interval.
     *
     * @param non-empty-array<int, non-empty-list<float>> $rounds samples by round
     *
     * @return array{median: float, low: float, high: float}
     */
    public static function estimate(array $rounds, int $seed): array
    {
        return self::interval(
            self::median(\array_values(\array_map(self::median(...), $rounds))),
            static fn(array $chosen, Randomizer $random): float => self::median(\array_map(static fn(int $round): float => self::median(self::resample($rounds[$round], $random)), $chosen)),
            \array_keys($rounds),
            $seed,
        );
    }

    /**
     * Returns the median of the rounds' ratios with its 95 % interval. Both times of a ratio are from one round, when
     * the machine was in one state. Rounds are resampled, and the samples within each.
     *
     * @param array<int, non-empty-list<float>> $of
     * @param array<int, non-empty-list<float>> $to
     *
     * @return array{median: float, low: float, high: float}|null null if they share no round
     */
    public static function ratio(array $of, array $to, int $seed): ?array
    {
        $shared = \array_keys(\array_intersect_key($of, $to));
        if ($shared === []) {
            return null;
        }
        if ($of === $to) {
            return ['median' => 1.0, 'low' => 1.0, 'high' => 1.0];
        }
        $divide = static fn(float $a, float $b): float => $b > 0.0 ? $a / $b : ($a > 0.0 ? \INF : 1.0);

        return self::interval(
            self::median(\array_map(static fn(int $round): float => $divide(self::median($of[$round]), self::median($to[$round])), $shared)),
            static fn(array $chosen, Randomizer $random): float => self::median(\array_map(
                static fn(int $round): float => $divide(self::median(self::resample($of[$round], $random)), self::median(self::resample($to[$round], $random))),
                $chosen,
            )),
            $shared,
            $seed,
        );
    }

    /**
     * @param \Closure(non-empty-list<int>, Randomizer): float $once
     * @param non-empty-list<int>                               $rounds
     *
     * @return array{median: float, low: float, high: float}
     */
    private static function interval(float $median, \Closure $once, array $rounds, int $seed): array
    {
        $random = new Randomizer(new Xoshiro256StarStar($seed));
        $found = [];
        for ($i = 0; $i < self::RESAMPLES; ++$i) {
            $found[] = $once(self::resample($rounds, $random), $random);
        }
        \sort($found);

        return [
            'median' => $median,
            'low' => \min($median, $found[(int) (0.025 * self::RESAMPLES)]),
            'high' => \max($median, $found[(int) (0.975 * self::RESAMPLES) - 1]),
        ];
    }

    /**
     * @template T
     *
     * @param non-empty-list<T> $values
     *
     * @return non-empty-list<T> as many, drawn with replacement
     */
    private static function resample(array $values, Randomizer $random): array
    {
        $last = \count($values) - 1;
        $drawn = [];
        foreach ($values as $_) {
            $drawn[] = $values[$random->getInt(0, $last)];
        }

        return $drawn;
    }
}
