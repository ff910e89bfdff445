<?php

declare(strict_types=1);

namespace Polypack\TypeTransformer;

use Polypack\CanBePacked;
use Polypack\CanPack;
use Polypack\Packer;

/**
 * Packs what jsonSerialize() returns. Leaves objects that implement CanBePacked to the packer.
 *
 * @api
 */
final class JsonSerializableTransformer implements CanPack
{
    public function pack(Packer $packer, mixed $value): ?string
    {
        return $value instanceof \JsonSerializable && !$value instanceof CanBePacked ? $packer->pack($value->jsonSerialize()) : null;
    }
}
