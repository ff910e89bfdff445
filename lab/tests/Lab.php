<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests;

use PHPUnit\Framework\Assert;
use Polypack\Lab\Application;
use Polypack\Lab\Measure\Cell;
use Polypack\Lab\Measure\Connection;
use Polypack\Lab\Measure\Effort;
use Polypack\Lab\Measure\Fault;
use Polypack\Lab\Paths;
use Polypack\Lab\Payload\Scenario;
use Symfony\Component\Console\Tester\ApplicationTester;

/** Runs the lab's commands as a user does, and measures as little as it lets. */
final class Lab
{
    /** Options of a run that takes seconds. Patience is long, since the machine may be busy with much else. */
    public const QUICK = ['--samples' => '4', '--rounds' => '2', '--budget' => '0.05', '--patience' => '120'];

    private const SEED = 3;

    /** Elements of a column: just more than a head of 16 bits can say. */
    private const COLUMN = 70_000;

    public static function effort(): Effort
    {
        return new Effort(samples: 2, rounds: 1, budget: 0.02, patience: 120.0, sample: 0.0001);
    }

    /**
     * Makes the data of a scenario as workers get it, once. A column of a million values is cut.
     *
     * @return array{file: string, digest: string, seed: int}
     */
    public static function data(Scenario $scenario, int $count): array
    {
        static $digests = [];
        $file = Paths::build("data/test-{$scenario->value}-{$count}.json");
        if (!isset($digests[$file])) {
            $bytes = $scenario->data($count, self::SEED);
            if (\in_array($scenario->value, Scenario::COLUMNS, true)) {
                // No value has a comma or a bracket in it.
                $bytes = \implode(',', \array_slice(\explode(',', $bytes, self::COLUMN + 1), 0, self::COLUMN)) . \strrchr($bytes, ']');
            }
            Paths::write($file, $bytes);
            $digests[$file] = \hash('sha256', $bytes);
        }

        return ['file' => $file, 'digest' => $digests[$file], 'seed' => self::SEED];
    }

    /**
     * Lets one process do all cells of a contestant, since a start for each takes most of the time. Then the last one
     * is timed and verified again, as a launch does it.
     *
     * @param list<Cell> $cells
     *
     * @return array<string, mixed> what the worker says of the memory of the last one
     */
    public static function verify(array $cells): array
    {
        Assert::assertNotSame([], $cells);
        $entry = $cells[0]->entry;
        $connection = new Connection($entry->command, self::effort()->patience);
        /** @param array<string, mixed> $more */
        $ask = static function (string $what, Cell $cell, array $more = []) use ($connection): array {
            try {
                return $connection->ask(['do' => $what] + $more);
            } catch (Fault $fault) {
                Assert::fail("{$cell->id()}: {$fault->getMessage()}");
            }
        };
        foreach ($cells as $cell) {
            $data = self::data($cell->scenario, $cell->count);
            $request = [
                'scenario' => $cell->scenario->value, 'operation' => $cell->operation, 'data' => $data['file'],
                'digest' => $data['digest'], 'count' => $cell->count, 'seed' => $data['seed'], 'out' => Paths::build('out/test'), 'cache' => Paths::make(Paths::build("cache/{$entry->slug}")),
            ];
            Assert::assertGreaterThan(0, $ask('prepare', $cell, $request + $entry->prepare)['bytes'], $cell->id());
            Assert::assertArrayHasKey('fault', $ask('verify', $cell, ['when' => 'before']), $cell->id());
        }
        $last = $cells[\count($cells) - 1];
        foreach (['run', 'empty'] as $what) {
            Assert::assertArrayHasKey('cpu', $ask($what, $last, ['times' => 3]), $last->id());
        }
        Assert::assertArrayHasKey('fault', $ask('verify', $last, ['when' => 'after']), $last->id());
        $memory = $ask('memory', $last);
        Assert::assertArrayHasKey('fault', $ask('verify', $last, ['when' => 'last']), $last->id());
        $connection->close();

        return $memory;
    }

    public static function contestant(string $name): string
    {
        return __DIR__ . "/contestants/{$name}.php";
    }

    /**
     * @param array<string, mixed> $input
     *
     * @return array{code: int, output: string, error: string}
     */
    public static function run(string $command, array $input): array
    {
        $application = new Application();
        $application->setAutoExit(false);
        $tester = new ApplicationTester($application);
        $code = $tester->run(['command' => $command] + $input, ['capture_stderr_separately' => true]);

        return ['code' => $code, 'output' => $tester->getDisplay(true), 'error' => $tester->getErrorOutput(true)];
    }
}
