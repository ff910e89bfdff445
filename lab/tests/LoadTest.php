<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests;

use PHPUnit\Framework\TestCase;
use Polypack\Lab\Command\SerializeCommand;
use Polypack\Lab\Measure\Load;
use Polypack\Lab\Paths;
use Polypack\Lab\Report\Result;
use Symfony\Component\Console\Application;
use Symfony\Component\Console\Tester\ApplicationTester;

/** The machine's load is given, so no machine has to be busy. */
final class LoadTest extends TestCase
{
    private const COMMENT = ': trust ratios and their intervals, not times.';

    public function testAnIdleMachineIsNotMentioned(): void
    {
        $run = self::measure(static fn(): float => 2.9);

        self::assertStringNotContainsString('busy', $run['error']);
        self::assertNull($run['result']->busy());
        self::assertSame([2.9, 2.9], \array_values($run['result']->rows()[0]['load'] ?? []));
    }

    public function testAMachineThatIsBusyAtFirstOnlyIsSaidToBe(): void
    {
        $looks = 0;
        $run = self::measure(static function () use (&$looks): float {
            return ++$looks === 1 ? 7.5 : 0.5;
        });

        self::assertStringContainsString('The machine is busy before the run (load 7.5 on 2 cores).', $run['error']);
        self::assertStringNotContainsString('was busy in', $run['error']);
    }

    public function testAMachineThatIsBusyInTheMiddleIsSaidToBeWithTheRound(): void
    {
        // A look before the run, then one before and one after each of two launches in each of two rounds.
        $looks = 0;
        $run = self::measure(static function () use (&$looks): float {
            return ++$looks === 7 ? 4.0 : 0.5;
        });

        self::assertSame(9, $looks);
        $said = 'The machine was busy in round 2 (1 of 2 launches, load up to 4.0) on 2 cores' . self::COMMENT;
        self::assertStringContainsString($said, $run['error']);
        self::assertStringNotContainsString('before the run', $run['error']);
        self::assertSame($said, $run['result']->busy());
    }

    public function testEveryBusyRoundIsNamed(): void
    {
        $load = new Load(static fn(): float => 0.0, 4);

        self::assertSame(
            'The machine was busy in round 1 (1 of 2 launches, load up to 6.1), round 3 (2 of 2 launches, load up to 9.0) on 4 cores' . self::COMMENT,
            $load->during([[0 => 6.1, 1 => 6.0, 2 => 7.0], [0 => 0.0, 1 => 0.0, 2 => 9.0]]),
        );
        self::assertNull($load->during([[0 => 6.0]]));
    }

    /**
     * @param \Closure(): float $read
     *
     * @return array{error: string, result: Result}
     */
    private static function measure(\Closure $read): array
    {
        $application = new Application();
        $application->setAutoExit(false);
        $application->addCommands([new SerializeCommand(new Load($read, 2))]);
        $tester = new ApplicationTester($application);
        $json = Paths::build('load.json');
        $options = ['--only' => ['serialize()', 'json_encode()'], '--json' => $json] + Lab::QUICK;
        self::assertSame(0, $tester->run(['command' => 'serialize'] + $options, ['capture_stderr_separately' => true]));

        return ['error' => $tester->getErrorOutput(true), 'result' => Result::read($json)];
    }
}
