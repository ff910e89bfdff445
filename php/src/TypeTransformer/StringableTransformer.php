<?php

declare(strict_types=1);

namespace Polypack\TypeTransformer;

use Polypack\CanBePacked;
use Polypack\CanPack;
use Polypack\Packer;

/**
 * Packs objects with __toString() as str. Leaves objects that implement CanBePacked to the packer.
 *
 * @api
 */
final class StringableTransformer implements CanPack
{
    public function pack(Packer $packer, mixed $value): ?string
    {
        return $value instanceof \Stringable && !$value instanceof CanBePacked ? $packer->packStr((string) $value) : null;
    }
}
