<?php

declare(strict_types=1);

namespace Polypack\Lab\Report;

use Polypack\Lab\Contestant\Entry;
use Polypack\Lab\Contestant\PhpSettings;
use Polypack\Lab\Measure\Cell;
use Polypack\Lab\Measure\Journal;
use Polypack\Lab\Measure\Runner;
use Polypack\Lab\Measure\Statistics;
use Polypack\Lab\Refusal;

/**
 * What a run came to, as one document: the environment, the data, the contestants with their source, and for every
 * cell its samples with what follows from them, or why there is no number.
 *
 * @phpstan-type Estimate array{median: float, low: float, high: float}
 * @phpstan-type Row array{contestant: string, scenario: string, operation: string, count: int, fault: string|null,
 *   rounds?: array<int, non-empty-list<float>>, time?: Estimate, ratio?: Estimate|null, rank?: int, tied?: bool,
 *   bytes?: int|null, gzip?: int|null, zstd?: int|null, memory?: int|null, kept?: float|null, set_up?: float|null,
 *   first?: float|null, deprecations?: int, samples?: int, load?: array<int, float>}
 */
final class Result
{
    public const VERSION = 1;

    /** @param array<string, mixed> $document */
    private function __construct(public readonly array $document) {}

    public static function of(Runner $runner, Journal $journal, Entry $baseline): self
    {
        $columns = [];
        foreach ($runner->cells as $cell) {
            $columns[$cell->column()][] = self::row($cell, $journal->of($cell), $runner->seed);
        }
        $rows = [];
        foreach ($columns as $column) {
            foreach (self::compare($column, $baseline->slug, $runner->seed) as $row) {
                $rows[] = $row;
            }
        }

        return new self([
            'lab' => self::VERSION,
            'made' => \gmdate(\DATE_ATOM),
            'baseline' => $baseline->slug,
            'missing' => [],
            ...\array_diff_key($runner->subject(), ['cells' => true]),
            'contestants' => \array_map(self::contestant(...), $runner->entries()),
            'scenarios' => self::scenarios($runner),
            'busy' => $runner->load->during(\array_map(static fn(array $row): array => $row['load'] ?? [], $rows)),
            'cells' => $rows,
        ]);
    }

    public static function read(string $file): self
    {
        $document = \json_decode((string) @\file_get_contents($file), true);
        if (!\is_array($document) || ($document['lab'] ?? null) !== self::VERSION) {
            throw new Refusal("{$file} holds no result of lab run --json");
        }

        return new self($document);
    }

    /**
     * Adds what could not take part, so that a table names it.
     *
     * @param list<Entry> $entries
     */
    public function withMissing(array $entries): self
    {
        $missing = \array_map(static fn(Entry $entry): array => ['name' => $entry->name, 'slug' => $entry->slug, 'reason' => $entry->missing], $entries);

        return new self(['missing' => $missing] + $this->document);
    }

    /** @return list<Row> */
    public function rows(): array
    {
        /** @var list<Row> */
        return $this->document['cells'];
    }

    public function name(string $slug): string
    {
        /** @var list<array{slug: string, name: string}> $contestants */
        $contestants = $this->document['contestants'];
        foreach ($contestants as $contestant) {
            if ($contestant['slug'] === $slug) {
                return $contestant['name'];
            }
        }

        return $slug;
    }

    /** Says when the machine was busy, if it was. */
    public function busy(): ?string
    {
        $busy = $this->document['busy'] ?? null;

        return \is_string($busy) ? $busy : null;
    }

    /** Tells how many processes a cell was to get. */
    public function processes(): int
    {
        $effort = $this->document['effort'] ?? null;

        return \is_array($effort) && \is_int($effort['rounds'] ?? null) ? $effort['rounds'] : 0;
    }

    /** Tells how PHP ran, which old results don't say. */
    public function php(): PhpSettings
    {
        $environment = $this->document['environment'] ?? [];
        $known = \is_array($environment) ? \array_intersect_key($environment, (new PhpSettings())->record()) : [];

        return new PhpSettings(...$known);
    }

    public function json(): string
    {
        return \json_encode($this->document, \JSON_THROW_ON_ERROR | \JSON_UNESCAPED_SLASHES | \JSON_UNESCAPED_UNICODE | \JSON_PRESERVE_ZERO_FRACTION) . "\n";
    }

    /** Every sample on a line of its own. */
    public function csv(): string
    {
        $stream = \fopen('php://temp', 'w+') ?: throw new \LogicException('no memory for a table');
        \fputcsv($stream, ['contestant', 'scenario', 'operation', 'count', 'round', 'sample', 'nanoseconds', 'fault'], ',', '"', '');
        foreach ($this->rows() as $row) {
            $cell = [$row['contestant'], $row['scenario'], $row['operation'], $row['count']];
            if ($row['fault'] !== null) {
                \fputcsv($stream, [...$cell, '', '', '', $row['fault']], ',', '"', '');
                continue;
            }
            foreach ($row['rounds'] ?? [] as $round => $samples) {
                foreach ($samples as $sample => $nanoseconds) {
                    \fputcsv($stream, [...$cell, $round, $sample, \round($nanoseconds, 1), ''], ',', '"', '');
                }
            }
        }
        \rewind($stream);

        return (string) \stream_get_contents($stream);
    }

    /**
     * @param array<int, array<string, mixed>> $launches
     *
     * @return Row
     */
    private static function row(Cell $cell, array $launches, int $seed): array
    {
        $row = [
            'contestant' => $cell->entry->slug,
            'scenario' => $cell->scenario->value,
            'operation' => $cell->operation,
            'count' => $cell->count,
            'fault' => $launches === [] ? 'not measured: the run was interrupted' : null,
        ];
        $rounds = [];
        $setUp = $first = $memory = $kept = $load = [];
        foreach ($launches as $round => $launch) {
            if (isset($launch['fault'])) {
                return ['fault' => $launch['fault']] + $row;
            }
            $rounds[$round] = $launch['samples'];
            $load[$round] = self::known($launch['load'] ?? null) ?? 0.0;
            $setUp[] = self::known($launch['set_up']);
            $first[] = self::known($launch['first']);
            $memory[] = self::known($launch['memory']);
            $kept[] = self::known($launch['kept'] ?? null);
        }
        if ($rounds === []) {
            return $row;
        }
        return $row + [
            'rounds' => $rounds,
            'samples' => \array_sum(\array_map(\count(...), $rounds)),
            'time' => Statistics::estimate($rounds, $seed),
            'set_up' => self::middle($setUp),
            'first' => self::middle($first),
            'memory' => self::middle($memory),
            'kept' => self::middle($kept),
            'load' => $load,
            ...\array_intersect_key(\array_values($launches)[0], ['bytes' => 0, 'gzip' => 0, 'zstd' => 0, 'deprecations' => 0]),
        ];
    }

    private static function known(mixed $number): ?float
    {
        return \is_int($number) || \is_float($number) ? (float) $number : null;
    }

    /** @param list<float|null> $values */
    private static function middle(array $values): ?float
    {
        $values = \array_values(\array_filter($values, static fn(?float $value): bool => $value !== null));

        return $values === [] ? null : Statistics::median($values);
    }

    /**
     * Adds ratios to the baseline, and ranks. Who can't be told from the first of a rank shares it.
     *
     * @param list<Row> $rows of one column
     *
     * @return list<Row>
     */
    private static function compare(array $rows, string $baseline, int $seed): array
    {
        $base = null;
        foreach ($rows as $candidate) {
            $base = $candidate['contestant'] === $baseline ? $candidate['rounds'] ?? null : $base;
        }
        \usort($rows, static fn(array $a, array $b): int => ($a['time']['median'] ?? \INF) <=> ($b['time']['median'] ?? \INF));
        $leader = null;
        $rank = 0;
        foreach ($rows as $place => &$row) {
            if (!isset($row['rounds'])) {
                continue;
            }
            $row['ratio'] = $base === null ? null : Statistics::ratio($row['rounds'], $base, $seed);
            $to = $leader === null ? null : Statistics::ratio($row['rounds'], $leader, $seed);
            if ($to === null || $to['low'] > 1.0) {
                $leader = $row['rounds'];
                $rank = $place + 1;
            }
            $row['rank'] = $rank;
        }
        unset($row);
        $sharing = \array_count_values(\array_map(static fn(array $row): int => $row['rank'] ?? 0, $rows));
        foreach ($rows as &$row) {
            if (isset($row['rank'])) {
                $row['tied'] = $sharing[$row['rank']] > 1;
            }
        }

        return $rows;
    }

    /** @return array<string, mixed> */
    private static function contestant(Entry $entry): array
    {
        return [
            ...\array_intersect_key(\get_object_vars($entry), \array_flip(['slug', 'name', 'language', 'format', 'state', 'kind', 'version', 'note'])),
            'file' => \basename($entry->source),
            'source' => (string) @\file_get_contents($entry->source),
        ];
    }

    /** @return array<string, string> */
    private static function scenarios(Runner $runner): array
    {
        $scenarios = [];
        foreach ($runner->cells as $cell) {
            $scenarios[$cell->scenario->value] = $cell->scenario->describe();
        }

        return $scenarios;
    }
}
