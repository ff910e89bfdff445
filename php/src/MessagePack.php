<?php

declare(strict_types=1);

namespace Polypack;

use Polypack\Decoder\DefaultDecoder;
use Polypack\Encoder\DefaultEncoder;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Native\Engine;

/**
 * Packs and unpacks in one call. Packer and BufferUnpacker do the same for many values.
 *
 * If a call passes no options, limits, transformers or extensions, an array or a map takes a fast path that loads few
 * files. Encoder/DefaultEncoder.php and Decoder/DefaultDecoder.php run the loops of Encoder/Loops/DefaultLoops.php and
 * Decoder/Loops/DefaultLoops.php. They make a Packer or a BufferUnpacker only for values that the loops can't handle.
 *
 * If the PHP extension is active, it gets the array or map instead, also with options, but not with limits,
 * transformers or extensions. A Packer or BufferUnpacker handles what the PHP extension declines, and all other calls.
 *
 * @api
 */
final class MessagePack
{
    /** The head bytes of arrays and maps. */
    private const CONTAINERS = "\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f"
        . "\x90\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9a\x9b\x9c\x9d\x9e\x9f\xdc\xdd\xde\xdf";

    /**
     * Packs a value; see Packer::pack().
     *
     * @param PackOptions|int|null $options      constants of PackOptions, combined with |
     * @param iterable<CanPack>    $transformers see Packer
     *
     * @throws PackingFailedException
     * @throws InvalidOptionException
     */
    public static function pack(
        mixed $value,
        PackOptions|int|null $options = null,
        ?Limits $limits = null,
        iterable $transformers = [],
    ): string {
        if ($limits === null && $transformers === [] && \is_array($value)) {
            if (Engine::$isActive ?? Engine::isActive()) {
                $packed = \polypack_encode_message($value, $options === null ? 0 : self::bits($options));
                if ($packed !== null) {
                    return $packed;
                }
            } elseif ($options === null) {
                return (new DefaultEncoder())->encode($value);
            }
        }

        return (new Packer($options, $transformers, $limits))->pack($value);
    }

    /**
     * Unpacks bytes that are exactly one value.
     *
     * @param UnpackOptions|int|null $options    constants of UnpackOptions, combined with |
     * @param iterable<Extension>    $extensions see BufferUnpacker
     *
     * @throws UnpackingFailedException `trailing_data` when bytes follow the value; see BufferUnpacker::unpack()
     * @throws InvalidOptionException
     */
    public static function unpack(
        string $packed,
        UnpackOptions|int|null $options = null,
        ?Limits $limits = null,
        iterable $extensions = [],
    ): mixed {
        if ($limits === null && $extensions === [] && \strspn($packed, self::CONTAINERS, 0, 1) > 0) {
            if (Engine::$isActive ?? Engine::isActive()) {
                $value = \polypack_decode_message($packed, $options === null ? 0 : self::bits($options));
                if ($value !== null) {
                    return $value;
                }
            } elseif ($options === null) {
                return (new DefaultDecoder($packed))->decode(\ord($packed[0]));
            }
        }
        $unpacker = new BufferUnpacker($packed, $options, $extensions, $limits);
        $value = $unpacker->unpack();
        $unpacker->expectEnd();

        return $value;
    }

    /**
     * Returns the options for the engine, as constants combined with |. Returns -1 if the options have a dictionary,
     * because no constant stands for a dictionary. The engine then declines.
     */
    private static function bits(PackOptions|UnpackOptions|int $options): int
    {
        if (\is_int($options)) {
            return $options;
        }

        return $options->getSharedRecords() === null ? $options->bits : -1;
    }

    /**
     * Unpacks only the value at a path inside a packed value, as in MessagePack::get($packed, '/users/3/name').
     *
     * @param UnpackOptions|int|null $options constants of UnpackOptions, combined with |
     * @param mixed                  $default returned when there is no value at the path
     *
     * @throws UnpackingFailedException for a fault in the bytes that were read; see BufferUnpacker::get()
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
