<?php

/** @generate-class-entries */

// What the library calls, and docs/decisions/0020-native-seam.md describes. php/stubs/polypack.php has the same
// functions with the types that PHPStan knows.

/** @refcount 1 */
function polypack_encode(mixed $value, int $options, int $depth, int $maxDepth, bool $hasTransformers, bool $isInside, ?object $packer, ?string $dictionary = null, int $reach = 0, bool $mayDeclare = true): ?string {}

/** @param int $offset */
function polypack_decode(string $buffer, &$offset, int $options, int $ground, int $maxDepth, ?int $maxValues, int $maxBytes, int $comparisons, int $memory, array $extensions, ?object $unpacker, ?string $dictionary = null): mixed {}

/** @refcount 1 */
function polypack_encode_message(mixed $value, int $options = 0): ?string {}

function polypack_decode_message(string $packed, int $options = 0): mixed {}

/**
 * @param string $state
 * @param int $weight
 */
function polypack_scan(string $buffer, int $offset, &$state, &$weight, bool $begins, int $maxDepth, int $maxBytes, bool $records, ?string $dictionary, bool $lossless, bool $bigIntObjects): int {}

/** @refcount 1 */
function polypack_canonicalize(string $packed, int $options, int $maxDepth, ?int $maxValues, int $maxBytes, int $memory, bool $foldsFloats, ?string $dictionary): ?string {}

/**
 * @param int $floats 0 auto, 1 raw, 2 decimal
 * @param array|null $answers
 *
 * @refcount 1
 */
function polypack_snapshot_write(mixed $value, int $maxDepth, int $maxElements, int $floats, &$answers = null): ?string {}

/** @param string|null $missing */
function polypack_snapshot_read(string $bytes, int $maxDepth, int $maxElements, int $maxCollisions, object $declined, ?array $allowed = null, ?array $aliases = null, &$missing = null): mixed {}

// For users.

/** @refcount 1 */
function polypack_pack(mixed $value, int $options = 0): string {}

function polypack_unpack(string $packed, int $options = 0): mixed {}

/** @refcount 1 */
function polypack_serialize(mixed $value, array $options = []): string {}

function polypack_unserialize(string $bytes, array $options = []): mixed {}

/** @refcount 1 */
function polypack_serialize_signed(mixed $value, #[\SensitiveParameter] string|\Polypack\Snapshot\KeyRing $key, array $options = []): string {}

function polypack_unserialize_signed(string $bytes, #[\SensitiveParameter] string|\Polypack\Snapshot\KeyRing $key, array $options = []): mixed {}

// For tests.

/**
 * Messages of this process that were encoded, decoded and declined, and values that were asked for.
 *
 * @return array<string, int>
 * @refcount 1
 */
function polypack_stats(): array {}
