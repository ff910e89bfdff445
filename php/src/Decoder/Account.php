<?php

declare(strict_types=1);

namespace Polypack\Decoder;

/**
 * Keeps count of what the wide maps of a message have reserved, and of what their keys may still cost; see
 * WideMaps.php. A message gets an account at its first wide map.
 *
 * @internal
 */
final class Account
{
    /**
     * @var array<int, int> bytes that open maps have reserved for the entries they declare, by $depthLeft, outermost
     * first
     */
    public array $promised = [];

    /** @var ?array<int, true> heads of the maps whose keys cost too much; null until keys have to be counted */
    public ?array $colliding = null;

    /** Comparisons that were counted. */
    public int $counted = 0;

    /**
     * @param int $comparisons what is left of the budget if all keys of each wide map share a bucket
     * @param int $budget      how many may be counted
     */
    public function __construct(public int $comparisons, public int $budget) {}

    /**
     * Returns the account of a message in the data of an extension: its budget is what is left of this one.
     */
    public function inside(): self
    {
        return new self($this->comparisons, $this->budget - $this->counted);
    }

    /**
     * Takes over what a message inside has left of its budget.
     */
    public function takeBack(self $inside): self
    {
        $this->comparisons = $inside->comparisons;
        $this->budget = $inside->budget - $inside->counted + $this->counted;

        return $this;
    }
}
