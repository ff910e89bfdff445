<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\BufferUnpacker;
use Polypack\Extension;
use Polypack\Packer;

/**
 * Extension type 7, or another: a packed value as data.
 */
final class BoxExtension implements Extension
{
    public function __construct(private readonly int $type = 7) {}

    public function getType(): int
    {
        return $this->type;
    }

    public function pack(Packer $packer, mixed $value): ?string
    {
        return $value instanceof Box ? $packer->packExt($this->type, $packer->pack($value->content)) : null;
    }

    public function unpackExt(BufferUnpacker $unpacker, int $extLength): Box
    {
        return new Box($unpacker->unpack());
    }
}
