<?php

declare(strict_types=1);

namespace Polypack\TypeTransformer;

use Polypack\CanPack;
use Polypack\Packer;

/**
 * Packs the unread rest of a PHP stream as bin.
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

        // If the stream is write-only, stream_get_contents() would return '' instead of false.
        $mode = \stream_get_meta_data($value)['mode'];
        $data = \strpbrk($mode, 'r+') === false ? false : \stream_get_contents($value);
        if ($data === false) {
            throw new \RuntimeException('the stream cannot be read');
        }

        return $packer->packBin($data);
    }
}
