<?php

declare(strict_types=1);

namespace Polypack\Lab\Measure;

use Polypack\Lab\Paths;
use Polypack\Lab\Refusal;

/**
 * Keeps each launch as soon as it ends, a line of JSON each, so that an interrupted run can be resumed.
 *
 * The first line says what is measured; a journal is resumed only for exactly the same.
 */
final class Journal
{
    /** @var array<string, array<int, array<string, mixed>>> launches by cell and round */
    private array $launches = [];

    private function __construct(private readonly string $file) {}

    /** @param array<string, mixed> $subject */
    public static function start(string $file, array $subject): self
    {
        Paths::write($file, \json_encode($subject, \JSON_THROW_ON_ERROR) . "\n");

        return new self($file);
    }

    /** @param array<string, mixed> $subject */
    public static function resume(string $file, array $subject): self
    {
        $lines = \is_file($file) ? \explode("\n", (string) \file_get_contents($file)) : [];
        if ($lines === []) {
            throw new Refusal('nothing was interrupted here; run it without --resume');
        }
        $old = \json_decode(\array_shift($lines), true);
        if ($old !== \json_decode(\json_encode($subject, \JSON_THROW_ON_ERROR), true)) {
            $changed = \is_array($old) ? \array_keys(\array_filter($subject, static fn(mixed $value, string $key): bool => ($old[$key] ?? null) !== \json_decode(\json_encode($value, \JSON_THROW_ON_ERROR), true), \ARRAY_FILTER_USE_BOTH)) : [];
            throw new Refusal('what was interrupted had another ' . \implode(', ', $changed) . '; run it without --resume');
        }
        $journal = new self($file);
        foreach ($lines as $line) {
            $entry = \json_decode($line, true); // the last line may be half of one
            if (\is_array($entry) && \is_string($entry['cell'] ?? null) && \is_int($entry['round'] ?? null)) {
                $journal->launches[$entry['cell']][$entry['round']] = $entry['launch'];
            }
        }
        // Without the half line, after which nothing more could be read.
        $text = \json_encode($subject, \JSON_THROW_ON_ERROR) . "\n";
        foreach ($journal->launches as $cell => $rounds) {
            foreach ($rounds as $round => $launch) {
                $text .= self::line($cell, $round, $launch);
            }
        }
        Paths::write($file, $text);

        return $journal;
    }

    /** @return array<int, array<string, mixed>> by round */
    public function of(Cell $cell): array
    {
        $launches = $this->launches[$cell->id()] ?? [];
        \ksort($launches);

        return $launches;
    }

    public function count(): int
    {
        return \array_sum(\array_map(\count(...), $this->launches));
    }

    /** @param array<string, mixed> $launch */
    public function add(Cell $cell, int $round, array $launch): void
    {
        $this->launches[$cell->id()][$round] = $launch;
        \file_put_contents($this->file, self::line($cell->id(), $round, $launch), \FILE_APPEND | \LOCK_EX);
    }

    /** @param array<string, mixed> $launch */
    private static function line(string $cell, int $round, array $launch): string
    {
        return \json_encode(['cell' => $cell, 'round' => $round, 'launch' => $launch], \JSON_THROW_ON_ERROR | \JSON_INVALID_UTF8_SUBSTITUTE) . "\n";
    }
}
