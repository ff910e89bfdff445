<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * The head bytes of a snapshot, and its limits (spec/10-snapshot.md).
 *
 * @internal
 */
final class Format
{
    public const START = "\xc1\x53";
    public const VERSION = 1;
    public const HEADER = self::START . "\x01\x00";

    // Ranges: 00–3f int, 40–5f string, 60–7f shape, 80–8f list, 90–bf earlier string, e0–ff negative int
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

    // Kinds of columns, and the flag of nullable columns
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

    /** The most keys that a shape of arrays can have, and the most properties with a value of a shape of objects. */
    public const MOST_KEYS = 64;
    public const MOST_PROPERTIES = 255;

    /**
     * Names of a shape are long if they take more bytes than this in total, and so are keys of a V1 map or object.
     * Comparisons of long names and keys count towards `max_collisions` (spec/10-snapshot.md#limits).
     */
    public const LONG_NAMES = 1024;

    /** For writers: the fewest rows of a table, elements of a list that is a column, strings of a column of strings. */
    public const LEAST_ROWS = 4;
    public const LEAST_CELLS = 8;
    public const LEAST_STRINGS = 16;

    /**
     * A string of SHORTEST to LONGEST bytes gets a number, except in a column of strings. The number stands for the
     * string later (spec/10-snapshot.md#strings).
     */
    public const SHORTEST = 2;
    public const LONGEST = 255;

    /** The most times that Graph walks a value, because hooks may change the value during a walk. */
    public const MOST_WALKS = 8;

    /** The most elements of an array that SAME can stand for (spec/10-snapshot.md#same). */
    public const MOST_SHARED = 255;

    /** How many different strings a column of choices may have, and how many cells a writer samples for repeats. */
    public const MOST_CHOICES = 256;
    public const SAMPLE = 32;

    /** Each int of a column takes 0 to MOST_BITS bits, or exactly 64. */
    public const MOST_BITS = 56;

    /**
     * A decimal is an int divided by a power of ten. Writers use ints whose absolute value is below 2⁵⁰, and divide by
     * at most 10⁹.
     */
    public const DECIMAL_BITS = 50;
    public const MOST_DIGITS = 9;

    /** Flag of a shape of objects: __sleep chose the properties. */
    public const CHOSEN = 1;

    /**
     * Flags of a shape with data. DATA: what __serialize returned. PROPERTIES: more properties than NEW_OBJECT can
     * have.
     */
    public const DATA = 0;
    public const PROPERTIES = 1;

    /** Default of the option `max_elements`: how many values of a snapshot may take less than a byte each. */
    public const MAX_ELEMENTS = 1 << 20;

    public const MAX_DEPTH = 512;

    /** The greatest count or length. */
    public const MOST = 0xffff_ffff;
}
