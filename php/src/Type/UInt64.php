<?php

declare(strict_types=1);

namespace Polypack\Type;

use Polypack\CanBePacked;
use Polypack\Exception\PackingFailedException;
use Polypack\Packer;

/**
 * An unsigned 64-bit integer, 0 to 2⁶⁴−1. Lossless mode decodes integers above PHP_INT_MAX (2⁶³−1) to UInt64.
 *
 * @api
 */
final class UInt64 implements CanBePacked, \JsonSerializable, \Stringable
{
    /** @internal */
    public const MAX = '18446744073709551615';

    /** The number in decimal, without leading zeros. */
    public readonly string $digits;

    /**
     * @param string $digits the number in decimal
     *
     * @throws PackingFailedException `out_of_range` when it isn't an integer from 0 to 18446744073709551615
     */
    public function __construct(string $digits)
    {
        if (\preg_match('/^0*([0-9]+)$/D', $digits, $match) !== 1) {
            throw self::outOfRange($digits);
        }
        $digits = $match[1];
        $longer = \strlen($digits) - \strlen(self::MAX);
        if ($longer > 0 || ($longer === 0 && \strcmp($digits, self::MAX) > 0)) {
            throw self::outOfRange($digits);
        }

        $this->digits = $digits;
    }

    /**
     * Reads the 64 bits of an int as an unsigned number: -1 is 18446744073709551615.
     */
    public static function fromBits(int $bits): self
    {
        return new self(self::digits($bits));
    }

    /**
     * Returns the decimal digits of 64 bits, read as an unsigned number. The same string from sprintf() would take 320
     * bytes of memory rather than 48.
     *
     * @internal
     */
    public static function digits(int $bits): string
    {
        $half = $bits >> 1 & \PHP_INT_MAX;
        $tenth = \intdiv($half, 5);

        return ($tenth > 0 ? $tenth : '') . (2 * ($half - 5 * $tenth) + ($bits & 1));
    }

    /**
     * Returns the 64 bits as an int, which is negative from 2⁶³ on.
     */
    public function toBits(): int
    {
        $high = 0;
        $low = 0;
        foreach (\str_split($this->digits) as $digit) {
            $low = $low * 10 + (int) $digit;
            $high = $high * 10 + ($low >> 32);
            $low &= 0xffffffff;
        }

        return $high << 32 | $low;
    }

    public function __toString(): string
    {
        return $this->digits;
    }

    /**
     * Returns the digits as a string, because most readers of JSON lose digits of large numbers.
     */
    public function jsonSerialize(): string
    {
        return $this->digits;
    }

    public function pack(Packer $packer): string
    {
        $bits = $this->toBits();

        return $bits >= 0 ? $packer->packInt($bits) : "\xcf" . \pack('J', $bits);
    }

    private static function outOfRange(string $digits): PackingFailedException
    {
        return PackingFailedException::outOfRange('the integer', $digits, '0 to ' . self::MAX, '');
    }
}
