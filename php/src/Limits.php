<?php

declare(strict_types=1);

namespace Polypack;

use Polypack\Exception\InvalidOptionException;

/**
 * Holds the limits that guard against hostile input and cycles (spec/06-limits.md). Immutable.
 *
 * The PHP code checks the limits mainly in these files:
 * - maxDepth and maxValues: Decoder/Containers.php for arrays and maps, Records/InlineReading.php for records
 * - maxDepth also: Decoder/ExtValues.php for extensions, Stream/Scanner.php for messages that are still incomplete, and
 *   Encoder/ and Packer.php for packing
 * - maxBytes: Stream/Scanner.php for messages, Records/InlineReading.php for names of records, Decoder/ExtValues.php
 *   for the data of extensions
 * - maxCollisions: Decoder/WideMaps.php and Decoder/Collisions.php, which count the comparisons
 * - maxMemory: Decoder/Containers.php for one message, Stream/Streams.php for the messages of one call together
 *
 * @api
 */
final class Limits
{
    /** @internal */
    public const MOST_DEPTH = 10_000;

    /**
     * @param int $maxDepth  open containers, when packing and when unpacking: 0 to 10000. More containers could exhaust
     *                       the stack, because PHP frees nested arrays by recursion
     * @param ?int $maxValues values in one message, when unpacking: 1 for the top value and 1 for each element, key and
     *                       value inside; at least 1, null for no limit
     * @param int $maxBytes  at least 1; limits three things separately: the bytes of one message in a stream, the names
     *                       of records that become maps, and extension data nested in other extension data
     * @param int $maxCollisions comparisons of keys in one message: at least 1. PHP's hash tables compare a key with
     *                           all earlier keys in its bucket. The default number of comparisons takes about half a
     *                           second. Maps of up to 256 entries aren't counted. In lossless mode, a map that would
     *                           exceed the limit becomes Entries
     * @param ?int $maxMemory estimated bytes of memory that one message takes when unpacked
     *                        (spec/06-limits.md#memory): at least 1. The estimate covers containers, their children
     *                        and objects, but not the length of strings. null for the default: 64 MiB
     *                        in strict mode, no limit in the other modes
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
