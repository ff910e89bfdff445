<?php

declare(strict_types=1);

namespace Polypack\Type;

use Polypack\CanBePacked;
use Polypack\Exception\PackingFailedException;
use Polypack\Packer;

/**
 * A moment to the nanosecond (spec/04-timestamp.md), packed as ext type -1 in the smallest form that holds it.
 *
 * split() decodes the bytes. plainTimestamp() in Decoder/Loops.php decodes valid ones without copying them.
 *
 * @api
 */
final class Timestamp implements CanBePacked, \JsonSerializable, \Stringable
{
    // Nothing changes these properties after construction. They have defaults, and are neither readonly nor promoted,
    // because PHP takes longer to write a property that has no value yet.

    private int $seconds = 0;
    private int $nanoseconds = 0;

    /**
     * @param int $seconds     since 1970-01-01T00:00:00Z, negative before
     * @param int $nanoseconds 0 to 999999999; they count forward, also before 1970
     *
     * @throws PackingFailedException `invalid_timestamp`
     */
    public function __construct(int $seconds, int $nanoseconds = 0)
    {
        if ($nanoseconds < 0 || $nanoseconds > 999_999_999) {
            throw PackingFailedException::invalidTimestamp($nanoseconds);
        }
        $this->seconds = $seconds;
        $this->nanoseconds = $nanoseconds;
    }

    /**
     * Returns the current moment, to the microsecond.
     */
    public static function now(): self
    {
        return self::fromDateTime(new \DateTimeImmutable());
    }

    /**
     * Converts without loss: the microseconds become nanoseconds.
     */
    public static function fromDateTime(\DateTimeInterface $dateTime): self
    {
        return new self($dateTime->getTimestamp(), (int) $dateTime->format('u') * 1000);
    }

    /**
     * Converts to UTC and floors to the microsecond.
     */
    public function toDateTime(): \DateTimeImmutable
    {
        $utc = new \DateTimeImmutable('@0');
        $moment = $utc->setTimestamp($this->seconds);
        $microseconds = \intdiv($this->nanoseconds, 1000);

        return $moment->setTime(
            (int) $moment->format('G'),
            (int) $moment->format('i'),
            (int) $moment->format('s'),
            $microseconds,
        );
    }

    /**
     * Reads the data of an ext value, which must be valid: 4, 8 or 12 bytes, with nanoseconds up to 999999999.
     *
     * @internal
     */
    public static function fromData(string $data): self
    {
        [$seconds, $nanoseconds] = self::split($data);

        return new self($seconds, $nanoseconds);
    }

    /**
     * Splits data of 4, 8 or 12 bytes into seconds and nanoseconds. The nanoseconds may exceed 999999999.
     *
     * @internal
     *
     * @return array{int, int}
     */
    public static function split(string $data): array
    {
        if (\strlen($data) === 4) { // timestamp 32
            /** @var array{s: int} $n */
            $n = \unpack('Ns', $data);

            return [$n['s'], 0];
        }
        if (\strlen($data) === 8) { // timestamp 64
            /** @var array{b: int} $n */
            $n = \unpack('Jb', $data);

            // The shift copies the sign bit, so the mask keeps only the 30 bits of the nanoseconds.
            return [$n['b'] & 0x3ffffffff, $n['b'] >> 34 & 0x3fffffff];
        }
        /** @var array{n: int, s: int} $n */
        $n = \unpack('Nn/Js', $data); // timestamp 96

        return [$n['s'], $n['n']];
    }

    /**
     * Tells whether the data of an ext value is a timestamp.
     *
     * @internal
     */
    public static function isValid(string $data): bool
    {
        $length = \strlen($data);

        return ($length === 4 || $length === 8 || $length === 12) && self::split($data)[1] <= 999_999_999;
    }

    /**
     * Returns the seconds since 1970-01-01T00:00:00Z, negative before.
     */
    public function getSeconds(): int
    {
        return $this->seconds;
    }

    /**
     * Returns the nanoseconds to add to getSeconds(), 0 to 999999999.
     */
    public function getNanoseconds(): int
    {
        return $this->nanoseconds;
    }

    /**
     * Returns the moment in UTC in ISO 8601 form, with nanoseconds as a fraction: 2026-03-01T11:00:00.25Z.
     */
    public function __toString(): string
    {
        $fraction = $this->nanoseconds === 0 ? '' : '.' . \rtrim(\sprintf('%09d', $this->nanoseconds), '0');

        return (new \DateTimeImmutable('@0'))->setTimestamp($this->seconds)->format('Y-m-d\TH:i:s') . $fraction . 'Z';
    }

    public function jsonSerialize(): string
    {
        return (string) $this;
    }

    public function pack(Packer $packer): string
    {
        $seconds = $this->seconds;
        if ($seconds >> 34 !== 0) {
            return "\xc7\x0c\xff" . \pack('NJ', $this->nanoseconds, $seconds); // timestamp 96
        }
        if ($this->nanoseconds === 0 && $seconds <= 0xffffffff) {
            return "\xd6\xff" . \pack('N', $seconds); // timestamp 32
        }

        return "\xd7\xff" . \pack('J', $this->nanoseconds << 34 | $seconds); // timestamp 64
    }
}
