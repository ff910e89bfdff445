<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests;

use PHPUnit\Framework\TestCase;
use Polypack\Lab\Measure\Statistics;
use Random\Engine\Mt19937;
use Random\Randomizer;

final class StatisticsTest extends TestCase
{
    public function testTheMedianOfAnEvenNumberLiesBetween(): void
    {
        self::assertSame(2.5, Statistics::median([4.0, 1.0, 3.0, 2.0]));
        self::assertSame(3.0, Statistics::median([9.0, 1.0, 3.0]));
    }

    public function testARatioComparesWithinARound(): void
    {
        // The machine became ten times slower after the first round; the ratio is 2 in each.
        $ratio = Statistics::ratio([0 => [2.0, 2.0], 1 => [20.0, 20.0]], [0 => [1.0, 1.0], 1 => [10.0, 10.0]], 1);
        self::assertSame(['median' => 2.0, 'low' => 2.0, 'high' => 2.0], $ratio);
    }

    public function testOneOutlierDoesNotMoveARatio(): void
    {
        $ratio = Statistics::ratio([[2.0, 2.0, 500.0], [2.0, 2.0, 2.0], [2.0, 2.0, 2.0]], [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]], 1);
        self::assertSame(2.0, $ratio['median'] ?? null);
    }

    public function testTwoWhoMeasureAlikeHaveAnIntervalWithOneInIt(): void
    {
        $ratio = Statistics::ratio(self::noisy(100.0, 1), self::noisy(100.0, 2), 1);
        self::assertNotNull($ratio);
        self::assertLessThan(1.0, $ratio['low']);
        self::assertGreaterThan(1.0, $ratio['high']);
    }

    public function testADifferenceBeyondTheNoiseIsSeen(): void
    {
        $ratio = Statistics::ratio(self::noisy(150.0, 1), self::noisy(100.0, 2), 1);
        self::assertNotNull($ratio);
        self::assertGreaterThan(1.3, $ratio['low']);
        self::assertLessThan(1.7, $ratio['high']);
    }

    public function testTheSameSamplesAndSeedGiveTheSameInterval(): void
    {
        self::assertSame(Statistics::estimate(self::noisy(100.0, 1), 7), Statistics::estimate(self::noisy(100.0, 1), 7));
    }

    public function testThereIsNoRatioWithoutASharedRound(): void
    {
        self::assertNull(Statistics::ratio([0 => [1.0]], [1 => [1.0]], 1));
    }

    /** @return non-empty-list<non-empty-list<float>> five rounds of twenty samples, within a tenth around the value */
    private static function noisy(float $around, int $seed): array
    {
        $random = new Randomizer(new Mt19937($seed));
        $sample = static fn(): float => $around * $random->getInt(900, 1100) / 1000;

        return \array_map(static fn(): array => \array_map($sample, \range(1, 20)), \range(1, 5));
    }
}
