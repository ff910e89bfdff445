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
 * Registers timestamps by hand. Packer and unpacker know them already (Decoder/ExtValues.php), so this only
 * keeps code for other libraries working.
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
     * The unpacker has already checked the length and the nanoseconds (spec/04-timestamp.md#invalid).
     *
     * @throws InsufficientDataException when called with fewer bytes than $extLength
     */
    public function unpackExt(BufferUnpacker $unpacker, int $extLength): Timestamp
    {
        return Timestamp::fromData($unpacker->read($extLength));
    }
}
