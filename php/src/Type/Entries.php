<?php

declare(strict_types=1);

namespace Polypack\Type;

/**
 * A map with keys of any kind, in order. Lossless mode decodes a map to Entries if stdClass can't hold the keys
 * (spec/09-modes.md#lossless), or if the keys collide too often (spec/06-limits.md#collisions).
 *
 * @api
 *
 * @implements \IteratorAggregate<mixed, mixed>
 */
final class Entries implements \Countable, \IteratorAggregate
{
    /**
     * @param list<array{mixed, mixed}> $entries pairs of key and value. Strict mode, lossless mode and canonical form
     *                                           refuse equal keys (spec/01-data-model.md#map) as `duplicate_key`
     */
    public function __construct(public readonly array $entries) {}

    public function count(): int
    {
        return \count($this->entries);
    }

    /**
     * @return \Generator<mixed, mixed>
     */
    public function getIterator(): \Generator
    {
        foreach ($this->entries as [$key, $value]) {
            yield $key => $value;
        }
    }
}
