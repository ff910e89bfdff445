<?php

declare(strict_types=1);

namespace Polypack\Lab\Measure;

use Polypack\Lab\Contestant\Entry;
use Polypack\Lab\Payload\Scenario;

/** One number of a table: a contestant, a scenario, an operation and how many objects at once. */
final class Cell
{
    public function __construct(
        public readonly Entry $entry,
        public readonly Scenario $scenario,
        public readonly string $operation,
        public readonly int $count,
    ) {}

    public function id(): string
    {
        return "{$this->column()}/{$this->entry->slug}";
    }

    /** What cells share that may be compared. */
    public function column(): string
    {
        return "{$this->scenario->value}/{$this->operation}/{$this->count}";
    }
}
