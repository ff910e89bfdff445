<?php

declare(strict_types=1);

namespace Polypack\Lab\Report;

use Polypack\Lab\Measure\Effort;
use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Helper\Table;
use Symfony\Component\Console\Output\OutputInterface;

/**
 * The tables of a result on a terminal: the seed's result table, a column for each count, and its sample table for each
 * column, with what the seed's lacked.
 */
final class Tables
{
    /** @var array<string, int> the number of a footnote, by its text */
    private array $notes = [];

    public function __construct(private readonly Result $result, private readonly OutputInterface $output) {}

    /** @param list<string> $order slugs, in the order of the table */
    public function print(string $scenario, string $operation, array $order): void
    {
        $rows = \array_values(\array_filter(
            $this->result->rows(),
            static fn(array $row): bool => $row['scenario'] === $scenario && $row['operation'] === $operation,
        ));
        if ($rows === []) {
            return;
        }
        $counts = \array_values(\array_unique(\array_map(static fn(array $row): int => $row['count'], $rows)));
        \sort($counts);
        $this->results($rows, $counts, $order);
        foreach ($counts as $count) {
            $this->samples(\array_values(\array_filter($rows, static fn(array $row): bool => $row['count'] === $count)), $count);
        }
        $this->footnotes();
    }

    /** The number of objects as the seed heads its columns: 10 Obj., 1k Obj. */
    public static function objects(int $count): string
    {
        return ($count >= 1000 && $count % 1000 === 0 ? \intdiv($count, 1000) . 'k' : (string) $count) . ' Obj.';
    }

    /**
     * @param list<array<string, mixed>> $rows
     * @param list<int>                  $counts
     * @param list<string>               $order
     */
    private function results(array $rows, array $counts, array $order): void
    {
        $lines = [];
        foreach ($order as $slug) {
            $line = [];
            foreach ($counts as $count) {
                foreach ($rows as $row) {
                    if ($row['contestant'] === $slug && $row['count'] === $count) {
                        $line[$count] = isset($row['time']) ? self::milliseconds($row['time']['median']) : '– ' . $this->note("{$this->result->name($slug)}, {$count}: {$row['fault']}");
                    }
                }
            }
            if ($line !== []) {
                $lines[] = [$this->escaped($this->result->name($slug)), ...\array_map(static fn(int $count): string => $line[$count] ?? '', $counts)];
            }
        }
        $php = $this->result->php();
        $this->output->writeln("Milliseconds for one batch, medians; less is better. PHP: mode {$php->mode}, provenance {$php->provenance}.");
        $this->table(['Vendor', ...\array_map(self::objects(...), $counts)], $lines);
    }

    /** @param list<array<string, mixed>> $rows of one count, the fastest first */
    private function samples(array $rows, int $count): void
    {
        $lines = [];
        $baseline = $this->result->document['baseline'];
        $processes = static fn(array $row): int => \count($row['rounds'] ?? []);
        $ofBaseline = \array_column($rows, null, 'contestant')[$baseline] ?? ['rounds' => []];
        foreach ($rows as $row) {
            $name = $this->escaped($this->result->name($row['contestant']));
            if (!isset($row['time'])) {
                $lines[] = ['–', $name, 'failed ' . $this->note("{$this->result->name($row['contestant'])}, {$count}: {$row['fault']}"), '', '', '', '', '', '', ''];
                continue;
            }
            $isEnough = $processes($row) >= Effort::ENOUGH_ROUNDS;
            $isRatioEnough = $isEnough && $processes($ofBaseline) >= Effort::ENOUGH_ROUNDS;
            $few = $isRatioEnough ? '' : ' ' . $this->note(\sprintf('fewer than %d processes measured it or its baseline: there is no interval to trust, and places with ~ may change', Effort::ENOUGH_ROUNDS));
            $lines[] = [
                ($isEnough ? '' : '~') . $row['rank'] . ($row['tied'] === true ? '=' : ''),
                $name . (($row['deprecations'] ?? 0) > 0 ? ' ' . $this->note('PHP calls what it does deprecated') : ''),
                self::withInterval($row['time'], $isEnough, self::milliseconds(...)) . $few,
                $row['ratio'] === null ? '?' : ($row['contestant'] === $baseline ? '1' : self::withInterval($row['ratio'], $isRatioEnough, self::ratio(...))),
                self::mebibytes($row['memory'] ?? null),
                self::mebibytes($row['kept'] ?? null),
                (string) ($row['bytes'] ?? '?'),
                ($row['gzip'] ?? '?') . ' / ' . ($row['zstd'] ?? '?'),
                $row['set_up'] === null ? '?' : self::milliseconds($row['set_up'] + $row['first']),
                (string) $row['samples'],
            ];
        }
        $this->output->writeln(\sprintf("\n%s: duration with its 95 %% interval, times %s. Those who share a place can't be told apart.", self::objects($count), $this->result->name((string) $baseline)));
        $this->table(['place', 'vendor', 'duration (ms)', 'ratio', 'memory (MiB)', 'kept (MiB)', 'bytes', 'gzip / zstd', 'first call (ms)', 'samples'], $lines);
    }

    /**
     * @param array{median: float, low: float, high: float} $estimate
     * @param \Closure(float): string                       $show
     */
    private static function withInterval(array $estimate, bool $isEnough, \Closure $show): string
    {
        return $show($estimate['median']) . ($isEnough ? " ({$show($estimate['low'])}–{$show($estimate['high'])})" : '');
    }

    private function footnotes(): void
    {
        /** @var list<array{name: string, reason: string}> $missing */
        $missing = $this->result->document['missing'];
        foreach ($missing as ['name' => $name, 'reason' => $reason]) {
            $this->note("{$name} took no part: {$reason}");
        }
        foreach ($this->notes as $text => $number) {
            $this->output->writeln("[{$number}] " . $this->escaped($text));
        }
    }

    private function note(string $text): string
    {
        return '[' . ($this->notes[$text] ??= \count($this->notes) + 1) . ']';
    }

    private function escaped(string $text): string
    {
        return OutputFormatter::escape($text);
    }

    /**
     * @param list<string>       $head
     * @param list<list<string>> $lines
     */
    private function table(array $head, array $lines): void
    {
        (new Table($this->output))->setStyle('box')->setHeaders($head)->setRows($lines)->render();
    }

    /** Three digits that count, whatever the size. */
    public static function milliseconds(float $nanoseconds): string
    {
        $value = $nanoseconds / 1e6;

        return match (true) {
            $value >= 100 => \sprintf('%.0f', $value),
            $value >= 10 => \sprintf('%.1f', $value),
            $value >= 1 => \sprintf('%.2f', $value),
            $value >= 0.1 => \sprintf('%.3f', $value),
            $value >= 0.01 => \sprintf('%.4f', $value),
            $value >= 0.001 => \sprintf('%.5f', $value),
            $value >= 0.0001 => \sprintf('%.6f', $value),
            default => \sprintf('%.7f', $value),
        };
    }

    private static function mebibytes(?float $bytes): string
    {
        return $bytes === null ? '?' : \sprintf($bytes < 104858 ? '%.4f' : '%.2f', $bytes / 1048576);
    }

    public static function ratio(float $ratio): string
    {
        return $ratio >= 10 ? \sprintf('%.1f', $ratio) : \sprintf('%.2f', $ratio);
    }
}
