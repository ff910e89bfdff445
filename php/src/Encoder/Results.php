<?php

declare(strict_types=1);

namespace Polypack\Encoder;

use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Raw;

/**
 * Checks that the pack() methods of objects and transformers return exactly one value. Anything else would make the
 * message unreadable, or change its meaning.
 *
 * A result is called foreign if it isn't the string $own, which this packer has made itself. If pack() methods call
 * each other, only the outermost result is scanned, because it contains the inner results. The scan is skipped if no
 * result is foreign.
 *
 * @internal
 */
trait Results
{
    /**
     * Length of the head in bytes, for each head byte from c0 to df. It includes the type byte of an ext, and all bytes
     * of a number.
     */
    private const LENGTHS = "\x01\x01\x01\x01\x02\x03\x05\x03\x04\x06\x05\x09\x02\x03\x05\x09"
        . "\x02\x03\x05\x09\x02\x02\x02\x02\x02\x02\x03\x05\x03\x05\x03\x05";

    /**
     * @var ?string the last bytes that this packer made and kept for a pack() method, which may return them. Comparing
     * a result with this string is cheap if both are the same string, because PHP compares addresses first
     */
    private $own;
    /** @var bool whether an inner result was foreign, so that the outermost result must be scanned */
    private $hasForeign = false;

    /**
     * Checks a result that is foreign or contains a foreign result. An inner result is checked later, as a part of the
     * outermost one.
     *
     * @param object $asked       the object that the error names, usually the one that returned the result
     * @param bool   $isOutermost whether no other pack() method is running around it
     *
     * @throws PackingFailedException with the code of the fault, such as `unexpected_end` or `trailing_data`
     */
    private function checkResult(string $packed, object $asked, int $depth, bool $isOutermost): void
    {
        if (!$isOutermost) {
            $this->hasForeign = true;

            return;
        }
        $this->hasForeign = false;
        $this->own = null;
        if (self::isOneValue($packed)) {
            return;
        }
        try {
            (new Raw($packed))->nesting($this->ownsRecordType && $this->shapes === null);
        } catch (UnpackingFailedException $cause) {
            throw PackingFailedException::badResult($asked, $cause, $this->path($depth));
        }
    }

    /**
     * Tells whether the bytes are exactly one value. Also returns false if they contain an ext value of type 0x72,
     * which might declare a record. checkResult() then looks closer.
     */
    private static function isOneValue(string $packed): bool
    {
        $end = \strlen($packed);
        $at = 0;
        $owed = 1;
        while ($at < $end) {
            $byte = \ord($packed[$at]);
            if ($byte < 0x80 || $byte >= 0xe0) { // positive and negative fixint
                ++$at;
            } elseif (($length = $byte ^ 0xa0) < 0x20) { // fixstr
                $at += 1 + $length;
            } elseif ($byte < 0xa0) { // fixmap, fixarray
                $owed += $byte < 0x90 ? ($byte & 0x0f) << 1 : $byte & 0x0f;
                ++$at;
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
                    0xc5, 0xc8, 0xda, 0xdc, 0xde => \ord($packed[$at + 1]) << 8 | \ord($packed[$at + 2]),
                    0xc6, 0xc9, 0xdb, 0xdd, 0xdf => \unpack('Na', $packed, $at + 1)['a'],
                    default => 1 << $byte - 0xd4, // fixext
                };
                if ($byte >= 0xdc) { // array 16 to map 32
                    $owed += $byte < 0xde ? $length : 2 * $length;
                    $length = 0;
                } elseif (($byte < 0xd9 && $byte > 0xc6) && $packed[$at + $head - 1] === "\x72") {
                    return false;
                }
                $at += $head + $length;
            }
            if (--$owed === 0) {
                return $at === $end;
            }
        }

        return false;
    }
}
