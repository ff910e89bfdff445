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
 * Unpacks timestamps as DateTimeImmutable instead of Type\Timestamp, in UTC and floored to the microsecond. Packers
 * don't need it, because they pack every DateTimeInterface as a timestamp.
 *
 * @api
 */
final class DateTimeExtension implements Extension
{
    public function getType(): int
    {
        return Format::EXT_TIMESTAMP;
    }

    public function pack(Packer $packer, mixed $value): ?string
    {
        return $value instanceof \DateTimeInterface ? Timestamp::fromDateTime($value)->pack($packer) : null;
    }

    /**
     * Unpacks a timestamp. The unpacker has already checked the length and the nanoseconds of the data
     * (spec/04-timestamp.md#invalid).
     *
     * @throws InsufficientDataException when the unpacker holds fewer bytes than $extLength
     */
    public function unpackExt(BufferUnpacker $unpacker, int $extLength): \DateTimeImmutable
    {
        return Timestamp::fromData($unpacker->read($extLength))->toDateTime();
    }
}
