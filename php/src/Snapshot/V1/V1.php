<?php

declare(strict_types=1);

namespace Polypack\Snapshot\V1;

/**
 * The tags of V1, the first wire format of phpser (spec/10-snapshot.md#v1).
 *
 * @internal
 */
final class V1
{
    public const VERSION = 1;

    public const NIL = 0x00;
    public const FALSE = 0x01;
    public const TRUE = 0x02;
    public const INT = 0x03;
    public const DOUBLE = 0x04;
    public const DICTIONARY_STRING = 0x05;
    public const MAP = 0x06;
    public const LIST = 0x07;
    public const INTS = 0x08;
    public const DOUBLES = 0x09;
    public const OBJECT = 0x0a;
    public const STRINGS = 0x0b;
    public const STRING = 0x0c;
    public const CASE = 0x0d;
    public const DATA = 0x0e;
    public const LEGACY = 0x0f;
    public const AGAIN = 0x10;
    public const REFERENCE = 0x11;

    public const INT_KEY = 0;
    public const DICTIONARY_KEY = 1;
    public const STRING_KEY = 2;
}
