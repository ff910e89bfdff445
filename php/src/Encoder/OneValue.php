<?php

declare(strict_types=1);

namespace Polypack\Encoder;

use Polypack\Type\Timestamp;

/**
 * Scans the bytes that a pack() method returned; see Results. In a file of its own, because most packers don't need it.
 *
 * @internal
 */
final class OneValue
{
    /**
     * Length of the head in bytes, for each head byte from c0 to df. It includes the type byte of an ext, and all bytes
     * of a number.
     */
    private const LENGTHS = "\x01\x01\x01\x01\x02\x03\x05\x03\x04\x06\x05\x09\x02\x03\x05\x09"
        . "\x02\x03\x05\x09\x02\x02\x02\x02\x02\x02\x03\x05\x03\x05\x03\x05";

    /**
     * Tells whether the bytes are exactly one value. Also returns false if they contain an ext value of type 0x72,
     * which might declare a record. The caller then looks closer.
     *
     * @param int $depthLeft how many containers may be nested
     */
    public static function is(string $packed, int $depthLeft): bool
    {
        $end = \strlen($packed);
        $at = 0;
        $owed = 1;
        $mayBeTooDeep = $end > $depthLeft; // each level takes at least one byte
        $ends = []; // for each open container: $owed when it has ended
        $open = 0;
        while ($at < $end) {
            $byte = \ord($packed[$at]);
            if ($byte < 0x80 || $byte >= 0xe0) { // positive and negative fixint
                ++$at;
            } elseif (($length = $byte ^ 0xa0) < 0x20) { // fixstr
                $at += 1 + $length;
            } elseif ($byte < 0xa0 || $byte >= 0xdc) { // containers
                if ($byte < 0xa0) {
                    $children = $byte < 0x90 ? ($byte & 0x0f) << 1 : $byte & 0x0f;
                    ++$at;
                } else {
                    $head = \ord(self::LENGTHS[$byte - 0xc0]);
                    if ($at + $head > $end) {
                        return false;
                    }
                    $count = $head === 3 ? \ord($packed[$at + 1]) << 8 | \ord($packed[$at + 2]) : \unpack('Na', $packed, $at + 1)['a'];
                    $children = $byte < 0xde ? $count : 2 * $count;
                    $at += $head;
                }
                if ($mayBeTooDeep) {
                    while ($open > 0 && $ends[$open - 1] >= $owed) {
                        --$open;
                    }
                    if ($open >= $depthLeft) {
                        return false;
                    }
                    $ends[$open] = $owed - 1;
                    ++$open;
                }
                $owed += $children;
            } elseif ($byte < 0xc4 || ($byte >= 0xca && $byte < 0xd4)) { // nil, bool, numbers
                if ($byte === 0xc1) {
                    return false;
                }
                $at += \ord(self::LENGTHS[$byte - 0xc0]);
            } else {
                $head = \ord(self::LENGTHS[$byte - 0xc0]);
                if ($at + $head > $end) {
                    return false;
                }
                $length = match ($byte) {
                    0xc4, 0xc7, 0xd9 => \ord($packed[$at + 1]),
                    0xc5, 0xc8, 0xda => \ord($packed[$at + 1]) << 8 | \ord($packed[$at + 2]),
                    0xc6, 0xc9, 0xdb => \unpack('Na', $packed, $at + 1)['a'],
                    default => 1 << $byte - 0xd4, // fixext
                };
                $at += $head;
                if ($byte < 0xd9 && $byte > 0xc6) { // ext
                    $type = $packed[$at - 1];
                    if ($type === "\x72" || ($type === "\xff" && !Timestamp::isValid(\substr($packed, $at, $length)))) {
                        return false;
                    }
                }
                $at += $length;
            }
            if (--$owed === 0) {
                return $at === $end;
            }
        }

        return false;
    }
}
