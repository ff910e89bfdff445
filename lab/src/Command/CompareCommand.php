<?php

declare(strict_types=1);

namespace Polypack\Lab\Command;

use Polypack\Lab\Contestant\PhpSettings;
use Polypack\Lab\Measure\Effort;
use Polypack\Lab\Refusal;
use Polypack\Lab\Report\Beside;
use Polypack\Lab\Report\Ratios;
use Polypack\Lab\Report\Result;
use Polypack\Lab\Report\Tables;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Helper\Table;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/**
 * Compares the ratios of two runs. A ratio got worse if its interval lies above the old one by more than the tolerance,
 * so noise alone is no regression; a contestant that no longer is verified is one. A bench of the PHP library can stand
 * in place of the old run.
 *
 * @phpstan-import-type Ratio from Ratios
 */
#[AsCommand('compare', 'Compare two runs, or a bench and a run; exit code 1 if a ratio got worse, or differs')]
final class CompareCommand extends Command
{
    public const WORSE = 1;

    protected function configure(): void
    {
        $this
            ->addArgument('old', InputArgument::REQUIRED, 'What lab run --json wrote before, or the ratios of php/bench/compare.php')
            ->addArgument('new', InputArgument::REQUIRED, 'What it wrote now')
            ->addOption('only', 'o', InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, 'Judge these contestants and no others')
            ->addOption('tolerance', null, InputOption::VALUE_REQUIRED, 'Percent that a ratio may get worse beyond its interval', '5')
            ->addOption('mode', null, InputOption::VALUE_REQUIRED, 'Of a bench: whose ratios to take, the mode of PHP or, of snapshots, where strings come from; default: as in the run');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $options = new Options($input);
        $tolerance = 1 + $options->int('tolerance', 0, 1000) / 100;
        $ratios = Ratios::read((string) $options->argument('old'));
        if ($ratios !== null) {
            return $this->beside($ratios, $options, $tolerance, $output);
        }
        [$old, $new] = [Result::read((string) $options->argument('old')), Result::read((string) $options->argument('new'))];
        if ($old->document['baseline'] !== $new->document['baseline']) {
            throw new Refusal('the two runs have different baselines; their ratios can not be compared');
        }
        if ($old->document['data'] !== $new->document['data']) {
            throw new Refusal('the two runs measured different data; run both with the same --seed, scenarios and counts');
        }
        self::warn($output, $old, $new);
        $before = [];
        foreach ($old->rows() as $row) {
            $before[self::id($row)] = $row;
        }
        $only = $options->list('only');
        $lines = [];
        $worse = 0;
        foreach ($new->rows() as $row) {
            if (!isset($before[self::id($row)]) || ($only !== [] && \array_intersect($only, [$row['contestant'], $new->name($row['contestant'])]) === [])) {
                continue;
            }
            [$verdict, $line] = self::judge($before[self::id($row)], $row, $tolerance);
            $worse += $verdict === 'worse' ? 1 : 0;
            if ($verdict !== 'same' || $output->isVerbose()) {
                $lines[] = [OutputFormatter::escape($new->name($row['contestant'])), "{$row['scenario']} × {$row['count']}", $row['operation'], ...$line, $verdict];
            }
        }
        if ($lines !== []) {
            (new Table($output))->setStyle('box')->setHeaders(['contestant', 'data', 'operation', 'ratio before', 'ratio now', 'verdict'])->setRows($lines)->render();
        }
        $judged = \count(\array_intersect_key($before, \array_flip(\array_map(self::id(...), $new->rows()))));
        $output->writeln("{$judged} cells are in both runs; {$worse} got worse. Ratios are times {$new->name((string) $new->document['baseline'])}: less is better.");
        if ($judged === 0) {
            throw new Refusal('the two runs have no cell in common');
        }

        return $worse > 0 ? self::WORSE : self::SUCCESS;
    }

    /** @param list<Ratio> $ratios */
    private function beside(array $ratios, Options $options, float $tolerance, OutputInterface $output): int
    {
        $result = Result::read((string) $options->argument('new'));
        self::warn($output, $result);
        $mode = $options->text('mode') === null ? null : $options->oneOf('mode', [...PhpSettings::MODES, ...PhpSettings::PROVENANCES]);
        $only = $options->list('only');
        $lines = [];
        $differ = 0;
        $show = static fn(float $middle, float $low, float $high): string => Tables::ratio($middle) . ' (' . Tables::ratio($low) . '–' . Tables::ratio($high) . ')';
        foreach (Beside::pairs($ratios, $mode, $result, $tolerance) as [$payload, $operation, $peer, $bench, $lab, $agrees]) {
            if ($only !== [] && \array_intersect($only, [$peer, $result->name($peer)]) === []) {
                continue;
            }
            $differ += $agrees ? 0 : 1;
            $lines[] = [
                $payload, $operation, OutputFormatter::escape($result->name($peer)), $show((float) $bench['ratio'], (float) $bench['low'], (float) $bench['high']),
                $show($lab['median'], $lab['low'], $lab['high']), \sprintf('%.2f', $lab['median'] / $bench['ratio']), $agrees ? 'same' : 'differs',
            ];
        }
        (new Table($output))->setStyle('box')->setHeaders(['payload', 'operation', 'peer', 'bench', 'lab', 'lab / bench', 'verdict'])->setRows($lines)->render();
        $output->writeln(\count($lines) . " ratios are in both; {$differ} differ. A ratio is the peer's time, times ours: more is better.");

        return $differ > 0 ? self::WORSE : self::SUCCESS;
    }

    private static function warn(OutputInterface $output, Result $run, Result ...$more): void
    {
        $least = \min(\array_map(static fn(Result $result): int => $result->processes(), [$run, ...\array_values($more)]));
        if ($least < Effort::ENOUGH_ROUNDS) {
            $output->writeln(\sprintf('<comment>A cell had %d processes only: below %d, no interval is to be trusted, nor a verdict.</comment>', $least, Effort::ENOUGH_ROUNDS));
        }
    }

    /**
     * @param array<string, mixed> $old
     * @param array<string, mixed> $new
     *
     * @return array{'worse'|'better'|'same', array{string, string}}
     */
    private static function judge(array $old, array $new, float $tolerance): array
    {
        $show = static fn(array $row): string => isset($row['ratio'])
            ? Tables::ratio($row['ratio']['median']) . ' (' . Tables::ratio($row['ratio']['low']) . '–' . Tables::ratio($row['ratio']['high']) . ')'
            : OutputFormatter::escape($row['fault'] ?? 'no baseline');
        $line = [$show($old), $show($new)];
        if (!isset($old['ratio'], $new['ratio'])) {
            $failsNow = ($old['fault'] ?? null) === null && ($new['fault'] ?? null) !== null;

            return [$failsNow ? 'worse' : 'same', $line];
        }

        return [
            match (true) {
                $new['ratio']['low'] > $old['ratio']['high'] * $tolerance => 'worse',
                $new['ratio']['high'] * $tolerance < $old['ratio']['low'] => 'better',
                default => 'same',
            },
            $line,
        ];
    }

    /** @param array<string, mixed> $row */
    private static function id(array $row): string
    {
        return "{$row['contestant']}/{$row['scenario']}/{$row['operation']}/{$row['count']}";
    }
}
