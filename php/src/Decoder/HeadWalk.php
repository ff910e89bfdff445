<?php

declare(strict_types=1);

namespace Polypack\Decoder;

/**
 * Finds the end of a value by its heads alone. It doesn't check text, keys, depth or ext values.
 *
 * @internal
 */
final class HeadWalk
{
    /**
     * Length of the head for each head byte from c0 to df. It includes the type of an ext, and all bytes of a number.
     */
    private const LENGTHS = "\x01\x01\x01\x01\x02\x03\x05\x03\x04\x06\x05\x09\x02\x03\x05\x09"
        . "\x02\x03\x05\x09\x02\x02\x02\x02\x02\x02\x03\x05\x03\x05\x03\x05";

    /**
     * Returns the offset after the value at $at, or null when the buffer ends before the value does. If a head byte is
     * the reserved c1, returns the bitwise complement of the offset of the c1.
     */
    public static function end(string $buffer, int $at): ?int
    {
        $end = \strlen($buffer);
        $owed = 1;
        // Stops when more values are owed than bytes are left, because each value takes at least one byte.
        while ($at < $end && $owed <= $end - $at) {
            $byte = \ord($buffer[$at]);
            if ($byte < 0x80 || $byte >= 0xe0) { // fixint
                ++$at;
            } elseif ($byte < 0xa0) { // fixmap, fixarray
                $owed += $byte < 0x90 ? ($byte & 0x0f) << 1 : $byte & 0x0f;
                ++$at;
            } elseif ($byte < 0xc0) { // fixstr
                $at += 1 + ($byte & 0x1f);
            } elseif ($byte === 0xc1) {
                return ~$at;
            } else {
                $head = \ord(self::LENGTHS[$byte - 0xc0]);
                if ($at + $head > $end) {
                    return null;
                }
                $length = match ($byte) {
                    0xc4, 0xc7, 0xd9 => \ord($buffer[$at + 1]),
                    0xc5, 0xc8, 0xda, 0xdc, 0xde => \ord($buffer[$at + 1]) << 8 | \ord($buffer[$at + 2]),
                    0xc6, 0xc9, 0xdb, 0xdd, 0xdf => \unpack('Na', $buffer, $at + 1)['a'],
                    0xd4, 0xd5, 0xd6, 0xd7, 0xd8 => 1 << $byte - 0xd4,
                    default => 0, // nil, bool, numbers
                };
                if ($byte >= 0xdc) { // array 16 to map 32
                    $owed += $byte < 0xde ? $length : 2 * $length;
                    $length = 0;
                }
                $at += $head + $length;
            }
            if (--$owed === 0) {
                return $at <= $end ? $at : null;
            }
        }

        return null;
    }
}
