<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Type\Timestamp;

/**
 * Steps over values for lazy reads, if possible without decoding them.
 *
 * In default mode without records, only the heads are checked: truncation, reserved bytes, depth, counts, maxValues,
 * and declarations of records. Otherwise the value is decoded, because its text, keys and declarations matter.
 *
 * @internal
 */
trait Stepping
{
    /**
     * Length of the head for each head byte from c4 to db. It includes the type of an ext, and all bytes of a number.
     */
    private const HEAD_LENGTHS = "\x02\x03\x05\x03\x04\x06\x05\x09\x02\x03\x05\x09\x02\x03\x05\x09\x02\x02\x02\x02\x02\x02\x03\x05";

    /**
     * Steps over the value at the read position; see General for the parameters.
     *
     * If leap() declines, value() decodes the value or notes the fault.
     */
    private function stepOver(int $depth, int $owed): void
    {
        if ($this->checkUtf8 || $this->records || $this->leap(1, $depth, $owed) < 0) {
            $this->value($depth, $owed);
        }
    }

    /**
     * Steps over values by their heads. Returns how deep their containers nest. If value() has to decode one of the
     * values, returns -1 and doesn't move.
     *
     * @param bool $checksTimestamps whether value() has to decode timestamps that aren't valid
     */
    private function leap(int $values, int $depth, int $owed, bool $checksTimestamps = false): int
    {
        $buffer = $this->buffer;
        $offset = $this->offset;
        $end = \strlen($buffer);
        $budget = $this->budget;
        $depthLeft = $this->maxDepth - $depth;
        $deepest = 0;
        $todo = $values; // values that are still to come
        $ends = []; // for each container around the next value: $todo when that container has ended
        $open = 0;
        while ($todo > 0) {
            if ($offset >= $end) {
                return -1;
            }
            --$todo;
            $byte = \ord($buffer[$offset]);
            if ($byte < 0x80 || $byte >= 0xe0) { // positive and negative fixint
                ++$offset;
            } elseif ($byte >= 0xa0 && $byte < 0xc0) { // fixstr
                $offset += 1 + ($byte & 0x1f);
            } elseif ($byte < 0xa0 || $byte >= 0xdc) { // containers
                if ($byte < 0xa0) {
                    $count = $byte & 0x0f;
                    ++$offset;
                } else {
                    $wide = ($byte & 1) === 0 ? 2 : 4;
                    if ($offset + $wide >= $end) {
                        return -1;
                    }
                    $count = $this->bigEndian($offset + 1, $wide);
                    $offset += 1 + $wide;
                }
                $children = ($byte >= 0x90 && $byte < 0xa0) || $byte === 0xdc || $byte === 0xdd ? $count : 2 * $count;
                while ($open > 0 && $ends[$open - 1] > $todo) {
                    --$open;
                }
                if ($open >= $depthLeft || $children + $todo + $owed > $end - $offset || $children > $budget) {
                    return -1;
                }
                $ends[$open] = $todo;
                ++$open;
                $deepest = \max($deepest, $open);
                $budget -= $children;
                $todo += $children;
            } elseif ($byte < 0xc4) {
                if ($byte === 0xc1) {
                    return -1;
                }
                ++$offset; // nil, false, true
            } else {
                $length = self::headLength($byte);
                if ($offset + $length > $end) {
                    return -1;
                }
                if ($byte < 0xca || $byte > 0xd3) {
                    $body = $this->bodyLength($byte, $offset);
                    if (
                        $byte < 0xd9 && $byte > 0xc6 && ($body === 1 || $body === 2)
                        && $buffer[$offset + $length - 1] === "\x72" && !$this->ownsRecordType
                    ) {
                        return -1; // the declaration of a record
                    }
                    if (
                        $checksTimestamps && $byte < 0xd9 && $byte > 0xc6 && $buffer[$offset + $length - 1] === "\xff"
                        && !Timestamp::isValid(\substr($buffer, $offset + $length, $body))
                    ) {
                        return -1;
                    }
                    $length += $body;
                }
                $offset += $length;
            }
        }
        if ($offset > $end) {
            return -1;
        }
        $this->offset = $offset;
        $this->budget = $budget;

        return $deepest;
    }

    /**
     * Notes the fault at which leap() gave up. Like leap() and unlike value(), this method accepts keys of every kind,
     * and repeated keys.
     */
    private function findFault(int $depth, int $owed): void
    {
        $byte = \ord($this->buffer[$this->offset] ?? "\xc0");
        if ($byte < 0x80 || ($byte >= 0xa0 && $byte < 0xdc) || $byte >= 0xe0) {
            $this->value($depth, $owed);

            return;
        }
        $count = $this->openContainer($byte, $this->offset, $depth, $owed);
        $isMap = $byte < 0x90 || $byte >= 0xde;
        for ($i = 0; $i < $count; ++$i) {
            $behind = $owed + ($isMap ? 2 * ($count - $i - 1) : $count - $i - 1);
            $this->trail[$depth] = $i;
            if ($isMap) {
                $head = $this->offset;
                $pathEnd = $this->pathEnd;
                $this->pathEnd = \min($pathEnd, $depth);
                $this->findFault($depth + 1, $behind + 1);
                $this->pathEnd = $pathEnd;
                $this->trail[$depth] = $this->keyBetween($head, $this->offset, $i);
            }
            $this->findFault($depth + 1, $behind);
        }
    }

    /**
     * Returns a copy of the buffer in which each positive fixint from 64 to 127 has become a uint 8. In a message with
     * records, such a fixint could be read as an id. The values must be well-formed.
     *
     * @internal
     */
    public function widened(): string
    {
        $buffer = $this->buffer;
        $end = \strlen($buffer);
        $out = '';
        $copied = 0;
        $offset = 0;
        while ($offset < $end) {
            $byte = \ord($buffer[$offset]);
            if ($byte < 0x80) { // positive fixint
                if ($byte >= 0x40) {
                    $out .= \substr($buffer, $copied, $offset - $copied) . "\xcc";
                    $copied = $offset;
                }
                ++$offset;
            } elseif ($byte < 0xc4 || $byte >= 0xe0) { // fixmap, fixarray, fixstr, nil, false, true, negative fixint
                $offset += $byte >= 0xa0 && $byte < 0xc0 ? 1 + ($byte & 0x1f) : 1;
            } elseif ($byte >= 0xdc) { // array 16 to map 32
                $offset += ($byte & 1) === 0 ? 3 : 5;
            } else {
                $body = $byte < 0xca || $byte > 0xd3 ? $this->bodyLength($byte, $offset) : 0;
                $offset += self::headLength($byte) + $body;
            }
        }

        return $out . \substr($buffer, $copied);
    }

    /**
     * @param int $byte c4 to db
     */
    private static function headLength(int $byte): int
    {
        return \ord(\substr(self::HEAD_LENGTHS, $byte - 0xc4, 1));
    }

    /**
     * Reads the length of the body of a bin, ext or str whose head byte is c4 to c9 or d4 to db.
     */
    private function bodyLength(int $byte, int $head): int
    {
        return match ($byte) {
            0xc4, 0xc7, 0xd9 => $this->bigEndian($head + 1, 1),
            0xc5, 0xc8, 0xda => $this->bigEndian($head + 1, 2),
            0xc6, 0xc9, 0xdb => $this->bigEndian($head + 1, 4),
            default => 1 << $byte - 0xd4, // fixext
        };
    }

    /**
     * Reads a number that is known to be in the buffer.
     *
     * @param int $length 1, 2 or 4 bytes
     */
    private function bigEndian(int $offset, int $length): int
    {
        $number = 0;
        for ($i = 0; $i < $length; ++$i) {
            $number = $number << 8 | \ord($this->buffer[$offset + $i]);
        }

        return $number;
    }
}
