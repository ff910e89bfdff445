<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Holds a shape that was read: the keys of arrays, or what becomes of the objects of a class.
 *
 * @internal
 */
final class Shape
{
    /** @var array<int, array<array-key, mixed>> the latest array at each place */
    public array $latest = [];

    /** @var mixed the case of an enum */
    public mixed $case = null;

    /**
     * @param list<string> $keys
     * @param int          $cost key comparisons that each array or object costs, if the names are long
     */
    public function __construct(
        public readonly int $head,
        public readonly array $keys,
        public readonly ?Plan $plan = null,
        public readonly int $cost = 0,
    ) {}
}
