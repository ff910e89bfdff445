<?php

declare(strict_types=1);

// Defines the functions for snapshots that the extension doesn't define.

use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\SnapshotFailedException;
use Polypack\Snapshot\KeyRing;
use Polypack\Snapshot\Serializer;

// function_exists() can't be used here: opcache's file cache would keep its result, even for processes that load other
// extensions.
if (!defined('POLYPACK_ABI') || constant('POLYPACK_ABI') < 8) {
    /**
     * Serializes a value; see Polypack\Snapshot\Serializer for the options.
     *
     * @param array<string, mixed> $options
     *
     * @throws SnapshotFailedException
     * @throws InvalidOptionException
     */
    function polypack_serialize(mixed $value, array $options = []): string
    {
        return Serializer::serialize($value, $options);
    }

    /**
     * Unserializes what polypack_serialize() returned; see Polypack\Snapshot\Serializer for the options.
     *
     * @param array<string, mixed> $options
     *
     * @throws SnapshotFailedException
     * @throws InvalidOptionException
     */
    function polypack_unserialize(string $bytes, array $options = []): mixed
    {
        return Serializer::unserialize($bytes, $options);
    }
}

if (!defined('POLYPACK_ABI') || constant('POLYPACK_ABI') < 9) {
    /**
     * Serializes a value and signs it; see Polypack\Snapshot\Serializer::serializeSigned().
     *
     * @param array<string, mixed> $options
     *
     * @throws SnapshotFailedException
     * @throws InvalidOptionException
     */
    function polypack_serialize_signed(mixed $value, #[SensitiveParameter] string|KeyRing $key, array $options = []): string
    {
        return Serializer::serializeSigned($value, $key, $options);
    }

    /**
     * Verifies what polypack_serialize_signed() returned, and then unserializes it.
     *
     * @param array<string, mixed> $options
     *
     * @throws SnapshotFailedException
     * @throws InvalidOptionException
     */
    function polypack_unserialize_signed(string $bytes, #[SensitiveParameter] string|KeyRing $key, array $options = []): mixed
    {
        return Serializer::unserializeSigned($bytes, $key, $options);
    }
}
