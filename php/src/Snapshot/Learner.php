<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Collects the names of the classes that a workload needs. Pass a Learner as the option `learn` when writing and when
 * reading. Then print the Learner, and paste the text into the options for reading.
 *
 * @api
 */
final class Learner implements \Stringable
{
    /** @var array<string, int> how often learn() was called, by the name of the class */
    private array $classes = [];

    /**
     * @internal
     */
    public function learn(string $class): void
    {
        $this->classes[$class] = ($this->classes[$class] ?? 0) + 1;
    }

    /**
     * Returns the names of the classes, sorted.
     *
     * @return list<string>
     */
    public function allowedClasses(): array
    {
        $names = \array_map(\strval(...), \array_keys($this->classes));
        \sort($names, \SORT_STRING);

        return $names;
    }

    /**
     * Returns the option `allowed_classes` as PHP code.
     */
    public function __toString(): string
    {
        $lines = \array_map(static fn(string $name): string => "    \\{$name}::class,\n", $this->allowedClasses());

        return "'allowed_classes' => [\n" . \implode('', $lines) . "],\n";
    }
}
