<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\BufferUnpacker;
use Polypack\Extension;
use Polypack\Packer;

/**
 * Extension type 7: a packed value as data.
 */
final class BoxExtension implements Extension
{
    public function getType(): int
    {
        return 7;
    }

    public function pack(Packer $packer, mixed $value): ?string
    {
        return $value instanceof Box ? $packer->packExt(7, $packer->pack($value->content)) : null;
    }

    public function unpackExt(BufferUnpacker $unpacker, int $extLength): Box
    {
        return new Box($unpacker->unpack());
    }
}
