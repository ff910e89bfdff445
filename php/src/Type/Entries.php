<?php

declare(strict_types=1);

namespace Polypack\Type;

/**
 * A map with keys of any kind, in order: what lossless mode reads when stdClass cannot hold the keys (spec/09).
 *
 * @api
 *
 * @implements \IteratorAggregate<mixed, mixed>
 */
final class Entries implements \Countable, \IteratorAggregate
{
    /**
     * @param list<array{mixed, mixed}> $entries pairs of key and value. Keys should be unique (spec/01#map); the
     *                                           canonical form refuses others with `duplicate_key`
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
