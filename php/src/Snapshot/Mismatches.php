<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Counts what `on_mismatch` = `default` tolerated: properties that were dropped or got their defaults, cases that no
 * longer exist, and classes whose objects can't be made any more. Pass a Mismatches as the option `mismatches`.
 *
 * @api
 */
final class Mismatches implements \Countable
{
    /** @var array<string, int> */
    private array $counts = [];

    /**
     * @internal
     */
    public function add(string $class, ?string $property, string $what): void
    {
        $key = $property === null ? "{$class}: {$what}" : "{$class}::\${$property}: {$what}";
        $this->counts[$key] = ($this->counts[$key] ?? 0) + 1;
    }

    public function count(): int
    {
        return \max(0, \array_sum($this->counts));
    }

    /**
     * Returns how often each mismatch was counted. A wrong type is counted for each object. Most other mismatches are
     * counted once for each shape of a snapshot.
     *
     * @return array<string, int> by class, property and what happened
     */
    public function all(): array
    {
        return $this->counts;
    }
}
