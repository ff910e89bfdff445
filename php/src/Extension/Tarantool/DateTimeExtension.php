<?php

declare(strict_types=1);

namespace Polypack\Extension\Tarantool;

use Polypack\BufferUnpacker;
use Polypack\Extension;
use Polypack\Packer;

/**
 * Packs and unpacks datetimes of Tarantool, extension type 4. The data is the seconds in 8 bytes, little-endian. If
 * nanoseconds, offset or zone isn't 0, all three follow, in 4, 2 and 2 bytes.
 *
 * Packs Tarantool\DateTime and PHP's DateTimeInterface. Unpacks to Tarantool\DateTime, because PHP's classes would lose
 * nanoseconds.
 *
 * @api
 */
final class DateTimeExtension implements Extension
{
    private const TYPE = 4;

    public function getType(): int
    {
        return self::TYPE;
    }

    public function pack(Packer $packer, mixed $value): ?string
    {
        if ($value instanceof \DateTimeInterface) {
            $value = DateTime::fromDateTime($value);
        }
        if (!$value instanceof DateTime) {
            return null;
        }
        $data = \pack('P', $value->seconds);
        if ($value->nanoseconds !== 0 || $value->offset !== 0 || $value->zone !== 0) {
            $data .= \pack('Vvv', $value->nanoseconds, $value->offset & 0xffff, $value->zone & 0xffff);
        }

        return $packer->packExt(self::TYPE, $data);
    }

    /**
     * @throws \UnexpectedValueException when the data is neither 8 nor 16 bytes long
     */
    public function unpackExt(BufferUnpacker $unpacker, int $extLength): DateTime
    {
        if ($extLength !== 8 && $extLength !== 16) {
            throw new \UnexpectedValueException("a datetime has {$extLength} bytes, not 8 or 16");
        }
        $data = $unpacker->read($extLength) . ($extLength === 8 ? "\x00\x00\x00\x00\x00\x00\x00\x00" : '');
        /** @var array{s: int, n: int, o: int, z: int} $fields */
        $fields = \unpack('Ps/Vn/vo/vz', $data);

        return new DateTime($fields['s'], $fields['n'], self::int16($fields['o']), self::int16($fields['z']));
    }

    private static function int16(int $bits): int
    {
        return $bits < 0x8000 ? $bits : $bits - 0x10000;
    }
}
