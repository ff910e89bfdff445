<?php

declare(strict_types=1);

// The functions of the extension, by the FakeEngine; see stubs/polypack.php.

use Polypack\BufferUnpacker;
use Polypack\Extension;
use Polypack\Native\Engine;
use Polypack\Packer;
use Polypack\Tests\Support\FakeEngine;

$abi = (string) getenv('FAKE_ABI');
define('POLYPACK_ABI', $abi === '' ? Engine::ABI : (int) $abi);

function polypack_encode(
    mixed $value,
    int $options,
    int $depth,
    int $maxDepth,
    bool $hasTransformers,
    bool $isInside,
    ?Packer $packer,
    ?string $dictionary = null,
): ?string {
    return $dictionary !== null ? null : FakeEngine::encode($value, $options, $depth, $maxDepth, $hasTransformers, $packer);
}

/**
 * @param array<int, Extension> $extensions
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
): mixed {
    return $dictionary !== null ? $unpacker : FakeEngine::decode($buffer, $offset, $options, $depth, $maxDepth, $maxValues, $comparisons, $memory, $extensions, $unpacker);
}

function polypack_encode_message(mixed $value, int $options = 0): ?string
{
    return polypack_encode($value, $options, 0, 512, false, false, null);
}

function polypack_decode_message(string $packed, int $options = 0): mixed
{
    if ($options !== 0) {
        return null;
    }
    $offset = 0;
    $value = FakeEngine::decode($packed, $offset, 0, 0, 512, null, 200_000_000, \PHP_INT_MAX, [], null);

    return $offset === strlen($packed) ? $value : null;
}

function polypack_scan(): int
{
    return -2;
}

function polypack_canonicalize(): null
{
    return null;
}

function polypack_snapshot_write(): null
{
    return null;
}

/**
 * @param ?array<string, true>   $allowed
 * @param ?array<string, string> $aliases
 */
function polypack_snapshot_read(string $bytes, int $maxDepth, int $maxElements, int $maxCollisions, object $declined, ?array $allowed = null, ?array $aliases = null, ?string &$missing = null): mixed
{
    return $declined;
}
