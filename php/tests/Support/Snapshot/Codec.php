<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

use Polypack\Snapshot\KeyRing;
use Polypack\Snapshot\Serializer;

/**
 * What the tests of snapshots are about: with POLYPACK_ENGINE=ext the functions, which the extension must then define,
 * else the PHP code. So one suite judges both.
 */
final class Codec
{
    /**
     * @param array<string, mixed> $options
     */
    public static function serialize(mixed $value, array $options = []): string
    {
        return self::isExtension() ? \polypack_serialize($value, $options) : Serializer::serialize($value, $options);
    }

    /**
     * @param array<string, mixed> $options
     */
    public static function unserialize(string $bytes, array $options = []): mixed
    {
        return self::isExtension() ? \polypack_unserialize($bytes, $options) : Serializer::unserialize($bytes, $options);
    }

    /**
     * @param array<string, mixed> $options
     */
    public static function serializeSigned(mixed $value, string|KeyRing $key, array $options = []): string
    {
        return self::isExtension() ? \polypack_serialize_signed($value, $key, $options) : Serializer::serializeSigned($value, $key, $options);
    }

    /**
     * @param array<string, mixed> $options
     */
    public static function unserializeSigned(string $bytes, string|KeyRing $key, array $options = []): mixed
    {
        return self::isExtension() ? \polypack_unserialize_signed($bytes, $key, $options) : Serializer::unserializeSigned($bytes, $key, $options);
    }

    private static function isExtension(): bool
    {
        return \getenv('POLYPACK_ENGINE') === 'ext';
    }
}
