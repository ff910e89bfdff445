<?php

declare(strict_types=1);

namespace Polypack\TypeTransformer;

use Polypack\CanPack;
use Polypack\Packer;

/**
 * Packs what is left to read of a PHP stream as bin.
 *
 * @api
 */
final class StreamTransformer implements CanPack
{
    public function pack(Packer $packer, mixed $value): ?string
    {
        if (!\is_resource($value) || \get_resource_type($value) !== 'stream') {
            return null;
        }

        $data = \stream_get_contents($value);
        if ($data === false) {
            throw new \RuntimeException('the stream cannot be read');
        }

        return $packer->packBin($data);
    }
}
