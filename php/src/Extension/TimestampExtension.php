<?php

declare(strict_types=1);

namespace Polypack\Extension;

use Polypack\BufferUnpacker;
use Polypack\Exception\InsufficientDataException;
use Polypack\Extension;
use Polypack\Format;
use Polypack\Packer;
use Polypack\Type\Timestamp;

/**
 * Registers timestamps explicitly. Packers and unpackers handle timestamps without this class. It only exists so that
 * code written for other libraries keeps working.
 *
 * @api
 */
final class TimestampExtension implements Extension
{
    public function getType(): int
    {
        return Format::EXT_TIMESTAMP;
    }

    public function pack(Packer $packer, mixed $value): ?string
    {
        return $value instanceof Timestamp ? $value->pack($packer) : null;
    }

    /**
     * Unpacks the data of a timestamp, whose length must be 4, 8 or 12 bytes. The library's unpackers never call this
     * method.
     *
     * @throws InsufficientDataException when the unpacker holds fewer bytes than $extLength
     */
    public function unpackExt(BufferUnpacker $unpacker, int $extLength): Timestamp
    {
        return Timestamp::fromData($unpacker->read($extLength));
    }
}
