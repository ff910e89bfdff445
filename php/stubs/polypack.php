<?php

declare(strict_types=1);

// The functions of the extension polypack that the library calls (docs/decisions/0020-native-seam.md), for PHPStan.

use Polypack\BufferUnpacker;
use Polypack\Extension;
use Polypack\Packer;

/**
 * Encodes a message.
 *
 * @param mixed  $value           neither a scalar nor null
 * @param int    $options         constants of PackOptions
 * @param int    $depth           containers around the message, where a value that packs itself calls the packer again
 * @param bool   $hasTransformers whether the packer asks transformers about each object
 * @param bool   $isInside        whether the message is part of an object that packs itself: then it has no records
 * @param ?Packer $packer         asked for the values that only it can pack (packInside()), and given to call-backs;
 *                                null for none
 * @param ?string $dictionary     the content of a store, for messages with a dictionary
 * @param int    $reach           how many shapes the dictionary has or may get
 * @param bool   $mayDeclare      whether the message declares shapes that the dictionary lacks; if not, they are to be
 *                                published, and the function declines
 *
 * @return ?string null to decline, which is allowed as long as no code of the user has run
 */
function polypack_encode(
    mixed $value,
    int $options,
    int $depth,
    int $maxDepth,
    bool $hasTransformers,
    bool $isInside,
    ?Packer $packer,
    ?string $dictionary = null,
    int $reach = 0,
    bool $mayDeclare = true,
): ?string {}

/**
 * Decodes a message, which is a container.
 *
 * @param int                   $offset     of its head byte; unless the function declines, it sets that of what follows
 * @param int                   $options    constants of UnpackOptions
 * @param int                   $depth      containers around the message, in the data of an extension
 * @param int                   $comparisons how many the keys of the message may have, if all keys of each wide map
 *                                           share a bucket
 * @param int                   $memory      bytes that the message may take, by estimate
 * @param array<int, Extension> $extensions by type
 * @param ?BufferUnpacker       $unpacker   asked for values that only it can decode (unpackInside()), and to word
 *                                          faults (failInside()); null for none
 * @param ?string              $dictionary the content of a store, for messages with a dictionary; the function declines
 *                                          ids that it lacks
 *
 * @return mixed the value; $unpacker to decline, which is allowed as long as no extension has run
 */
function polypack_decode(
    string $buffer,
    int &$offset,
    int $options,
    int $depth,
    int $maxDepth,
    ?int $maxValues,
    int $maxBytes,
    int $comparisons,
    int $memory,
    array $extensions,
    ?BufferUnpacker $unpacker,
    ?string $dictionary = null,
): mixed {}

/**
 * Encodes an array without a packer, with default limits.
 *
 * @param int $options constants of PackOptions
 *
 * @return ?string null to decline, also where the options aren't valid
 */
function polypack_encode_message(mixed $value, int $options = 0): ?string {}

/**
 * Decodes bytes that are one container without an unpacker, with the default limits of the mode.
 *
 * @param int $options constants of UnpackOptions
 *
 * @return mixed null to decline, also where the options aren't valid
 */
function polypack_decode_message(string $packed, int $options = 0): mixed {}

/**
 * Continues with a message of a stream, whose start is at the offset.
 *
 * @param string  $state      what the call before has left, which only this function reads
 * @param int     $weight     set to what the message takes so far, by estimate in bytes
 * @param bool    $begins     whether the message begins
 * @param bool    $records    whether there may be records
 * @param ?string $dictionary the packed dictionary, the same for all calls of a message; null for none
 *
 * @return int the length of the message if it is complete; -1 when it isn't; -2 when the PHP code has to scan it from
 *             its start, because of a fault or an id that the dictionary lacks
 */
function polypack_scan(
    string $buffer,
    int $offset,
    string &$state,
    int &$weight,
    bool $begins,
    int $maxDepth,
    int $maxBytes,
    bool $records,
    ?string $dictionary,
    bool $lossless,
    bool $bigIntObjects,
): int {}

/**
 * Returns the canonical form of bytes that are one value.
 *
 * @param int $options     constants of UnpackOptions: lossless mode, and records inline or not
 * @param int $maxBytes    what names of records may take
 * @param int $memory      bytes that the message may take, by estimate
 * @param bool $foldsFloats whether floats that are ints become ints
 * @param ?string $dictionary the content of a store, for bytes with records of a dictionary
 *
 * @return ?string null to decline
 */
function polypack_canonicalize(
    string $packed,
    int $options,
    int $maxDepth,
    ?int $maxValues,
    int $maxBytes,
    int $memory,
    bool $foldsFloats,
    ?string $dictionary,
): ?string {}

/**
 * Writes a snapshot.
 *
 * @param int                               $floats  0 auto, 1 raw, 2 decimal
 * @param ?array<int, array{object, mixed}> $answers set to the answers of those hooks that have been called, when it
 *                                                   declines: by the id of the object. With 0 instead of an id:
 *                                                   only the last walk is left
 *
 * @return ?string null to decline
 */
function polypack_snapshot_write(mixed $value, int $maxDepth, int $maxElements, int $floats, ?array &$answers = null): ?string {}

/**
 * Reads a snapshot.
 *
 * @param ?array<string, true>   $allowed classes, by their names in lower case; null for all
 * @param ?array<string, string> $aliases new names of classes, by the old ones in lower case
 * @param ?string                $missing set to the name of a class that autoloaders were asked for, and don't have
 *
 * @return mixed the value; $declined to decline, which is allowed as long as no code of the user has run, except
 *               autoloaders
 */
function polypack_snapshot_read(
    string $bytes,
    int $maxDepth,
    int $maxElements,
    int $maxCollisions,
    object $declined,
    ?array $allowed = null,
    ?array $aliases = null,
    ?string &$missing = null,
): mixed {}

/**
 * Packs a value, like MessagePack::pack(), in one call.
 *
 * @param int $options constants of PackOptions
 */
function polypack_pack(mixed $value, int $options = 0): string {}

/**
 * Unpacks bytes that are exactly one value, like MessagePack::unpack(), in one call.
 *
 * @param int $options constants of UnpackOptions
 */
function polypack_unpack(string $packed, int $options = 0): mixed {}

/**
 * Counts, since the process started: messages that were encoded, decoded, scanned to their end and declined, and
 * values that were asked for; and snapshots.
 *
 * @return array{
 *     encoded: int, encodeDeclined: int, encodeAsked: int, decoded: int, decodeDeclined: int, decodeAsked: int,
 *     scanned: int, scanDeclined: int, canonicalized: int, canonicalizeDeclined: int,
 *     snapshotsWritten: int, snapshotWritesDeclined: int, snapshotsRead: int, snapshotReadsDeclined: int,
 * }
 */
function polypack_stats(): array {}
