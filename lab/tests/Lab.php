<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests;

use Polypack\Lab\Application;
use Polypack\Lab\Measure\Effort;
use Symfony\Component\Console\Tester\ApplicationTester;

/** Runs the lab's commands as a user does, and measures as little as it lets. */
final class Lab
{
    /** Options of a run that takes seconds. Patience is long, since the machine may be busy with much else. */
    public const QUICK = ['--samples' => '4', '--rounds' => '2', '--budget' => '0.05', '--patience' => '120'];

    public static function effort(): Effort
    {
        return new Effort(samples: 2, rounds: 1, budget: 0.02, patience: 120.0, sample: 0.0001);
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
