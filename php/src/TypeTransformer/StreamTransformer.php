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

        $mode = \stream_get_meta_data($value)['mode'];
        $data = \strpbrk($mode, 'r+') === false ? false : \stream_get_contents($value); // reading would give ''
        if ($data === false) {
            throw new \RuntimeException('the stream cannot be read');
        }

        return $packer->packBin($data);
    }
}
