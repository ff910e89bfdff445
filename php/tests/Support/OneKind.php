<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\BufferUnpacker;
use Polypack\UnpackOptions;

/**
 * Calls the methods of BufferUnpacker that unpack a value of one kind.
 */
final class OneKind
{
    public const ALL = ['nil', 'bool', 'int', 'float', 'str', 'bin', 'array', 'map', 'ext', 'array head', 'map head'];

    /**
     * Returns the outcome of the method for a kind.
     *
     * @param value-of<self::ALL> $kind
     */
    public static function of(string $kind, string $hex, UnpackOptions|int|null $options = null): string
    {
        $unpacker = new BufferUnpacker((string) \hex2bin($hex), $options);

        return Outcome::of(static fn(): mixed => self::unpack($kind, $unpacker));
    }

    /**
     * @param value-of<self::ALL> $kind
     */
    public static function unpack(string $kind, BufferUnpacker $unpacker): mixed
    {
        return match ($kind) {
            'nil' => $unpacker->unpackNil(),
            'bool' => $unpacker->unpackBool(),
            'int' => $unpacker->unpackInt(),
            'float' => $unpacker->unpackFloat(),
            'str' => $unpacker->unpackStr(),
            'bin' => $unpacker->unpackBin(),
            'array' => $unpacker->unpackArray(),
            'map' => $unpacker->unpackMap(),
            'ext' => $unpacker->unpackExt(),
            'array head' => $unpacker->unpackArrayHeader(),
            'map head' => $unpacker->unpackMapHeader(),
        };
    }
}
