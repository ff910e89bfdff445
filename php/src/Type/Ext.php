<?php

declare(strict_types=1);

namespace Polypack\Type;

use Polypack\CanBePacked;
use Polypack\Packer;

/**
 * An ext value of a type nobody registered (spec/03-extensions.md).
 *
 * @api
 */
final class Ext implements CanBePacked
{
    /**
     * @param int $type -128 to 127; anything else is `out_of_range` when packed
     */
    public function __construct(public readonly int $type, public readonly string $data) {}

    public function pack(Packer $packer): string
    {
        return $packer->packExt($this->type, $this->data);
    }
}
