<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Format;
use Polypack\Options\BigInts;
use Polypack\Type\Bin;
use Polypack\Type\UInt64;
use Polypack\Utf8;

/**
 * Decodes arrays and maps for the general decoder; see General for the parameters.
 *
 * Plan: open() and the heads; the elements; the entries; the keys of maps. LosslessMaps.php has the maps of lossless
 * mode. restOfArray() and restOfMap() decode the most common scalars in their loops, and call scalar() or value() for
 * all other values.
 *
 * key() decides what a key becomes, and restOfMap() refuses duplicates in strict mode. LosslessMaps.php does both for
 * lossless mode. LazyReads.php refuses duplicates in the maps on the path of a lazy read.
 *
 * @internal
 */
trait Containers
{
    // Heads

    /**
     * Checks that a container may be opened, and moves past its head. It checks the depth, the bytes left for the
     * children, and the budget of values. openContainer() also checks memory and collisions. The generated loops and
     * leap() make their own checks, but leave a container that must be refused to these methods.
     * Records/InlineReading.php makes the checks for records.
     */
    private function open(int $children, int $head, int $offset, int $depth, int $owed): void
    {
        if ($depth >= $this->maxDepth || $children + $owed > \strlen($this->buffer) - $offset || $children > $this->budget) {
            throw $this->refused($children, $owed, $head, $offset, $depth);
        }
        $this->budget -= $children;
        $this->offset = $offset;
    }

    /**
     * Reads the head of an array or a map, moves past it and returns the count.
     */
    private function openContainer(int $byte, int $head, int $depth, int $owed): int
    {
        if ($byte < 0xa0) { // fixmap, fixarray
            $count = $byte & 0x0f;
            $offset = $head + 1;
        } elseif (($byte & 1) === 0) { // array 16, map 16
            $count = $this->uint16($head, $depth);
            $offset = $head + 3;
        } else { // array 32, map 32
            $count = $this->uint32($head, $depth);
            $offset = $head + 5;
        }
        $isMap = $byte < 0x90 || $byte >= 0xde;
        $this->open($isMap ? 2 * $count : $count, $head, $offset, $depth, $owed);
        if ($count > 0) {
            $this->weigh($isMap ? $this->mapWeight($count) : self::ARRAY_WEIGHT + self::ELEMENT_WEIGHT * $count, $head, $depth);
        }
        if ($isMap && $count > Collisions::FREE && !$this->lossless && $this->collides($count, $head)) {
            throw $this->tooCostly($head, $depth);
        }

        return $count;
    }

    /**
     * Subtracts a weight in bytes from the memory that the message may still take.
     */
    private function weigh(int $weight, int $head, int $depth): void
    {
        if (($this->memory -= $weight) < 0) {
            throw $this->tooHeavy($head, $depth);
        }
    }

    /**
     * Returns the weight, in bytes, of a map that isn't empty. In lossless mode the map may become Entries, which hold
     * an array for each entry.
     */
    private function mapWeight(int $count): int
    {
        return self::MAP_WEIGHT + ($this->lossless ? self::ENTRY_WEIGHT + self::PAIR_WEIGHT : self::ENTRY_WEIGHT) * $count;
    }

    // Children

    /**
     * Decodes the elements of an array that are still missing.
     *
     * @param list<mixed> $array
     *
     * @return list<mixed>
     */
    private function restOfArray(array $array, int $count, int $offset, int $depth, int $owed): array
    {
        $buffer = $this->buffer;
        $end = \strlen($buffer);
        $fixintEnd = $this->fixintEnd;
        $checkUtf8 = $this->checkUtf8;
        for ($i = \count($array); $i < $count; ++$i) {
            if ($offset >= $end) {
                $this->trail[$depth] = $i;
                throw $this->noValue($offset, $depth + 1);
            }
            $byte = \ord($buffer[$offset]);
            if ($byte < $fixintEnd) { // positive fixint
                $array[] = $byte;
                ++$offset;
            } elseif ($byte >= 0xa0 && $byte < 0xc0) { // fixstr
                $length = $byte & 0x1f;
                $str = \substr($buffer, $offset + 1, $length);
                if (\strlen($str) < $length || ($checkUtf8 && !Utf8::isValid($str))) {
                    $this->trail[$depth] = $i;
                    throw $this->badStr($str, $length, $offset, $depth + 1);
                }
                $array[] = $str;
                $offset += $length + 1;
            } elseif ($byte === 0xc0) { // nil
                $array[] = null;
                ++$offset;
            } elseif ($byte === 0xcb && isset($buffer[$offset + 8])) { // float 64
                $array[] = \unpack('Ea', $buffer, $offset + 1)['a'];
                $offset += 9;
            } elseif ($byte > 0xc0 && $byte < 0xdc) {
                $this->trail[$depth] = $i;
                $array[] = $this->scalar($byte, $offset, $depth + 1, $owed + $count - $i - 1);
                $offset = $this->offset;
            } elseif (
                ($byte === 0x90 || $byte === 0x80)
                && $depth + 1 < $this->maxDepth
                && $owed + $count - $i <= $end - $offset // enough bytes are left for all values owed
            ) { // empty array, empty map
                $array[] = $byte === 0x80 && $this->lossless ? new \stdClass() : [];
                ++$offset;
            } else {
                $this->trail[$depth] = $i;
                $this->offset = $offset;
                $array[] = $this->value($depth + 1, $owed + $count - $i - 1);
                $offset = $this->offset;
            }
        }
        $this->offset = $offset;

        return $array;
    }

    /**
     * Decodes the entries of a map that are still missing.
     *
     * @param array<array-key, mixed> $map
     * @param int                     $count of the missing entries
     *
     * @return array<array-key, mixed>
     */
    private function restOfMap(array $map, int $count, int $offset, int $depth, int $owed): array
    {
        $buffer = $this->buffer;
        $end = \strlen($buffer);
        $fixintEnd = $this->fixintEnd;
        $strict = $this->strict; // equals $this->checkUtf8, because this method never runs in lossless mode
        $there = \count($map);
        // If the map already has SEEN entries, the generated loop has called reserveCapacity() before.
        $reserveAt = $there < self::SEEN && $there + $count > self::NARROW ? self::SEEN - $there : -1;
        for ($i = 0; $i < $count; ++$i) {
            if ($i === $reserveAt && $this->reserveCapacity($map, $there + $count, $this->maxDepth - $depth)) {
                $map = $this->withCapacity($map, $there + $count);
            }
            if ($offset >= $end) {
                throw $this->noValue($offset, $depth);
            }
            $keyHead = $offset;
            $keyByte = \ord($buffer[$offset]);
            if ($keyByte >= 0xa0 && $keyByte < 0xc0) { // fixstr
                $length = $keyByte & 0x1f;
                $key = \substr($buffer, $offset + 1, $length);
                if (\strlen($key) < $length || ($strict && !Utf8::isValid($key))) {
                    throw $this->badStr($key, $length, $offset, $depth);
                }
                $offset += $length + 1;
            } elseif ($keyByte < $fixintEnd) { // positive fixint
                $key = $keyByte;
                ++$offset;
            } else {
                $this->offset = $offset;
                $key = $this->key($keyByte, $depth);
                $offset = $this->offset;
            }
            if ($strict && \array_key_exists($key, $map)) {
                $this->trail[$depth] = self::step($key, $keyByte);
                throw $this->duplicateKey($keyHead, $depth + 1);
            }

            if ($offset >= $end) {
                $this->trail[$depth] = self::step($key, $keyByte);
                throw $this->noValue($offset, $depth + 1);
            }
            $byte = \ord($buffer[$offset]);
            if ($byte < $fixintEnd) { // positive fixint
                $map[$key] = $byte;
                ++$offset;
            } elseif ($byte >= 0xa0 && $byte < 0xc0) { // fixstr
                $length = $byte & 0x1f;
                $str = \substr($buffer, $offset + 1, $length);
                if (\strlen($str) < $length || ($strict && !Utf8::isValid($str))) {
                    $this->trail[$depth] = self::step($key, $keyByte);
                    throw $this->badStr($str, $length, $offset, $depth + 1);
                }
                $map[$key] = $str;
                $offset += $length + 1;
            } elseif ($byte === 0xc0) { // nil
                $map[$key] = null;
                ++$offset;
            } elseif ($byte === 0xc2 || $byte === 0xc3) { // false, true
                $map[$key] = $byte === 0xc3;
                ++$offset;
            } else {
                $this->trail[$depth] = $keyByte < 0xc4 || $keyByte > 0xc6 ? $key : self::step($key, $keyByte);
                $this->offset = $offset;
                $map[$key] = $byte < 0xdc && $byte >= 0xc0
                    ? $this->scalar($byte, $offset, $depth + 1, $owed + 2 * ($count - $i - 1))
                    : $this->value($depth + 1, $owed + 2 * ($count - $i - 1));
                $offset = $this->offset;
            }
        }
        $this->offset = $offset;

        return $map;
    }

    // Keys

    /**
     * Decodes a key, and refuses one that isn't int, str or bin. A fault in the key has the path of the map.
     *
     * @param int<0, 255> $byte
     */
    private function key(int $byte, int $depth): int|string
    {
        $head = $this->offset;
        if ($byte < 0x80) {
            if ($this->shared !== null) {
                $this->loadFor($this->shared, $byte, $head, $depth);
            }
            if ($this->declarations()->startsInstance($byte)) {
                throw $this->invalidKey('map', $head, $depth);
            }
        } elseif ($byte === 0xc1) {
            throw $this->reserved($head, $depth);
        } else {
            $family = Format::family($byte);
            if ($family !== 'int' && $family !== 'str' && $family !== 'bin') {
                if ($family === 'ext' && !isset($this->buffer[$head + self::headLength($byte) - 1])) {
                    throw $this->noHead($head, $depth); // ext or record: only the missing type byte can tell which
                }
                throw $this->invalidKey($family, $head, $depth);
            }
        }
        if ($byte === 0xcf) { // uint 64; above 2⁶³−1 digits, because objects can't be keys, or an error by option
            $bits = $this->int64($head, $depth);
            $this->offset = $head + 9;

            if ($bits >= 0) {
                return $bits;
            }
            $digits = UInt64::digits($bits);

            return $this->bigInts === BigInts::Refuse ? throw $this->bigIntRefused($digits, $head, $depth) : $digits;
        }
        $key = $this->value($depth, 0);
        \assert(\is_int($key) || \is_string($key));

        return $key;
    }

    /**
     * Returns a key as the trail keeps it. A Bin stands for a bin key, because paths show bin keys as hex.
     */
    private static function step(int|string $key, int $keyByte): int|string|Bin
    {
        return $keyByte >= 0xc4 && $keyByte <= 0xc6 ? new Bin((string) $key) : $key;
    }
}
