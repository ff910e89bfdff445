<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\CanBePacked;
use Polypack\Packer;

/**
 * Packs as the value in it, by the packer that is packing it.
 */
final class Wrapped implements CanBePacked
{
    public function __construct(public readonly mixed $value) {}

    public function pack(Packer $packer): string
    {
        return $packer->pack($this->value);
    }
}
