<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\CanBePacked;
use Polypack\Packer;

/**
 * Packs as what a function makes of the packer, and counts the calls.
 */
final class Counted implements CanBePacked
{
    public int $calls = 0;

    /**
     * @param \Closure(Packer): string $pack
     */
    public function __construct(private readonly \Closure $pack) {}

    public function pack(Packer $packer): string
    {
        ++$this->calls;

        return ($this->pack)($packer);
    }
}
