<?php

declare(strict_types=1);

namespace Polypack;

use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;

/**
 * Packs and unpacks in one call. Packer and BufferUnpacker do the same for many values.
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
        $trailing = $unpacker->getRemainingCount();
        if ($trailing > 0) {
            throw UnpackingFailedException::trailingData(\strlen($packed) - $trailing, $trailing);
        }

        return $value;
    }
}
