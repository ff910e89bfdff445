<?php

declare(strict_types=1);

namespace Polypack\Type;

use Polypack\CanBePacked;
use Polypack\Packer;

/**
 * A PHP array that is packed as map, even if it is a list.
 *
 * @api
 */
final class Map implements CanBePacked
{
    /**
     * @param array<array-key, mixed> $map
     */
    public function __construct(public readonly array $map) {}

    public function pack(Packer $packer): string
    {
        return $packer->packMap($this->map);
    }
}
