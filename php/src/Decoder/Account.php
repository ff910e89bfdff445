<?php

declare(strict_types=1);

namespace Polypack\Decoder;

/**
 * Keeps count of the memory that the wide maps of a message have reserved, and of the key comparisons that the message
 * may still cost; see WideMaps.php. A message gets an account at its first wide map.
 *
 * @internal
 */
final class Account
{
    /**
     * @var array<int, int> bytes that each open map has reserved for its declared entries, by the $depthLeft of the map
     */
    public array $promised = [];

    /**
     * @var ?array<int, true> offsets of the heads of maps that must not become hash tables; null until keys have to be
     *     counted
     */
    public ?array $colliding = null;

    /** Comparisons that Collisions has counted, without those of maps that exceeded the budget. */
    public int $counted = 0;

    /**
     * @param int $comparisons what would be left of the budget if all keys of each wide map so far shared a bucket
     * @param int $budget      how many comparisons the message may cost
     */
    public function __construct(public int $comparisons, public int $budget) {}

    /**
     * Returns an account for a message in the data of an extension. Its budget is what is left of this account's
     * budget.
     */
    public function inside(): self
    {
        return new self($this->comparisons, $this->budget - $this->counted);
    }

    /**
     * Sets the budget to what remains after a message in the data of an extension.
     */
    public function takeBack(self $inside): self
    {
        $this->comparisons = $inside->comparisons;
        $this->budget = $inside->budget - $inside->counted + $this->counted;

        return $this;
    }
}
