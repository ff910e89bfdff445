<?php

declare(strict_types=1);

namespace Polypack;

use Polypack\Exception\InvalidOptionException;

/**
 * Guards against hostile input and against cycles (spec/06-limits.md). Immutable.
 *
 * Where they are enforced when unpacking:
 * - maxDepth and maxValues: Decoder/Containers.php (open()) for arrays and maps, Records/InlineReading.php for records,
 *   Decoder/ExtValues.php (extended()) for extensions that unpack. The loops in Decoder/Loops/ and Stepping.php only
 *   notice, and let open() throw. Stream/Scanner.php checks maxDepth again before a message is complete.
 * - maxBytes: Stream/Scanner.php for messages, Records/InlineReading.php (countNames()) for names,
 *   Decoder/ExtValues.php (extended()) for data.
 * - maxCollisions: Decoder/WideMaps.php (collides()), which Containers.php and Records/InlineReading.php ask.
 * - maxMemory: Decoder/Containers.php (openContainer()), Records/InlineReading.php, Decoder/ExtValues.php for objects.
 *   The strict loops notice, and let openContainer() throw.
 *
 * When packing, each method of Encoder/Loops/ and Encoder/Objects.php that opens an array or a map checks maxDepth.
 * Pecl/PeclReader.php has checks of its own.
 *
 * @api
 */
final class Limits
{
    /** @internal */
    public const MOST_DEPTH = 10_000;

    /**
     * @param int $maxDepth  open containers, when packing and when unpacking: 0 to 10000. More could exhaust PHP's
     *                       stack, because it frees nested arrays by recursion
     * @param ?int $maxValues values in one message: 1 for the top value and 1 for each element, key and value inside;
     *                       at least 1, null for no limit
     * @param int $maxBytes  bytes of one message in a stream; of the names of records that become maps; and of the data
     *                       of extensions nested in the data of another: at least 1
     * @param int $maxCollisions comparisons of keys in one message: at least 1. PHP's hash tables compare a key with
     *                           all before it that share its bucket, and need about half a second for the default.
     *                           Maps of up to 256 entries aren't counted. In lossless mode maps beyond it become
     *                           Entries
     * @param ?int $maxMemory estimated bytes of what one message becomes (spec/06-limits.md#memory): at least 1, null
     *                        for the default of the mode: 64 MiB in strict mode, else no limit. It only sees what
     *                        containers, their children and objects take, not the length of strings
     *
     * @throws InvalidOptionException
     */
    public function __construct(
        public readonly int $maxDepth = Format::MAX_DEPTH,
        public readonly ?int $maxValues = null,
        public readonly int $maxBytes = Format::MAX_STREAM_BYTES,
        public readonly int $maxCollisions = Format::MAX_COLLISIONS,
        public readonly ?int $maxMemory = null,
    ) {
        if ($maxDepth < 0 || $maxDepth > self::MOST_DEPTH) {
            throw InvalidOptionException::limit('maxDepth', $maxDepth, 0, self::MOST_DEPTH);
        }
        if ($maxValues !== null && $maxValues < 1) {
            throw InvalidOptionException::limit('maxValues', $maxValues, 1, \PHP_INT_MAX);
        }
        if ($maxBytes < 1) {
            throw InvalidOptionException::limit('maxBytes', $maxBytes, 1, \PHP_INT_MAX);
        }
        if ($maxCollisions < 1) {
            throw InvalidOptionException::limit('maxCollisions', $maxCollisions, 1, \PHP_INT_MAX);
        }
        if ($maxMemory !== null && $maxMemory < 1) {
            throw InvalidOptionException::limit('maxMemory', $maxMemory, 1, \PHP_INT_MAX);
        }
    }
}
