<?php

declare(strict_types=1);

namespace Polypack\Native;

use Polypack\Snapshot\Format;
use Polypack\Snapshot\Options;

/**
 * Hands whole snapshots over to the engine, which is the extension (docs/decisions/0020-native-seam.md).
 *
 * The engine declines faulty snapshots, uncommon objects, and classes that are missing, uncommon or changed. Then the
 * PHP code writes or reads the snapshot from its start.
 *
 * No hook is called twice. If the engine declines to write, it hands over what the hooks have returned so far. When
 * reading, it calls no hook before it is sure not to decline. If it declines to read, it hands over the name of a class
 * that no autoloader found.
 *
 * @internal
 */
final class Snapshots
{
    /** The engine's numbers for the values of the option `floats`. */
    private const FLOATS = ['auto' => 0, 'raw' => 1, 'decimal' => 2];

    /**
     * @param ?Options                          $options null if the caller passed none, because checking the
     *                                                   defaults would take longer than writing a small snapshot
     * @param ?array<int, array{object, mixed}> $answers set when the engine declines: by object id, the object whose
     *                                                   hook was called, and what the hook has returned
     *
     * @return ?string null when the engine declines or isn't active
     */
    public static function write(mixed $value, ?Options $options, ?array &$answers): ?string
    {
        if (!(Engine::$isActive ?? Engine::isActive())) {
            return null;
        }
        if ($options === null) {
            return \polypack_snapshot_write($value, Format::MAX_DEPTH, Format::MAX_ELEMENTS, 0, $answers);
        }

        return $options->learner === null && !$options->isV1() // the engine doesn't have these options
            ? \polypack_snapshot_write($value, $options->maxDepth, $options->maxElements, self::FLOATS[$options->word('floats', ['auto', 'raw', 'decimal'])], $answers)
            : null;
    }

    /**
     * @param ?Options $options null for no options
     * @param ?string  $missing set to the name of a class if the engine has asked the autoloaders and none has it
     *
     * @return mixed Answer::Declined when the engine declines or isn't active
     */
    public static function read(string $bytes, ?Options $options, ?string &$missing): mixed
    {
        if (!(Engine::$isActive ?? Engine::isActive())) {
            return Answer::Declined;
        }
        if ($options === null) {
            return \polypack_snapshot_read($bytes, Format::MAX_DEPTH, Format::MAX_ELEMENTS, \Polypack\Format::MAX_COLLISIONS, Answer::Declined, null, null, $missing);
        }
        if ($options->learner !== null || $options->isV1()) { // the engine doesn't have these options
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
