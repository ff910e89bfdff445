<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Exception\InsufficientDataException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Format;
use Polypack\Type\Bin;
use Polypack\Type\Entries;

/**
 * Unpacks a value of the kind that the caller expects. A value of another kind is the error `type_mismatch`.
 *
 * @internal
 */
trait Kinds
{
    /**
     * Unpacks a nil. If it fails, the read position stays where it was, as with all methods of this trait.
     *
     * @throws UnpackingFailedException `type_mismatch`
     */
    public function unpackNil(): null
    {
        $this->expect('nil');
        $this->decode();

        return null;
    }

    /**
     * Unpacks a bool.
     *
     * @throws UnpackingFailedException `type_mismatch`
     */
    public function unpackBool(): bool
    {
        $this->expect('bool');

        return $this->decode() === true;
    }

    /**
     * Unpacks an int of any width.
     *
     * @return int|float|string|object an int; above 2⁶³−1, the type that the BIGINT options or lossless mode choose
     *
     * @phpstan-return __benevolent<int|float|string|object>
     *
     * @throws UnpackingFailedException `type_mismatch`; `out_of_range` with BIGINT_THROW
     */
    public function unpackInt(): int|float|string|object
    {
        $this->expect('int');
        if ($this->records) {
            $this->expectNoRecord('int');
        }
        $int = $this->decode();
        \assert(\is_int($int) || \is_float($int) || \is_string($int) || \is_object($int));

        return $int;
    }

    /**
     * Unpacks a float 32 or float 64.
     *
     * @throws UnpackingFailedException `type_mismatch`, also for an int
     */
    public function unpackFloat(): float
    {
        $this->expect('float');
        $float = $this->decode();
        \assert(\is_float($float));

        return $float;
    }

    /**
     * Unpacks a str. In strict and lossless mode, a str that isn't UTF-8 is the error `invalid_utf8`.
     *
     * @throws UnpackingFailedException `type_mismatch`
     */
    public function unpackStr(): string
    {
        $this->expect('str');
        $str = $this->decode();
        \assert(\is_string($str));

        return $str;
    }

    /**
     * Unpacks a bin.
     *
     * @return string|Bin a Bin in lossless mode
     *
     * @phpstan-return __benevolent<string|Bin>
     *
     * @throws UnpackingFailedException `type_mismatch`
     */
    public function unpackBin(): string|Bin
    {
        $this->expect('bin');
        $bin = $this->decode();
        \assert(\is_string($bin) || $bin instanceof Bin);

        return $bin;
    }

    /**
     * Unpacks an array and everything in it.
     *
     * @return list<mixed>
     *
     * @throws UnpackingFailedException `type_mismatch`
     */
    public function unpackArray(): array
    {
        $this->expect('array');
        $array = $this->decode();
        \assert(\is_array($array) && \array_is_list($array));

        return $array;
    }

    /**
     * Unpacks a map or a record. Default mode also accepts an empty array, because an empty PHP array is packed as an
     * array even if a map is meant (spec/09-modes.md).
     *
     * @return array<array-key, mixed>|\stdClass|Entries
     *
     * @phpstan-return __benevolent<array<array-key, mixed>|\stdClass|Entries>
     *
     * @throws UnpackingFailedException `type_mismatch`; for a record also `invalid_record` and `unknown_record`
     */
    public function unpackMap(): array|\stdClass|Entries
    {
        if (!$this->records || !$this->expectsRecord()) {
            $this->expect('map');
        }
        $map = $this->decode(); // in default mode this may be an empty array
        \assert(\is_array($map) || $map instanceof \stdClass || $map instanceof Entries);

        return $map;
    }

    /**
     * Unpacks an ext value. Records aren't ext values, even if they start like one; unpackMap() reads records.
     *
     * @return mixed an Ext, a Timestamp, what the extension of the type returns, or null for JavaScript's undefined. In
     *               lossless mode undefined is an Ext
     *
     * @throws UnpackingFailedException `type_mismatch`
     */
    public function unpackExt(): mixed
    {
        $this->expect('ext');
        if ($this->records) {
            $this->expectNoRecord('ext');
        }

        return $this->decode();
    }

    /**
     * Unpacks the head of an array and leaves the elements, which may not be in the buffer yet.
     *
     * @return int<0, 4294967295> count of elements that the head claims. Don't allocate memory for that many
     *
     * @throws UnpackingFailedException `type_mismatch`
     */
    public function unpackArrayHeader(): int
    {
        $byte = $this->expect('array');

        return $this->count($byte, 0xdc);
    }

    /**
     * Unpacks the head of a map and leaves the keys and values, which may not be in the buffer yet. Default mode also
     * accepts an empty array. A record has no such head; unpackMap() reads records.
     *
     * @return int<0, 4294967295> count of entries that the head claims. Don't allocate memory for that many
     *
     * @throws UnpackingFailedException `type_mismatch`
     */
    public function unpackMapHeader(): int
    {
        $byte = $this->expect('map');

        return $this->count($byte, $byte < 0xde ? 0xdc : 0xde); // in default mode it may be an empty array
    }

    /**
     * Prepares to decode a value, checks that its head byte is of the family, and returns the head byte. If the head
     * byte is of an int or an ext, the value may still be a record. In default mode an empty array may stand for a map.
     *
     * @return int<0, 255>
     */
    private function expect(string $family): int
    {
        $this->begin();
        $head = $this->offset;
        if (!isset($this->buffer[$head])) {
            throw InsufficientDataException::value($this->base() + $head, '');
        }
        $byte = \ord($this->buffer[$head]);
        if ($byte === 0xc1) {
            $byte = $this->byteBehindHeader();
        }
        if (Format::family($byte) !== $family && ($family !== 'map' || $this->checkUtf8 || !$this->isEmptyArray($byte))) {
            throw $this->mismatch($family, $byte, $this->offset);
        }

        return $byte;
    }

    /**
     * Tells whether the next value is an array without elements, in whichever format.
     *
     * @param int<0, 255> $byte its head byte
     *
     * @throws UnpackingFailedException when the head is cut off
     */
    private function isEmptyArray(int $byte): bool
    {
        if ($byte !== 0xdc && $byte !== 0xdd) {
            return $byte === 0x90;
        }
        $head = $this->offset;
        $count = $this->count($byte, 0xdc);
        $this->offset = $head;

        return $count === 0;
    }

    /**
     * Moves past the dictionary header of the message, if it has one, and returns the head byte of its value.
     *
     * @return int<0, 255>
     *
     * @throws UnpackingFailedException
     */
    private function byteBehindHeader(): int
    {
        $this->beginMessage();
        if (isset($this->buffer[$this->offset]) && $this->buffer[$this->offset] !== "\xc1") {
            return \ord($this->buffer[$this->offset]);
        }
        isset($this->buffer[$this->offset])
            ? $this->reserved($this->offset, $this->ground)
            : $this->noValue($this->offset, $this->ground);
        throw $this->failure();
    }

    /**
     * @param int<0, 255> $byte
     */
    private function mismatch(string $family, int $byte, int $head): UnpackingFailedException
    {
        $found = $this->startsRecord($byte, $head) ? 'a record' : Format::name($byte);
        $this->offset = $this->start;

        return UnpackingFailedException::typeMismatch($family, $found, $this->base() + $head);
    }

    /**
     * Refuses a record that expect() took for an int or an ext. Called only if records are read.
     */
    private function expectNoRecord(string $family): void
    {
        $byte = \ord($this->buffer[$this->offset]);
        if ($this->startsRecord($byte, $this->offset)) {
            throw $this->mismatch($family, $byte, $this->offset);
        }
    }

    /**
     * Tells whether the next value is a record. If so, decode() can decode it afterwards.
     */
    private function expectsRecord(): bool
    {
        $this->beginMessage();
        if (isset($this->buffer[$this->offset]) && $this->startsRecord(\ord($this->buffer[$this->offset]), $this->offset)) {
            return true;
        }
        $this->offset = $this->start;

        return false;
    }

    /**
     * Tells whether the value at the head is a record, which counts as a map (spec/07-errors.md#which-fault-wins).
     *
     * @param int<0, 255> $byte
     *
     * @throws UnpackingFailedException for a record that can't be read, or when the buffer ends before the kind is
     *                                  known
     */
    private function startsRecord(int $byte, int $head): bool
    {
        try {
            if ($byte < 0x80) {
                return $byte >= $this->fixintEnd && $this->instanceNames($byte, $head, $this->ground) !== null;
            }
            if (Format::family($byte) !== 'ext') {
                return false;
            }
            $data = $head + self::headLength($byte);
            if (!isset($this->buffer[$data - 1])) {
                throw $this->noHead($head, $this->ground);
            }
            if ($this->buffer[$data - 1] !== "\x72" || $this->ownsRecordType) {
                return false;
            }
            $length = $this->bodyLength($byte, $head);
            if ($length !== 1 && $length !== 2) {
                return false;
            }
            if (!$this->records) {
                $this->value($this->ground, 0); // throws
            }

            return true;
        } catch (Unwind) {
            throw $this->failure();
        }
    }

    /**
     * @param int $wide the head byte of the 16-bit format
     *
     * @return int<0, 4294967295>
     */
    private function count(int $byte, int $wide): int
    {
        $head = $this->offset;
        if ($byte < 0xa0) {
            $this->offset = $head + 1;

            return $byte & 0x0f;
        }
        try {
            $count = $byte === $wide ? $this->uint16($head, $this->ground) : $this->uint32($head, $this->ground);
        } catch (Unwind) {
            throw $this->failure();
        }
        $this->offset = $head + ($byte === $wide ? 3 : 5);

        return $count;
    }
}
