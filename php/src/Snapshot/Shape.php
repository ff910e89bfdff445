<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Holds a shape that was read: the keys of arrays, the plan for making objects of a class, or a case.
 *
 * @internal
 */
final class Shape
{
    /** @var array<int, array<array-key, mixed>> the latest array at each place, for `d9` (spec/10-snapshot.md#same) */
    public array $latest = [];

    /** @var mixed for the shape of a case: the case, or the value that replaces it */
    public mixed $case = null;

    /**
     * @param list<string> $keys
     * @param int          $cost key comparisons to count for each array or object; 0 if the names are short
     */
    public function __construct(
        public readonly int $head,
        public readonly array $keys,
        public readonly ?Plan $plan = null,
        public readonly int $cost = 0,
    ) {}
}
