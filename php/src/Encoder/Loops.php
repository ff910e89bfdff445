<?php

declare(strict_types=1);

namespace Polypack\Encoder;

use Polypack\Exception\PackingFailedException;
use Polypack\Type\Bin;
use Polypack\Type\UInt64;

/**
 * Packs ints, and heads that have a length or a count, in the shortest form (spec/02-wire.md). If records are written,
 * the ints 64 to 127 take two bytes. Also declares what the default loops need from a packer. This file is small,
 * because almost every request that packs loads it.
 *
 * Parameters with the same meaning everywhere: `depth` is the number of open containers around the value, which is also
 * the length of its path; `out` is the buffer that containers are appended to.
 *
 * @internal
 */
abstract class Loops
{
    // The properties have no native types, because PHP would check them on each assignment and, with a JIT, on each
    // read.

    /**
     * @var int the first int that isn't packed as a positive fixint: 0x80, or 0x40 if records are written, because the
     *     bytes from 0x40 on may be ids
     */
    protected $fixintEnd = 0x80;
    /**
     * @var int Limits::$maxDepth, minus one for each enclosing object that has written the head of a container itself.
     *     The default equals Format::MAX_DEPTH. Naming that constant would load its class
     */
    protected $maxDepth = 512;
    /** @var array<int, int|string|Bin|UInt64|array{int}> entry d leads from the container at depth d to its child */
    protected $trail = [];

    /**
     * Appends the numbers at the start of a list, many numbers of one width at a time.
     *
     * @param array<array-key, mixed> $list  has at least one element
     * @param int                     $count of elements
     * @param string                  $out
     *
     * @return int how many were appended
     */
    abstract protected function appendNumbers($list, $count, &$out);

    /**
     * Appends the objects at the start of a list, if they pack themselves or transformers are registered.
     *
     * @param non-empty-array<array-key, mixed> $list
     * @param int                               $depth
     * @param string                            $out
     *
     * @return int how many were appended
     */
    abstract protected function appendObjects($list, $depth, &$out);

    /**
     * @param object $value
     * @param int    $depth
     *
     * @return string
     */
    abstract protected function object($value, $depth);

    /**
     * Packs anything but an array.
     *
     * @param mixed $value
     * @param int   $depth
     *
     * @return string
     */
    abstract protected function other($value, $depth);

    abstract protected function tooDeep(int $depth): PackingFailedException;

    // Ints, and heads

    final protected function int(int $value): string
    {
        if ($value < 0) {
            return self::negativeInt($value);
        }
        if ($value < $this->fixintEnd) {
            return \chr($value); // positive fixint
        }
        if ($value < 0x100) {
            return "\xcc" . \chr($value); // uint 8
        }
        if ($value < 0x10000) {
            return "\xcd" . \pack('n', $value); // uint 16
        }

        return $value < 0x100000000
            ? "\xce" . \pack('N', $value) // uint 32
            : "\xcf" . \pack('J', $value); // uint 64
    }

    final protected static function negativeInt(int $value): string
    {
        if ($value >= -0x80) {
            return $value >= -0x20
                ? \chr($value & 0xff) // negative fixint
                : "\xd0" . \chr($value & 0xff); // int 8
        }
        if ($value >= -0x8000) {
            return "\xd1" . \pack('n', $value & 0xffff); // int 16
        }

        return $value >= -0x80000000
            ? \pack('CN', 0xd2, $value & 0xffffffff) // int 32
            : \pack('CJ', 0xd3, $value); // int 64
    }

    final protected static function strHead(int $length): string
    {
        if ($length < 0x20) {
            return \chr(0xa0 | $length); // fixstr
        }
        if ($length < 0x100) {
            return "\xd9" . \chr($length); // str 8
        }

        return $length < 0x10000 ? "\xda" . \pack('n', $length) : self::str32($length); // str 16
    }

    final protected static function str32(int $length): string
    {
        return \pack('CN', 0xdb, $length <= 0xffffffff ? $length : self::tooLong($length));
    }

    final protected static function binHead(int $length): string
    {
        if ($length < 0x100) {
            return "\xc4" . \chr($length); // bin 8
        }

        return $length < 0x10000 ? "\xc5" . \pack('n', $length) : self::bin32($length); // bin 16
    }

    final protected static function bin32(int $length): string
    {
        return \pack('CN', 0xc6, $length <= 0xffffffff ? $length : self::tooLong($length));
    }

    final protected static function arrayHead(int $count): string
    {
        if ($count < 0x10) {
            return \chr(0x90 | $count); // fixarray
        }

        return $count < 0x10000 ? "\xdc" . \pack('n', $count) : self::array32($count); // array 16
    }

    final protected static function array32(int $count): string
    {
        return \pack('CN', 0xdd, $count <= 0xffffffff ? $count : self::tooLong($count));
    }

    final protected static function mapHead(int $count): string
    {
        if ($count < 0x10) {
            return \chr(0x80 | $count); // fixmap
        }

        return $count < 0x10000 ? "\xde" . \pack('n', $count) : self::map32($count); // map 16
    }

    final protected static function map32(int $count): string
    {
        return \pack('CN', 0xdf, $count <= 0xffffffff ? $count : self::tooLong($count));
    }

    final protected static function ext32(int $length, int $type): string
    {
        return \pack('CNC', 0xc9, $length <= 0xffffffff ? $length : self::tooLong($length), $type & 0xff);
    }

    /**
     * Refuses a length or count that doesn't fit in 32 bits. No head has more bits for it.
     */
    private static function tooLong(int $number): never
    {
        throw PackingFailedException::outOfRange('the length', $number, '0 to 4294967295', '');
    }
}
