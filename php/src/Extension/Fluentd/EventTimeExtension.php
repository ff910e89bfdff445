<?php

declare(strict_types=1);

namespace Polypack\Extension\Fluentd;

use Polypack\BufferUnpacker;
use Polypack\Extension;
use Polypack\Packer;

/**
 * Packs and unpacks EventTime of Fluentd's forward protocol, extension type 0. The data is the seconds and the
 * nanoseconds, in 4 bytes each, big-endian.
 *
 * An ext value of type 0 whose data is the single byte 0 is `undefined` (spec/03-extensions.md), and becomes null.
 *
 * @api
 */
final class EventTimeExtension implements Extension
{
    /** @internal */
    public const TYPE = 0;

    public function getType(): int
    {
        return self::TYPE;
    }

    public function pack(Packer $packer, mixed $value): ?string
    {
        return $value instanceof EventTime ? $value->pack($packer) : null;
    }

    /**
     * @throws \UnexpectedValueException when the data is neither 8 bytes long nor `undefined`
     */
    public function unpackExt(BufferUnpacker $unpacker, int $extLength): ?EventTime
    {
        $data = $unpacker->read($extLength);
        if ($data === "\x00") {
            return null;
        }
        if ($extLength !== 8) {
            throw new \UnexpectedValueException("an EventTime has {$extLength} bytes, not 8");
        }
        /** @var array{s: int, n: int} $fields */
        $fields = \unpack('Ns/Nn', $data);

        return new EventTime($fields['s'], $fields['n']);
    }
}
