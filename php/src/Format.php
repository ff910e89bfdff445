<?php

declare(strict_types=1);

namespace Polypack;

/**
 * Holds the head bytes (spec/02-wire.md), the extension types (spec/03-extensions.md) and the default limits
 * (spec/06-limits.md). The tests compare them with spec/format.json, which lists all but MAX_MEMORY.
 *
 * Hot paths write a head byte as a number, often with its name in a comment, because PHP looks up constants of another
 * class at run time.
 *
 * @internal
 */
final class Format
{
    public const POSITIVE_FIXINT = 0x00;
    public const FIXMAP = 0x80;
    public const FIXARRAY = 0x90;
    public const FIXSTR = 0xa0;
    public const NIL = 0xc0;
    public const RESERVED = 0xc1;
    public const FALSE = 0xc2;
    public const TRUE = 0xc3;
    public const BIN8 = 0xc4;
    public const BIN16 = 0xc5;
    public const BIN32 = 0xc6;
    public const EXT8 = 0xc7;
    public const EXT16 = 0xc8;
    public const EXT32 = 0xc9;
    public const FLOAT32 = 0xca;
    public const FLOAT64 = 0xcb;
    public const UINT8 = 0xcc;
    public const UINT16 = 0xcd;
    public const UINT32 = 0xce;
    public const UINT64 = 0xcf;
    public const INT8 = 0xd0;
    public const INT16 = 0xd1;
    public const INT32 = 0xd2;
    public const INT64 = 0xd3;
    public const FIXEXT1 = 0xd4;
    public const FIXEXT2 = 0xd5;
    public const FIXEXT4 = 0xd6;
    public const FIXEXT8 = 0xd7;
    public const FIXEXT16 = 0xd8;
    public const STR8 = 0xd9;
    public const STR16 = 0xda;
    public const STR32 = 0xdb;
    public const ARRAY16 = 0xdc;
    public const ARRAY32 = 0xdd;
    public const MAP16 = 0xde;
    public const MAP32 = 0xdf;
    public const NEGATIVE_FIXINT = 0xe0;

    /** Extension types (spec/03). */
    public const EXT_UNDEFINED = 0;
    public const EXT_TIMESTAMP = -1;
    public const EXT_RECORD = 0x72;

    /** Default limits (spec/06). */
    public const MAX_COLLISIONS = 200_000_000;
    public const MAX_DEPTH = 512;
    public const MAX_MEMORY = 67_108_864;
    public const MAX_STREAM_BYTES = 67_108_864;

    private const NAMES = [
        'nil', 'reserved', 'false', 'true', 'bin 8', 'bin 16', 'bin 32', 'ext 8', 'ext 16', 'ext 32', 'float 32', 'float 64',
        'uint 8', 'uint 16', 'uint 32', 'uint 64', 'int 8', 'int 16', 'int 32', 'int 64',
        'fixext 1', 'fixext 2', 'fixext 4', 'fixext 8', 'fixext 16',
        'str 8', 'str 16', 'str 32', 'array 16', 'array 32', 'map 16', 'map 32',
    ];

    private const FAMILIES = [
        'nil', 'reserved', 'bool', 'bool', 'bin', 'bin', 'bin', 'ext', 'ext', 'ext', 'float', 'float',
        'int', 'int', 'int', 'int', 'int', 'int', 'int', 'int', 'ext', 'ext', 'ext', 'ext', 'ext',
        'str', 'str', 'str', 'array', 'array', 'map', 'map',
    ];

    /**
     * Returns the name of a head byte's format, such as "str 8", for error messages.
     *
     * @param int<0, 255> $head
     */
    public static function name(int $head): string
    {
        return self::lookUp($head, self::NAMES, ['positive fixint', 'fixmap', 'fixarray', 'fixstr', 'negative fixint']);
    }

    /**
     * Returns the name of a head byte's family, such as "str".
     *
     * @param int<0, 255> $head
     */
    public static function family(int $head): string
    {
        return self::lookUp($head, self::FAMILIES, ['int', 'map', 'array', 'str', 'int']);
    }

    /**
     * @param list<string>                                   $single one word for each head byte from c0 to df
     * @param array{string, string, string, string, string} $ranges words for 00–7f, 80–8f, 90–9f, a0–bf, e0–ff
     */
    private static function lookUp(int $head, array $single, array $ranges): string
    {
        if ($head < self::FIXMAP) {
            return $ranges[0];
        }
        if ($head < self::FIXARRAY) {
            return $ranges[1];
        }
        if ($head < self::FIXSTR) {
            return $ranges[2];
        }
        if ($head < self::NIL) {
            return $ranges[3];
        }

        return $head < self::NEGATIVE_FIXINT ? $single[$head - self::NIL] : $ranges[4];
    }
}
