<?php

declare(strict_types=1);

namespace Polypack\TypeTransformer;

use Polypack\CanPack;
use Polypack\Packer;

/**
 * Packs the cases of enums without values by their names. Backed enums are packed by their values.
 *
 * @api
 */
final class UnitEnumTransformer implements CanPack
{
    public function pack(Packer $packer, mixed $value): ?string
    {
        return $value instanceof \UnitEnum && !$value instanceof \BackedEnum ? $packer->packStr($value->name) : null;
    }
}
