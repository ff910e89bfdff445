<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Exception\Path;
use Polypack\Options\BigInts;
use Polypack\Type\Bin;
use Polypack\Type\Ext;
use Polypack\Type\UInt64;
use Polypack\Utf8;

/**
 * Decodes bytes into values (spec/02-wire.md).
 *
 * This is the general decoder, which obeys every option and finds every fault. The loops of the three modes
 * (DefaultLoops, StrictLoops, LosslessLoops) are fast versions of restOfArray() and restOfMap(), and in lossless mode
 * of losslessEntries(). They decode values that are valid and common. For any other value they call decodeUncommon(),
 * or hand the rest of the container over.
 *
 * Plan: value() and scalar() dispatch on the head byte; then come the numbers, str and bin. Containers.php has arrays
 * and maps, ExtValues.php has ext values, and Faults.php has the errors.
 *
 * Parameters with the same meaning everywhere: `head` is the offset of the head byte; `offset` is the offset after the
 * head; `depth` is the number of open containers around the value, which is also the length of its path; `owed` is how
 * many values these containers still have to deliver after the value (spec/06-limits.md#counts).
 *
 * The read position is $this->offset. Loops keep it in a local variable, which they store before a call and load after
 * it.
 *
 * @internal
 */
trait General
{
    private function value(int $depth, int $owed): mixed
    {
        $head = $this->offset;
        if (!isset($this->buffer[$head])) {
            throw $this->noValue($head, $depth);
        }
        $byte = \ord($this->buffer[$head]);
        if ($byte < 0x80) { // positive fixint
            if ($byte < $this->fixintEnd) {
                $this->offset = $head + 1;

                return $byte;
            }

            return $this->instanceOrInt($byte, $head, $depth, $owed);
        }
        if ($byte >= 0xe0) { // negative fixint
            $this->offset = $head + 1;

            return $byte - 0x100;
        }
        if ($byte >= 0xa0 && $byte < 0xdc) {
            return $byte < 0xc0
                ? $this->str($byte & 0x1f, $head, $head + 1, $depth) // fixstr
                : $this->scalar($byte, $head, $depth, $owed);
        }

        if ($this->loops !== self::GENERAL) {
            return $this->container($byte, $head, $depth, $owed);
        }
        $count = $this->openContainer($byte, $head, $depth, $owed);
        $offset = $this->offset;
        if ($byte >= 0x90 && $byte < 0xde) {
            return $this->restOfArray([], $count, $offset, $depth, $owed);
        }

        return $this->lossless
            ? $this->losslessEntries($count, $head, $offset, $depth, $owed)
            : $this->restOfMap([], $count, $offset, $depth, $owed);
    }

    /**
     * Decodes a value whose head byte is c0 to db: anything but fixints, fixstr, arrays and maps. An ext value may
     * declare a record.
     */
    private function scalar(int $byte, int $head, int $depth, int $owed): mixed
    {
        switch ($byte) {
            case 0xc0: // nil
                $this->offset = $head + 1;

                return null;
            case 0xc1: // never starts a value; in every mode the error is reserved_byte
                throw $this->reserved($head, $depth);
            case 0xc2: // false
                $this->offset = $head + 1;

                return false;
            case 0xc3: // true
                $this->offset = $head + 1;

                return true;
            case 0xc4: // bin 8
                return $this->bin($this->uint8($head, $depth), $head, $head + 2, $depth);
            case 0xc5: // bin 16
                return $this->bin($this->uint16($head, $depth), $head, $head + 3, $depth);
            case 0xc6: // bin 32
                return $this->bin($this->uint32($head, $depth), $head, $head + 5, $depth);
            case 0xc7: // ext 8
                return $this->ext($this->uint8($head, $depth), $head, $head + 2, $depth, $owed);
            case 0xc8: // ext 16
                return $this->ext($this->uint16($head, $depth), $head, $head + 3, $depth, $owed);
            case 0xc9: // ext 32
                return $this->ext($this->uint32($head, $depth), $head, $head + 5, $depth, $owed);
            case 0xca: // float 32
                return $this->float32($head, $depth);
            case 0xcb: // float 64
                return $this->float64($head, $depth);
            case 0xcc: // uint 8
                $number = $this->uint8($head, $depth);
                $this->offset = $head + 2;

                return $number;
            case 0xcd: // uint 16
                $number = $this->uint16($head, $depth);
                $this->offset = $head + 3;

                return $number;
            case 0xce: // uint 32
                $number = $this->uint32($head, $depth);
                $this->offset = $head + 5;

                return $number;
            case 0xcf: // uint 64
                $number = $this->int64($head, $depth);
                $this->offset = $head + 9;

                return $number >= 0 ? $number : $this->bigInt($number, $head, $depth);
            case 0xd0: // int 8
                $number = $this->uint8($head, $depth);
                $this->offset = $head + 2;

                return $number < 0x80 ? $number : $number - 0x100;
            case 0xd1: // int 16
                $number = $this->uint16($head, $depth);
                $this->offset = $head + 3;

                return $number < 0x8000 ? $number : $number - 0x10000;
            case 0xd2: // int 32
                $number = $this->uint32($head, $depth);
                $this->offset = $head + 5;

                return $number < 0x80000000 ? $number : $number - 0x100000000;
            case 0xd3: // int 64
                $number = $this->int64($head, $depth);
                $this->offset = $head + 9;

                return $number;
            case 0xd4: // fixext 1
            case 0xd5: // fixext 2
            case 0xd6: // fixext 4
            case 0xd7: // fixext 8
            case 0xd8: // fixext 16
                return $this->ext(1 << $byte - 0xd4, $head, $head + 1, $depth, $owed);
            case 0xd9: // str 8
                return $this->str($this->uint8($head, $depth), $head, $head + 2, $depth);
            case 0xda: // str 16
                return $this->str($this->uint16($head, $depth), $head, $head + 3, $depth);
            default: // str 32
                return $this->str($this->uint32($head, $depth), $head, $head + 5, $depth);
        }
    }

    // Numbers after a head byte

    /**
     * @return int<0, 255>
     */
    private function uint8(int $head, int $depth): int
    {
        if (!isset($this->buffer[$head + 1])) {
            throw $this->noHead($head, $depth);
        }

        return \ord($this->buffer[$head + 1]);
    }

    /**
     * @return int<0, 65535>
     */
    private function uint16(int $head, int $depth): int
    {
        if (!isset($this->buffer[$head + 2])) {
            throw $this->noHead($head, $depth);
        }

        return \ord($this->buffer[$head + 1]) << 8 | \ord($this->buffer[$head + 2]);
    }

    /**
     * @return int<0, 4294967295>
     */
    private function uint32(int $head, int $depth): int
    {
        if (!isset($this->buffer[$head + 4])) {
            throw $this->noHead($head, $depth);
        }

        return \unpack('Na', $this->buffer, $head + 1)['a'];
    }

    /**
     * Reads 64 bits as an int, which is negative for a uint 64 of 2⁶³ or more.
     */
    private function int64(int $head, int $depth): int
    {
        if (!isset($this->buffer[$head + 8])) {
            throw $this->noHead($head, $depth);
        }

        return \unpack('Ja', $this->buffer, $head + 1)['a'];
    }

    private function float32(int $head, int $depth): float
    {
        if (!isset($this->buffer[$head + 4])) {
            throw $this->noHead($head, $depth);
        }
        $this->offset = $head + 5;

        return \unpack('Ga', $this->buffer, $head + 1)['a'];
    }

    private function float64(int $head, int $depth): float
    {
        if (!isset($this->buffer[$head + 8])) {
            throw $this->noHead($head, $depth);
        }
        $this->offset = $head + 9;

        return \unpack('Ea', $this->buffer, $head + 1)['a'];
    }

    /**
     * Converts an integer above 2⁶³−1, given by its 64 bits, to the type that the mode and the options ask for.
     */
    private function bigInt(int $bits, int $head, int $depth): float|string|object
    {
        if ($this->lossless || $this->bigInts->makeObjects()) {
            $this->weigh(self::OBJECT_WEIGHT, $head, $depth);
        }
        if ($this->lossless) {
            return UInt64::fromBits($bits);
        }
        $digits = UInt64::digits($bits);

        return match ($this->bigInts) {
            BigInts::Str => $digits,
            BigInts::Gmp => \gmp_init($digits),
            BigInts::Dec => new \Decimal\Decimal($digits),
            BigInts::BcMath => new \BcMath\Number($digits),
            BigInts::Float => (float) $digits,
            BigInts::Refuse => throw $this->bigIntRefused($digits, $head, $depth),
        };
    }

    // Bytes

    private function str(int $length, int $head, int $offset, int $depth): string
    {
        if ($length > \strlen($this->buffer) - $offset) {
            throw $this->noBody($length, $head, $offset, $depth);
        }
        $str = \substr($this->buffer, $offset, $length);
        if ($this->checkUtf8 && !Utf8::isValid($str)) {
            throw $this->invalidUtf8($head, $depth);
        }
        $this->offset = $offset + $length;

        return $str;
    }

    private function bin(int $length, int $head, int $offset, int $depth): string|Bin
    {
        if ($length > \strlen($this->buffer) - $offset) {
            throw $this->noBody($length, $head, $offset, $depth);
        }
        $bin = \substr($this->buffer, $offset, $length);
        $this->offset = $offset + $length;
        if (!$this->lossless) {
            return $bin;
        }
        $this->weigh(self::OBJECT_WEIGHT, $head, $depth);

        return new Bin($bin);
    }
}
