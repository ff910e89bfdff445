<?php

declare(strict_types=1);

namespace Polypack;

use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;

/**
 * Packs and unpacks in one call. Packer and BufferUnpacker do the same for many values.
 *
 * For a map, unpack() runs this code: BufferUnpacker::unpack() dispatches on the head byte, and defaultMap() in
 * Decoder/Loops/DefaultLoops.php decodes the map. BufferUnpacker::unpackAny() and value() in Decoder/General.php decode
 * with other options, and the values that this loop leaves to them.
 *
 * @api
 */
final class MessagePack
{
    /**
     * Packs a value; see Packer::pack().
     *
     * @param PackOptions|int|null $options constants of PackOptions, combined with |
     *
     * @throws PackingFailedException
     * @throws InvalidOptionException
     */
    public static function pack(mixed $value, PackOptions|int|null $options = null, ?Limits $limits = null): string
    {
        return (new Packer($options, [], $limits))->pack($value);
    }

    /**
     * Unpacks bytes that are exactly one value.
     *
     * @param UnpackOptions|int|null $options constants of UnpackOptions, combined with |
     *
     * @throws UnpackingFailedException `trailing_data` when bytes follow the value; see BufferUnpacker::unpack()
     * @throws InvalidOptionException
     */
    public static function unpack(
        string $packed,
        UnpackOptions|int|null $options = null,
        ?Limits $limits = null,
    ): mixed {
        $unpacker = new BufferUnpacker($packed, $options, [], $limits);
        $value = $unpacker->unpack();
        $unpacker->expectEnd();

        return $value;
    }

    /**
     * Unpacks the one value at a path in a packed value, and nothing else: MessagePack::get($packed, '/users/3/name').
     *
     * @param UnpackOptions|int|null $options constants of UnpackOptions, combined with |
     * @param mixed                  $default returned when there is no value at the path
     *
     * @throws UnpackingFailedException for a fault in what was read; see BufferUnpacker::get()
     * @throws InvalidOptionException   also when the path isn't an RFC 6901 pointer
     */
    public static function get(
        string $packed,
        string $path,
        UnpackOptions|int|null $options = null,
        ?Limits $limits = null,
        mixed $default = null,
    ): mixed {
        return (new BufferUnpacker($packed, $options, [], $limits))->get($path, $default);
    }
}
