<?php

declare(strict_types=1);

namespace Polypack\Native;

use Polypack\Snapshot\Format;
use Polypack\Snapshot\Options;

/**
 * Hands whole snapshots over to the engine, the extension (docs/decisions/0020-native-seam.md).
 *
 * The engine declines a snapshot if it would have to write an uncommon object, if it meets a class that is unknown, has
 * changed or is uncommon, and if it finds a fault. Then the PHP code writes or reads the snapshot from its start. No
 * code of the user runs twice: the PHP code gets what hooks of writing have returned and the class that no autoloader
 * found, and the engine declines before it calls a hook of reading.
 *
 * @internal
 */
final class Snapshots
{
    /** The option `floats`, as the engine knows it. */
    private const FLOATS = ['auto' => 0, 'raw' => 1, 'decimal' => 2];

    /**
     * @param ?Options                          $options null for none: checking them takes longer than a small snapshot
     * @param ?array<int, array{object, mixed}> $answers set to those of hooks that have been called, when the engine
     *                                                   declines: by the id of the object
     *
     * @return ?string null when the engine declines, or there is none
     */
    public static function write(mixed $value, ?Options $options, ?array &$answers): ?string
    {
        if (!(Engine::$isActive ?? Engine::isActive())) {
            return null;
        }
        if ($options === null) {
            return \polypack_snapshot_write($value, Format::MAX_DEPTH, Format::MAX_ELEMENTS, 0, $answers);
        }

        return $options->learner === null && !$options->isV1() // a learner learns cases of enums, too
            ? \polypack_snapshot_write($value, $options->maxDepth, $options->maxElements, self::FLOATS[$options->word('floats', ['auto', 'raw', 'decimal'])], $answers)
            : null;
    }

    /**
     * @param ?Options $options null for none
     * @param ?string  $missing set to the name of a class that no autoloader has, if the engine has asked them
     *
     * @return mixed Answer::Declined when the engine declines, or there is none
     */
    public static function read(string $bytes, ?Options $options, ?string &$missing): mixed
    {
        if (!(Engine::$isActive ?? Engine::isActive())) {
            return Answer::Declined;
        }
        if ($options === null) {
            return \polypack_snapshot_read($bytes, Format::MAX_DEPTH, Format::MAX_ELEMENTS, \Polypack\Format::MAX_COLLISIONS, Answer::Declined, null, null, $missing);
        }
        if ($options->learner !== null || $options->isV1()) { // a learner learns each class
            return Answer::Declined;
        }
        $allowed = $options->allowed();

        return \polypack_snapshot_read(
            $bytes,
            $options->maxDepth,
            $options->maxElements,
            $options->maxCollisions,
            Answer::Declined,
            \is_array($allowed) ? $allowed : ($allowed ? null : []),
            $options->aliases(),
            $missing,
        );
    }
}
