<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * The head bytes of a snapshot (spec/10-snapshot.md).
 *
 * @internal
 */
final class Format
{
    public const START = "\xc1\x53";
    public const VERSION = 1;
    public const HEADER = self::START . "\x01\x00";

    // 00–3f int, 40–5f string, 60–7f shape, 80–8f list, 90–bf earlier string, e0–ff negative int
    public const STRING = 0x40;
    public const SHAPE = 0x60;
    public const LIST = 0x80;
    public const EARLIER = 0x90;
    public const NEGATIVE = 0xe0;

    public const NIL = 0xc0;
    public const FALSE = 0xc2;
    public const TRUE = 0xc3;
    public const INT8 = 0xc4;
    public const INT16 = 0xc5;
    public const INT32 = 0xc6;
    public const INT64 = 0xc7;
    public const DOUBLE = 0xc8;
    public const STRING8 = 0xc9;
    public const LONG_STRING = 0xca;
    public const EARLIER8 = 0xcb;
    public const ANY_EARLIER = 0xcc;
    public const ANY_SHAPE = 0xcd;
    public const NEW_ARRAY = 0xce;
    public const NEW_OBJECT = 0xcf;
    public const NEW_DATA = 0xd0;
    public const NEW_LEGACY = 0xd1;
    public const NEW_CASE = 0xd2;
    public const ANY_LIST = 0xd3;
    public const COLUMN_LIST = 0xd4;
    public const TABLE_LIST = 0xd5;
    public const MAP = 0xd6;
    public const COLUMN_MAP = 0xd7;
    public const TABLE_MAP = 0xd8;
    public const SAME = 0xd9;
    public const NEW_REFERENCE = 0xda;
    public const REFERENCE = 0xdb;
    public const OBJECT = 0xdc;

    // Kinds of columns
    public const MIXED = 0;
    public const CONSTANT = 1;
    public const INTS = 2;
    public const DELTAS = 3;
    public const BOOLS = 4;
    public const DOUBLES = 5;
    public const DECIMALS = 6;
    public const STRINGS = 7;
    public const CHOICES = 8;
    public const NULLABLE = 0x80;

    /** Keys of a shape of an array, at most; and properties of a shape of an object. */
    public const MOST_KEYS = 64;
    public const MOST_PROPERTIES = 255;

    /** Rows that make a table, elements that make a column, strings that make a column: at least. */
    public const LEAST_ROWS = 4;
    public const LEAST_CELLS = 8;
    public const LEAST_STRINGS = 16;

    /** Lengths of the strings that are numbered, so that a later one may be the same. */
    public const SHORTEST = 2;
    public const LONGEST = 255;

    /** Elements of an array that may be the same as another, at most. */
    public const MOST_SHARED = 255;

    /** Strings a column may choose from, and cells that are looked at before it tries. */
    public const MOST_CHOICES = 256;
    public const SAMPLE = 32;

    /** Bits of an int of a column, at most, unless it has all 64. */
    public const MOST_BITS = 56;

    /** A decimal is a whole number of less than 2⁵⁰ divided by ten to the power of at most 9. */
    public const DECIMAL_BITS = 50;
    public const MOST_DIGITS = 9;

    /** Flags of a shape of an object: __sleep chose its properties. */
    public const CHOSEN = 1;

    /** What the data of a class are: from __serialize, or the properties of an object that has more than 255. */
    public const DATA = 0;
    public const PROPERTIES = 1;

    /** What costs no bytes may make this many values, unless an option says otherwise. */
    public const MAX_ELEMENTS = 1 << 20;

    public const MAX_DEPTH = 512;

    /** Counts and lengths are at most this. */
    public const MOST = 0xffff_ffff;
}
