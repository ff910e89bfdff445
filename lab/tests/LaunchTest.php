<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Lab\Contestant\Entry;
use Polypack\Lab\Measure\Cell;
use Polypack\Lab\Measure\Effort;
use Polypack\Lab\Measure\Launch;
use Polypack\Lab\Paths;
use Polypack\Lab\Payload\Scenario;

/** How often a launch calls and how long it warms up, with a worker that says what times it likes. */
final class LaunchTest extends TestCase
{
    /** Runs that are no warm-up: the pilot's and that of the only sample. */
    private const OTHERS = 2;

    /** @return iterable<string, array{string, int, int, float, int}> language, nanoseconds, budget, runs */
    public static function warmUps(): iterable
    {
        yield 'an idle machine' => ['PHP', 21_000_000, 21_000_000, 1.0, 5];
        yield 'a busy machine: the time of the processor counts' => ['PHP', 60_000_000, 21_000_000, 1.0, 5];
        yield 'V8 takes longer' => ['JavaScript', 60_000_000, 21_000_000, 1.0, 24];
        yield 'a budget of less than the warm-up' => ['JavaScript', 60_000_000, 21_000_000, 0.2, 24];
        yield 'a budget of much less' => ['JavaScript', 21_000_000, 21_000_000, 0.01, 2];
        yield 'a contestant that only waits, whose pilot runs twice' => ['PHP', 60_000_000, 0, 1.0, 10];
    }

    #[DataProvider('warmUps')]
    public function testItWarmsUpForSoLong(string $language, int $wall, int $cpu, float $budget, int $runs): void
    {
        $launch = self::measure($language, (string) $wall, (string) $cpu, $budget);

        self::assertSame(self::OTHERS + $runs, $launch['memory']);
    }

    public function testACallDuringWhichTheProcessorWasTakenAwayIsNoSample(): void
    {
        $launch = self::measure('PHP', '60000000,1000,21000000', '1000,1000,21000000', 1.0);

        self::assertSame(16, $launch['times']);
    }

    /** @return array<string, mixed> */
    private static function measure(string $language, string $wall, string $cpu, float $budget): array
    {
        $command = [\PHP_BINARY, __DIR__ . '/contestants/_stub-worker.php', $wall, $cpu];
        $entry = new Entry('stub', 'Stub', $language, 'json', ['rows'], '–', '–', '–', $command, [], __FILE__);
        $effort = new Effort(samples: 1, rounds: 1, budget: $budget, patience: 120.0);
        $data = ['file' => __FILE__, 'digest' => '', 'seed' => 1];
        $launch = Launch::measure(new Cell($entry, Scenario::Rows, 'serialize', 1), $effort, $data, Paths::build('out/stub'), '');
        self::assertNull($launch['fault'] ?? null);

        return $launch;
    }
}
