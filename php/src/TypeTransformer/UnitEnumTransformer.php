<?php

declare(strict_types=1);

namespace Polypack\TypeTransformer;

use Polypack\CanPack;
use Polypack\Packer;

/**
 * Packs the cases of enums without values as their names. The packer itself packs the cases of backed enums.
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
