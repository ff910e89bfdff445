<?php

declare(strict_types=1);

namespace Polypack\Lab\Command;

use Polypack\Lab\Contestant\Entry;
use Polypack\Lab\Contestant\Roster;
use Polypack\Lab\Measure\Cell;
use Polypack\Lab\Measure\Effort;
use Polypack\Lab\Measure\Journal;
use Polypack\Lab\Measure\Load;
use Polypack\Lab\Measure\Runner;
use Polypack\Lab\Paths;
use Polypack\Lab\Payload\Scenario;
use Polypack\Lab\Report\Result;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Command\SignalableCommandInterface;
use Symfony\Component\Console\Helper\ProgressBar;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/** What all commands share that measure: options, progress, interruption, and where results go. */
abstract class MeasuringCommand extends Command implements SignalableCommandInterface
{
    public const INTERRUPTED = 130;

    /** What --batch-count and --budget are unless told. */
    protected const COUNTS = '1', BUDGET = '5';

    private ?Runner $runner = null;

    public function __construct(private readonly ?Load $load = null)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        $value = InputOption::VALUE_REQUIRED;
        $many = $value | InputOption::VALUE_IS_ARRAY;
        $this
            ->addOption('samples', 's', $value, 'How many samples to take of a cell, spread over its processes', '100')
            ->addOption('batch-count', 'b', $value, 'How many objects a sample processes; several with commas: 10,100,1000,10000', static::COUNTS)
            ->addOption('exclude', 'e', $many, 'Leave a vendor out')
            ->addOption('only', 'o', $many, 'Take these vendors and no others')
            ->addOption('contestant', 'c', $many, 'A file with a contestant of your own')
            ->addOption('baseline', null, $value, 'Whom ratios are to', 'json_encode()')
            ->addOption('rounds', 'r', $value, 'How many processes to start for a cell; below 5 tables have no intervals', (string) Effort::ENOUGH_ROUNDS)
            ->addOption('budget', null, $value, 'Seconds for all samples of a cell', static::BUDGET)
            ->addOption('patience', null, $value, 'Seconds that a contestant may be silent before it counts as hanging', '30')
            ->addOption('memory', null, $value, 'What a contestant in PHP may take at most', '1G')
            ->addOption('mode', null, $value, 'How PHP runs: plain, opcache, jit (tracing) or jit-function', 'opcache')
            ->addOption('provenance', null, $value, 'What makes strings and arrays of the data in PHP: built (the code that makes the data), json or unserialize', 'json')
            ->addOption('clock', null, $value, 'cpu: time of the processor; wall: time of day', 'cpu')
            ->addOption('seed', null, $value, 'Of the data, the order and the bootstrap', '1')
            ->addOption('resume', null, InputOption::VALUE_NONE, 'Go on where the same command was interrupted')
            ->addOption('json', null, $value, 'Write the result with all samples to this file')
            ->addOption('csv', null, $value, 'Write all samples to this file');
    }

    protected function roster(Options $options): Roster
    {
        return Roster::load($options->list('contestant'), $options->php());
    }

    /**
     * @param list<Entry>    $entries
     * @param list<Scenario> $scenarios
     * @param list<string>   $operations
     * @param list<int>      $counts
     *
     * @return list<Cell> of those that can do it here
     */
    protected function cells(array $entries, array $scenarios, array $operations, array $counts): array
    {
        $cells = [];
        foreach ($scenarios as $scenario) {
            foreach ($operations as $operation) {
                foreach ($scenario->isList() ? $counts : [1] as $count) {
                    foreach ($entries as $entry) {
                        if ($entry->missing === null && $entry->canDo($scenario->value, $operation)) {
                            $cells[] = new Cell($entry, $scenario, $operation, $count);
                        }
                    }
                }
            }
        }

        return $cells;
    }

    /**
     * Measures, shows progress, and keeps what was measured even if somebody interrupts.
     *
     * @param list<Cell>  $cells
     * @param list<Entry> $entries those that were wanted, missing ones too
     */
    protected function measure(array $cells, array $entries, Entry $baseline, Options $options, InputInterface $input, OutputInterface $output): Result
    {
        $php = $options->php();
        $php->refuseOtherMode();
        $runner = $this->runner = new Runner($cells, $options->effort(), $options->int('seed', 0, 999_999_999), $this->load, $php);
        $subject = $runner->subject();
        $what = \substr(\md5(\json_encode([$this->getName(), $subject['cells'], $subject['effort'], $runner->seed], \JSON_THROW_ON_ERROR)), 0, 12);
        $file = Paths::build("runs/{$this->getName()}-{$what}.jsonl");
        $journal = $input->getOption('resume') === true ? Journal::resume($file, $subject) : Journal::start($file, $subject);

        $error = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        if ($journal->count() > 0) {
            $error->writeln("resumed: {$journal->count()} of {$runner->launches()} launches are kept");
        }
        $busy = $runner->load->atFirst();
        if ($busy !== null) {
            $error->writeln("<comment>{$busy}</comment>");
        }
        $bar = new ProgressBar($error, $runner->launches(), 0.1);
        $bar->setFormat(' %current%/%max% [%bar%] %percent:3s%%  %remaining:6s% left  %message%');
        $bar->setMessage('');
        $bar->minSecondsBetweenRedraws($error->isDecorated() ? 0.04 : 10);
        $bar->start();
        $runner->run(
            $journal,
            static function (Cell $cell, int $round) use ($bar, $error): void {
                $bar->setMessage("{$cell->entry->name}, {$cell->count} of {$cell->scenario->value}, process " . ($round + 1));
                if ($error->isDecorated()) {
                    $bar->display();
                }
            },
            static fn() => $bar->advance(),
        );
        $bar->setMessage('');
        $runner->interrupted ? $bar->display() : $bar->finish();
        $error->writeln('');
        if ($runner->interrupted) {
            $error->writeln("<comment>Interrupted: {$journal->count()} of {$runner->launches()} launches are kept. The same command with --resume goes on.</comment>");
        }

        $result = Result::of($runner, $journal, $baseline)->withMissing(\array_values(\array_filter($entries, static fn(Entry $entry): bool => $entry->missing !== null)));
        if ($result->busy() !== null) {
            $error->writeln("<comment>{$result->busy()}</comment>");
        }
        foreach (['json' => $result->json(...), 'csv' => $result->csv(...)] as $name => $make) {
            $target = $options->text($name);
            if ($target !== null) {
                Paths::write($target, $make());
                $error->writeln("{$name}: {$target}");
            }
        }
        Paths::write(Paths::build('latest.json'), $result->json());

        return $result;
    }

    /** Tells the exit code: 0 whatever contestants did wrong, since their rows say so. */
    protected function exitCode(): int
    {
        return $this->runner?->interrupted === true ? self::INTERRUPTED : self::SUCCESS;
    }

    /** @return list<int> */
    public function getSubscribedSignals(): array
    {
        return \defined('SIGINT') ? [\SIGINT, \SIGTERM] : [];
    }

    public function handleSignal(int $signal, int|false $previousExitCode = 0): int|false
    {
        if ($this->runner === null || $this->runner->interrupted) {
            return self::INTERRUPTED;
        }
        $this->runner->interrupted = true;

        return false;
    }
}
