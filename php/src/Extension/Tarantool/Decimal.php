<?php

declare(strict_types=1);

namespace Polypack\Extension\Tarantool;

use Polypack\Exception\PackingFailedException;

/**
 * A decimal of Tarantool, of up to 38 digits, all of which may follow the point. Keeps trailing zeros and the sign of
 * zero.
 *
 * @api
 */
final class Decimal implements \Stringable
{
    public const MAX_DIGITS = 38;

    /** The number without an exponent, such as "-12.340". */
    public readonly string $number;

    /** Number of digits after the point. */
    public readonly int $scale;

    /**
     * @param string $number in decimal, with or without an exponent, such as "-12.34" or "1e33"
     *
     * @throws PackingFailedException `out_of_range` when $number isn't a number, or has too many digits
     */
    public function __construct(string $number)
    {
        if (\preg_match('/^([+-]?)0*([0-9]+)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,9}))?$/D', $number, $match) !== 1) {
            throw self::outOfRange($number);
        }
        $fraction = $match[3] ?? '';
        $digits = $match[2] . $fraction;
        $scale = \strlen($fraction) - (int) ($match[4] ?? 0);
        $significant = \ltrim($digits, '0');
        if (\max(\strlen($significant), \strlen($significant) - $scale, $scale) > self::MAX_DIGITS) {
            throw self::outOfRange($number);
        }
        if ($scale < 0) {
            $significant .= $significant === '' ? '' : \str_repeat('0', -$scale);
            $scale = 0;
        }
        $padded = \str_pad($significant, $scale + 1, '0', \STR_PAD_LEFT);
        $sign = $match[1] === '-' ? '-' : '';

        $this->scale = $scale;
        $this->number = $sign . ($scale === 0 ? $padded : \substr($padded, 0, -$scale) . '.' . \substr($padded, -$scale));
    }

    public function __toString(): string
    {
        return $this->number;
    }

    private static function outOfRange(string $number): PackingFailedException
    {
        return PackingFailedException::outOfRange('the decimal', $number, 'a number of up to 38 digits', '');
    }
}
