<?php

declare(strict_types=1);

namespace Polypack\Lab\Command;

use Polypack\Lab\Contestant\Entry;
use Polypack\Lab\Contestant\Roster;
use Polypack\Lab\Measure\Cell;
use Polypack\Lab\Payload\Scenario;
use Polypack\Lab\Refusal;
use Polypack\Lab\Report\Tables;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('run', 'Compare every format, language and size')]
final class RunCommand extends MeasuringCommand
{
    protected const COUNTS = '1,10,100,1000,10000';

    protected const BUDGET = '2';

    /** What --quick puts in place of what wasn't said. */
    private const QUICK = ['scenario' => ['person', 'rows'], 'batch-count' => '100', 'samples' => '20', 'budget' => '1'];

    /**
     * How the names of contestants end that --quick leaves out unless they are named: other ways to use a library, and
     * other hosts.
     */
    private const NOT_QUICK = [
        'records', 'shared records', 'extension type', 'transformer', 'append', 'Codec append', 'generated', 'generated append', 'zero-copy',
        'compact', 'no addon', 'no eval', 'browser', 'Chromium', 'Chromium no eval',
    ];

    protected function configure(): void
    {
        parent::configure();
        $this
            ->addOption('scenario', null, InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, 'person, order, rows, countries (the default), one of the benches such as api1000, or lists, streams, payloads, small, documents, shapes, values, objects, js, unfriendly, go, columns for several; may be repeated')
            ->addOption('operation', null, InputOption::VALUE_REQUIRED, 'serialize, deserialize or both', 'both')
            ->addOption('quick', null, InputOption::VALUE_NONE, 'Two scenarios, a hundred objects, few samples, each library in its usual way and host');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        if ($input->getOption('quick') === true) {
            foreach (self::QUICK as $name => $value) {
                if (!$input->hasParameterOption(["--{$name}", ...($name === 'samples' ? ['-s'] : []), ...($name === 'batch-count' ? ['-b'] : [])])) {
                    $input->setOption($name, $value);
                }
            }
        }
        $options = new Options($input);
        $scenarios = $this->scenarios($options);
        $operation = $options->oneOf('operation', ['serialize', 'deserialize', 'both']);
        $operations = $operation === 'both' ? ['serialize', 'deserialize'] : [$operation];
        $roster = Roster::load($options->list('contestant'), $options->php(), languages: true);
        $entries = $roster->choose($options->list('only'), $options->list('exclude'));
        if ($input->getOption('quick') === true && $options->list('only') === []) {
            $entries = \array_values(\array_filter($entries, static fn(Entry $entry): bool => !\in_array(\ltrim((string) \strrchr($entry->name, ','), ', '), self::NOT_QUICK, true)));
        }
        $cells = $this->cells($entries, $scenarios, $operations, $options->ints('batch-count', 1, 1_000_000));
        if ($cells === []) {
            throw new Refusal('nobody is left who can do this; lab vendors says who can what');
        }
        $baseline = $roster->find($options->text('baseline') ?? '');
        if (!\in_array($baseline, \array_map(static fn(Cell $cell): Entry => $cell->entry, $cells), true)) {
            $baseline = $cells[0]->entry;
        }
        $names = \array_map(static fn(Scenario $scenario): string => $scenario->value, $scenarios);
        $entries = \array_values(\array_filter($entries, static fn(Entry $entry): bool => \array_intersect($names, $entry->scenarios) !== []));
        $result = $this->measure($cells, $entries, $baseline, $options, $input, $output);
        $order = \array_map(static fn(Entry $entry): string => $entry->slug, $entries);
        foreach ($scenarios as $scenario) {
            foreach ($operations as $operation) {
                $output->writeln("\n<info>{$scenario->value}, {$operation}</info>: {$scenario->describe()}");
                foreach ($entries as $entry) {
                    if (\in_array($scenario->value, $entry->scenarios, true) && isset($entry->cannot[$operation])) {
                        $output->writeln(OutputFormatter::escape("{$entry->name} takes no part: {$entry->cannot[$operation]}"));
                    }
                }
                (new Tables($result, $output))->print($scenario->value, $operation, $order);
            }
        }

        return $this->exitCode();
    }

    /** @return list<Scenario> */
    private function scenarios(Options $options): array
    {
        $groups = Scenario::groups();
        $names = $options->list('scenario');
        $scenarios = [];
        foreach ($names === [] ? Scenario::LISTS : $names as $wanted) {
            foreach ($groups[$wanted] ?? [$wanted] as $name) {
                $scenario = Scenario::tryFrom($name)
                    ?? throw new Refusal("--scenario {$name}: one of " . \implode(', ', [...\array_keys($groups), ...\array_merge(...\array_values($groups))]) . ' is wanted');
                if ($scenario->missing() === null) {
                    $scenarios[$name] = $scenario;
                } elseif ($wanted === $name && $names !== []) {
                    throw new Refusal("--scenario {$name}: {$scenario->missing()}");
                }
            }
        }

        return \array_values($scenarios);
    }
}
