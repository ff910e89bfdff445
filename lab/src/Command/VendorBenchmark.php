<?php

declare(strict_types=1);

namespace Polypack\Lab\Command;

use Polypack\Lab\Contestant\Entry;
use Polypack\Lab\Contestant\Vendor;
use Polypack\Lab\Payload\Scenario;
use Polypack\Lab\Refusal;
use Polypack\Lab\Report\Tables;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** The seed's two commands: one operation, the vendors in PHP, one class. */
abstract class VendorBenchmark extends MeasuringCommand
{
    /** @return 'serialize'|'deserialize' */
    abstract protected function operation(): string;

    protected function configure(): void
    {
        parent::configure();
        $this->addOption('scenario', null, InputOption::VALUE_REQUIRED, 'person, as the seed has it, or order', 'person');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $options = new Options($input);
        $scenario = Scenario::from($options->oneOf('scenario', ['person', 'order']));
        $counts = $options->ints('batch-count', 1, 1_000_000);
        $roster = $this->roster($options);
        $roster->choose($options->list('only'), $options->list('exclude'));
        $baseline = $options->text('baseline') ?? '';
        $roster->find($baseline);
        if ($this->installOnce($output)) {
            $roster = $this->roster($options);
        }
        $entries = \array_values(\array_filter(
            $roster->choose($options->list('only'), $options->list('exclude')),
            static fn(Entry $entry): bool => $entry->language === 'PHP' && \in_array($scenario->value, $entry->scenarios, true),
        ));
        $cells = $this->cells($entries, [$scenario], [$this->operation()], $counts);
        if ($cells === []) {
            throw new Refusal("nobody is left to {$this->operation()} {$scenario->value}; lab vendors says who can");
        }
        $baseline = $roster->find($baseline);
        if (!\in_array($baseline, $entries, true) || $baseline->missing !== null) {
            $baseline = $cells[0]->entry;
        }
        $output->writeln(\sprintf("Performing %s samples of %s, %s objects each\n", $options->text('samples'), $this->operation(), \implode(', ', $counts)));
        $result = $this->measure($cells, $entries, $baseline, $options, $input, $output);
        (new Tables($result, $output))->print($scenario->value, $this->operation(), \array_map(static fn(Entry $entry): string => $entry->slug, $entries));

        return $this->exitCode();
    }

    /** Installs the vendors' packages before the first run, and remembers what can't be had. Tells whether it tried. */
    private function installOnce(OutputInterface $output): bool
    {
        $new = \array_filter(Vendor::all(), static fn(Vendor $vendor): bool => !$vendor->isSettled());
        if ($new !== []) {
            VendorsCommand::install(\array_values($new), [], $output);
        }

        return $new !== [];
    }
}
