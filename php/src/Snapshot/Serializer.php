<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\SnapshotFailedException;
use Polypack\Native\Answer;
use Polypack\Native\Snapshots;
use Polypack\Snapshot\V1\V1Reader;
use Polypack\Snapshot\V1\V1Writer;

/**
 * Serializes values of PHP for caches, sessions and queues, and unserializes them (spec/10-snapshot.md). The
 * functions `polypack_serialize()`, `polypack_unserialize()` and their `…_signed()` variants do the same.
 *
 * Options for writing, with the default first:
 * - `version`: null writes a snapshot, 1 writes V1 of phpser
 * - `floats`: `auto`, `raw` or `decimal` (spec/10-snapshot.md#decimals)
 * - `unserializable`: `throw`, or `null` to write null for values that PHP doesn't serialize, such as closures
 *
 * Options for reading, with the default first:
 * - `allowed_classes`: true (all), false (none), or a list of names; applies to every class and enum, at any depth
 * - `aliases`: new names of classes, by old name; applied before `allowed_classes`
 * - `unknown_class`: what an object becomes if its class is missing or not allowed: `incomplete` for a
 *   __PHP_Incomplete_Class, `stdclass` for a stdClass, or `throw` for an error
 * - `on_mismatch`: what to do if a class is no longer what it was: `throw`, `miss`, `default`, or an array of these
 *   by class (spec/10-snapshot.md#evolution)
 * - `mismatches`: a Mismatches, which counts what `default` tolerates
 * - `max_collisions`: how many key comparisons the snapshot may cost (spec/10-snapshot.md#limits)
 * - `version`: null reads only snapshots, 1 reads only V1 of phpser
 *
 * Options for both: `max_depth`, `max_elements` (how many values may take less than a byte each), and `learn` (a
 * Learner).
 *
 * @api
 */
final class Serializer
{
    /**
     * @param array<string, mixed> $options
     *
     * @throws SnapshotFailedException
     * @throws InvalidOptionException
     */
    public static function serialize(mixed $value, array $options = []): string
    {
        if ($options !== []) {
            return self::written($value, Options::writing($options, false));
        }
        $answers = null;

        return Snapshots::write($value, null, $answers) ?? self::writtenInPhp($value, Options::writing([], false), $answers);
    }

    /**
     * @param array<string, mixed> $options
     *
     * @throws SnapshotFailedException
     * @throws InvalidOptionException
     */
    public static function unserialize(string $bytes, array $options = []): mixed
    {
        if ($options !== []) {
            return self::read($bytes, 0, Options::reading($options, false));
        }
        $missing = null;
        $value = Snapshots::read($bytes, null, $missing);

        return $value === Answer::Declined ? self::readInPhp($bytes, 0, Options::reading([], false), $missing) : $value;
    }

    /**
     * Serializes a value and signs it (spec/11-envelope.md). The option `purpose` says what the value is for, such as
     * the name and the key of a cache. Reading the value with another purpose fails. The option `frame` = `plain`
     * makes the frame of phpser, which has no purpose.
     *
     * @param array<string, mixed> $options
     *
     * @throws SnapshotFailedException
     * @throws InvalidOptionException
     */
    public static function serializeSigned(mixed $value, #[\SensitiveParameter] string|KeyRing $key, array $options = []): string
    {
        $checked = Options::writing($options, true);
        $ring = KeyRing::from($key);
        $purpose = $checked->purpose();
        $payload = self::written($value, $checked);

        return $purpose === null ? Envelope::signPlainly($payload, $ring) : Envelope::sign($payload, $ring, $purpose);
    }

    /**
     * Verifies the signature of bytes, and only then unserializes the payload.
     *
     * @param array<string, mixed> $options
     *
     * @throws SnapshotFailedException `invalid_signature` for another key or purpose, or for changed bytes
     * @throws InvalidOptionException
     */
    public static function unserializeSigned(string $bytes, #[\SensitiveParameter] string|KeyRing $key, array $options = []): mixed
    {
        $checked = Options::reading($options, true);
        $ring = KeyRing::from($key);
        $purpose = $checked->purpose();
        try {
            [$payload, $offset] = $purpose === null ? [Envelope::verifyPlain($bytes, $ring), 0] : Envelope::verify($bytes, $ring, $purpose);
        } catch (Failure $failure) {
            throw SnapshotFailedException::of($failure);
        }

        return self::read($payload, $offset, $checked);
    }

    /**
     * Writes a value that a function of the extension has declined. All options have their defaults.
     *
     * @internal
     *
     * @param ?array<int, array{object, mixed}> $answers by object id: the object, and what its hook has returned
     *
     * @throws SnapshotFailedException
     */
    public static function serializeDeclined(mixed $value, ?array $answers): string
    {
        return self::writtenInPhp($value, Options::writing([], false), $answers);
    }

    /**
     * Reads bytes that a function of the extension has declined. All options have their defaults.
     *
     * @internal
     *
     * @param ?string $missing a class that no autoloader has found
     * @param int     $offset  where the snapshot starts in the caller's input, for the offsets of errors
     *
     * @throws SnapshotFailedException
     */
    public static function unserializeDeclined(string $bytes, ?string $missing, int $offset = 0): mixed
    {
        return self::readInPhp($bytes, $offset, Options::reading([], false), $missing);
    }

    private static function written(mixed $value, Options $options): string
    {
        $options->word('unserializable', ['throw', 'null']); // only checks the option, before any hook runs
        $answers = null;

        return Snapshots::write($value, $options, $answers) ?? self::writtenInPhp($value, $options, $answers);
    }

    /**
     * @param ?array<int, array{object, mixed}> $answers by object id: the object, and what its hook has returned
     */
    private static function writtenInPhp(mixed $value, Options $options, ?array $answers): string
    {
        $graph = new Graph($options->maxDepth, $options->word('unserializable', ['throw', 'null']) === 'null', $options->learner, $answers ?? []);
        $floats = $options->word('floats', ['auto', 'raw', 'decimal']);
        try {
            return $options->isV1() ? (new V1Writer($graph))->write($value) : (new Writer($graph, $options->maxElements, $floats))->write($value);
        } catch (Failure $failure) {
            throw SnapshotFailedException::of($failure);
        }
    }

    /**
     * @param int $offset where the snapshot starts in the caller's input, for the offsets of errors
     */
    private static function read(string $bytes, int $offset, Options $options): mixed
    {
        $options->policy(); // only checks the options
        $missing = null;
        $value = Snapshots::read($bytes, $options, $missing);

        return $value === Answer::Declined ? self::readInPhp($bytes, $offset, $options, $missing) : $value;
    }

    private static function readInPhp(string $bytes, int $offset, Options $options, ?string $missing): mixed
    {
        $policy = $options->policy($missing);
        $reader = $options->isV1()
            ? new V1Reader($bytes, $policy, $options->maxDepth, $options->maxCollisions)
            : new Reader($bytes, $policy, $options->maxDepth, $options->maxElements, $options->maxCollisions);
        try {
            return $reader->read();
        } catch (Failure $failure) {
            throw SnapshotFailedException::of($failure->shifted($offset));
        }
    }
}
