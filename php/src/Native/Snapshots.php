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
 * user code runs twice: the PHP code gets what the hooks have returned when writing, or the name of a class that no
 * autoloader found. When reading, the engine declines only before it calls a hook.
 *
 * @internal
 */
final class Snapshots
{
    /** The engine's numbers for the values of the option `floats`. */
    private const FLOATS = ['auto' => 0, 'raw' => 1, 'decimal' => 2];

    /**
     * @param ?Options                          $options null for none: checking options takes longer than writing a
     *                                                   small snapshot
     * @param ?array<int, array{object, mixed}> $answers set when the engine declines: what the hooks called so far have
     *                                                   returned, by the id of their object
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

        return $options->learner === null && !$options->isV1() // the engine can't tell a learner which classes it meets
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
        if ($options->learner !== null || $options->isV1()) { // the engine can't tell a learner which classes it meets
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
