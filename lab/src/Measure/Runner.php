<?php

declare(strict_types=1);

namespace Polypack\Lab\Measure;

use Polypack\Lab\Contestant\Entry;
use Polypack\Lab\Contestant\PhpSettings;
use Polypack\Lab\Paths;
use Polypack\Lab\Payload\Scenario;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Measures cells: in every round each gets a process of its own, in an order that is shuffled anew, so that what the
 * machine does meanwhile hits all alike. Cells that may be compared come one after the other: both times of a ratio are
 * then from the same minute.
 */
final class Runner
{
    /** Set by a signal: the launch that runs is finished, then nothing more starts. */
    public bool $interrupted = false;

    /** @var array<string, array{file: string, digest: string, bytes: int, seed: int}> by scenario and count */
    private array $data = [];

    public readonly Load $load;

    /**
     * @param list<Cell> $cells
     * @param int        $seed of the data, of the order and of the bootstrap
     */
    public function __construct(
        public readonly array $cells,
        public readonly Effort $effort,
        public readonly int $seed,
        ?Load $load = null,
        private readonly PhpSettings $php = new PhpSettings(),
    ) {
        $this->load = $load ?? Load::ofMachine();
        foreach ($cells as $cell) {
            $this->data["{$cell->scenario->value}/{$cell->count}"] ??= $this->write($cell->scenario, $cell->count);
        }
    }

    /**
     * What is measured, which has to be the same for a run to be resumed.
     *
     * @return array<string, mixed>
     */
    public function subject(): array
    {
        return [
            'cells' => \array_map(static fn(Cell $cell): string => "{$cell->id()}@{$cell->entry->version}", $this->cells),
            'effort' => \get_object_vars($this->effort),
            'seed' => $this->seed,
            'data' => \array_map(static fn(array $data): string => $data['digest'], $this->data),
            'environment' => Environment::record() + $this->php->record(),
        ];
    }

    /** @return array<string, array{file: string, digest: string, bytes: int, seed: int}> */
    public function data(): array
    {
        return $this->data;
    }

    public function launches(): int
    {
        return \count($this->cells) * $this->effort->rounds;
    }

    /**
     * Measures what the journal lacks.
     *
     * @param \Closure(Cell, int): void $before a launch
     * @param \Closure(): void          $after
     */
    public function run(Journal $journal, \Closure $before, \Closure $after): void
    {
        $random = new Randomizer(new Xoshiro256StarStar($this->seed));
        for ($round = 0; $round < $this->effort->rounds; ++$round) {
            foreach ($this->order($random) as $cell) {
                if ($this->interrupted) {
                    return;
                }
                $launches = $journal->of($cell);
                $failed = \array_filter($launches, static fn(array $launch): bool => isset($launch['fault']));
                if (!isset($launches[$round]) && $failed === []) {
                    $before($cell, $round);
                    $this->launch($journal, $cell, $round);
                }
                $after();
            }
        }
    }

    /** @return list<Cell> column by column, both the columns and the cells of each in random order */
    public function order(Randomizer $random): array
    {
        $columns = [];
        foreach ($random->shuffleArray($this->cells) as $cell) {
            $columns[$cell->column()][] = $cell; // the first of them decides on the place of its column
        }

        return \array_merge(...\array_values($columns));
    }

    private function launch(Journal $journal, Cell $cell, int $round): void
    {
        $mark = $cell->entry->slug . '-' . \substr(\md5(\json_encode([$cell->entry->version, $cell->entry->command, $cell->entry->source], \JSON_THROW_ON_ERROR)), 0, 8);
        $cache = Paths::make(Paths::build("cache/{$mark}/{$cell->scenario->value}"));
        $out = Paths::build('out/' . \getmypid());
        $load = $this->load->now();
        $launch = Launch::measure($cell, $this->effort, $this->data["{$cell->scenario->value}/{$cell->count}"], $out, $cache);
        $launch['load'] = \max($load, $this->load->now());
        if ($round === 0 && !isset($launch['fault']) && \is_file($out)) {
            $launch += Compressed::sizes($out);
        }
        @\unlink($out);
        if ($this->interrupted && isset($launch['fault'])) {
            return; // Ctrl-C reaches the worker too, which isn't the contestant's fault.
        }
        $journal->add($cell, $round, $launch);
    }

    /** @return array{file: string, digest: string, bytes: int, seed: int} */
    private function write(Scenario $scenario, int $count): array
    {
        $bytes = $scenario->data($count, $this->seed);
        $digest = \hash('sha256', $bytes);
        $file = Paths::build("data/{$scenario->value}-{$count}-" . \substr($digest, 0, 16) . '.json');
        if (!\is_file($file)) {
            Paths::write($file, $bytes);
        }

        return ['file' => $file, 'digest' => $digest, 'bytes' => \strlen($bytes), 'seed' => $this->seed];
    }

    /** @return list<Entry> */
    public function entries(): array
    {
        $entries = [];
        foreach ($this->cells as $cell) {
            $entries[$cell->entry->slug] = $cell->entry;
        }

        return \array_values($entries);
    }
}
