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
    /** The part of WHOLE for the head bytes from 80 on. */
    private const FROM_80 = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
        . "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
        . "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10"
        . "\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x20"
        . "\x01\x00\x01\x01\x00\x00\x00\x00\x00\x00\x05\x09\x02\x03\x05\x09"
        . "\x02\x03\x05\x09\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
        . "\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01"
        . "\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01";

    /** The part of WHOLE for 64 positive fixints. */
    private const FIXINTS = "\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01"
        . "\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01"
        . "\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01"
        . "\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01";

    /**
     * Length of a value in bytes, for each head byte; 0 for containers, and for heads that have a length or a type.
     * Transformers often return values of up to 9 bytes. For most of these, this table is all that the check needs.
     */
    public const WHOLE = self::FIXINTS . self::FIXINTS . self::FROM_80;

    /** The same for messages with records, in which a byte from 40 to 7f is no integer. */
    public const WHOLE_WITH_RECORDS = self::FIXINTS
        . "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
        . "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
        . "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
        . "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
        . self::FROM_80;

    /** Length of a head in bytes, for each head byte from c4 to df that has 0 in WHOLE. Counts the type of an ext. */
    private const HEADS = "\x02\x03\x05\x03\x04\x06\x00\x00\x00\x00\x00\x00"
        . "\x00\x00\x00\x00\x02\x02\x02\x02\x02\x02\x03\x05\x03\x05\x03\x05";

    /**
     * Tells whether the bytes are exactly one value. Also returns false if they contain an ext value of type 0x72,
     * which might declare a record, or a positive fixint from $fixintEnd on. The caller then looks closer.
     *
     * @param string $packed
     * @param int    $depthLeft how many containers may be nested
     * @param int    $fixintEnd 0x40 in messages with records, otherwise 0x80
     *
     * @return bool
     */
    public static function is($packed, $depthLeft, $fixintEnd)
    {
        $end = \strlen($packed);
        $at = 0;
        $owed = 1;
        $mayBeTooDeep = $end > $depthLeft; // each container takes at least one byte
        $ends = []; // for each open container: $owed when it has ended
        $open = 0;
        while ($at < $end) {
            $byte = \ord($packed[$at]);
            if ($byte < $fixintEnd) { // positive fixint
                ++$at;
            } elseif (($byte & 0xe0) === 0xa0) { // fixstr
                $at += $byte - 0x9f;
            } elseif ($byte >= 0xc0 && ($size = \ord(self::WHOLE[$byte])) !== 0) { // nil, bool, numbers
                $at += $size;
            } elseif ($byte < 0xa0 || $byte >= 0xdc) { // containers
                if ($byte < 0xa0) {
                    if ($byte < 0x80) {
                        return false;
                    }
                    $children = $byte < 0x90 ? ($byte & 0x0f) << 1 : $byte & 0x0f;
                    ++$at;
                } else {
                    $head = \ord(self::HEADS[$byte - 0xc4]);
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
            } elseif ($byte === 0xd9) { // str 8
                $at += 2 + \ord($packed[$at + 1] ?? "\0");
            } elseif ($byte === 0xc1) {
                return false;
            } else {
                $head = \ord(self::HEADS[$byte - 0xc4]);
                if ($at + $head > $end) {
                    return false;
                }
                $length = match ($byte) {
                    0xc4, 0xc7 => \ord($packed[$at + 1]),
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
