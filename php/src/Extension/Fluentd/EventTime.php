<?php

declare(strict_types=1);

namespace Polypack\Extension\Fluentd;

use Polypack\CanBePacked;
use Polypack\Exception\PackingFailedException;
use Polypack\Packer;
use Polypack\Type\Timestamp;

/**
 * The time of an event in Fluentd's forward protocol, to the nanosecond. It packs itself as extension type 0. To unpack
 * it, register EventTimeExtension.
 *
 * @api
 */
final class EventTime implements CanBePacked
{
    /**
     * @param int $seconds     since 1970-01-01T00:00:00Z, 0 to 4294967295
     * @param int $nanoseconds 0 to 999999999
     *
     * @throws PackingFailedException `out_of_range` for the seconds, `invalid_timestamp` for the nanoseconds
     */
    public function __construct(public readonly int $seconds, public readonly int $nanoseconds = 0)
    {
        if ($seconds < 0 || $seconds > 0xffffffff) {
            throw PackingFailedException::outOfRange('the seconds', $seconds, '0 to 4294967295', '');
        }
        if ($nanoseconds < 0 || $nanoseconds > 999_999_999) {
            throw PackingFailedException::invalidTimestamp($nanoseconds);
        }
    }

    /**
     * Returns the current time, to the microsecond.
     */
    public static function now(): self
    {
        return self::fromDateTime(new \DateTimeImmutable());
    }

    /**
     * Converts the moment without loss. The time zone isn't kept.
     *
     * @throws PackingFailedException `out_of_range` before 1970 and from 2106-02-07T06:28:16Z on
     */
    public static function fromDateTime(\DateTimeInterface $dateTime): self
    {
        $timestamp = Timestamp::fromDateTime($dateTime);

        return new self($timestamp->getSeconds(), $timestamp->getNanoseconds());
    }

    /**
     * Converts to UTC and floors to the microsecond.
     */
    public function toDateTime(): \DateTimeImmutable
    {
        return (new Timestamp($this->seconds, $this->nanoseconds))->toDateTime();
    }

    public function pack(Packer $packer): string
    {
        return $packer->packExt(EventTimeExtension::TYPE, \pack('NN', $this->seconds, $this->nanoseconds));
    }
}
