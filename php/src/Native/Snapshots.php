<?php

declare(strict_types=1);

namespace Polypack\Native;

use Polypack\Snapshot\Options;

/**
 * Hands whole snapshots over to the engine (docs/decisions/0020-native-seam.md). It declines what has objects, and what
 * is faulty, before any code of the user has run; then the PHP code writes or reads the snapshot from its start.
 *
 * @internal
 */
final class Snapshots
{
    /** The option `floats`, as the engine knows it. */
    private const FLOATS = ['auto' => 0, 'raw' => 1, 'decimal' => 2];

    /**
     * @return ?string null when the engine declines, or there is none
     */
    public static function write(mixed $value, Options $options): ?string
    {
        return Engine::isActive() && $options->learner === null // which learns cases of enums, too
            ? \polypack_snapshot_write($value, $options->maxDepth, $options->maxElements, self::FLOATS[$options->word('floats', ['auto', 'raw', 'decimal'])])
            : null;
    }

    /**
     * @return mixed $declined when the engine declines, or there is none
     */
    public static function read(string $bytes, Options $options, object $declined): mixed
    {
        return Engine::isActive()
            ? \polypack_snapshot_read($bytes, $options->maxDepth, $options->maxElements, $options->maxCollisions, $declined)
            : $declined;
    }
}
