<?php

declare(strict_types=1);

namespace Polypack\Extension\Tarantool;

use Polypack\Exception\PackingFailedException;
use Polypack\Type\Timestamp;

/**
 * A moment as Tarantool stores it: to the nanosecond, with the offset of its time zone and Tarantool's number for that
 * zone.
 *
 * @api
 */
final class DateTime
{
    private const MIN_OFFSET = -720;
    private const MAX_OFFSET = 840;

    /**
     * @param int $seconds     since 1970-01-01T00:00:00Z, negative before
     * @param int $nanoseconds 0 to 999999999; they count forward, also before 1970
     * @param int $offset      offset of the zone from UTC in minutes, -720 to 840
     * @param int $zone        Tarantool's number for the zone, -32768 to 32767; 0 for none. If there is one, Tarantool
     *                         uses it instead of the offset
     *
     * @throws PackingFailedException `out_of_range` for the offset or the zone, `invalid_timestamp` for the nanoseconds
     */
    public function __construct(
        public readonly int $seconds,
        public readonly int $nanoseconds = 0,
        public readonly int $offset = 0,
        public readonly int $zone = 0,
    ) {
        if ($nanoseconds < 0 || $nanoseconds > 999_999_999) {
            throw PackingFailedException::invalidTimestamp($nanoseconds);
        }
        if ($offset < self::MIN_OFFSET || $offset > self::MAX_OFFSET) {
            throw PackingFailedException::outOfRange('the offset', $offset, self::MIN_OFFSET . ' to ' . self::MAX_OFFSET, '');
        }
        if ($zone < -0x8000 || $zone > 0x7fff) {
            throw PackingFailedException::outOfRange('the zone', $zone, '-32768 to 32767', '');
        }
    }

    /**
     * Converts the moment without loss. Of the time zone, keeps only the offset in whole minutes, which must be -720 to
     * 840.
     */
    public static function fromDateTime(\DateTimeInterface $dateTime): self
    {
        $timestamp = Timestamp::fromDateTime($dateTime);

        return new self($timestamp->getSeconds(), $timestamp->getNanoseconds(), \intdiv($dateTime->getOffset(), 60));
    }

    /**
     * Converts the moment, floored to the microsecond. The result's time zone has the same offset. The zone number is
     * ignored.
     */
    public function toDateTime(): \DateTimeImmutable
    {
        $minutes = \abs($this->offset);
        $zone = \sprintf('%s%02d:%02d', $this->offset < 0 ? '-' : '+', \intdiv($minutes, 60), $minutes % 60);

        return (new Timestamp($this->seconds, $this->nanoseconds))->toDateTime()->setTimezone(new \DateTimeZone($zone));
    }
}
