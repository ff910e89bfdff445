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
 * Serializes values of PHP for caches, sessions and queues, and unserializes them (spec/10-snapshot.md). The functions
 * `polypack_serialize()` and so on do the same: those of the extension if it is loaded, else these.
 *
 * Options of writing:
 * - `version`: 1 writes V1 of phpser; null, the default, a snapshot
 * - `floats`: `auto`, `raw` or `decimal`
 * - `unserializable`: `throw`, or `null` to write null for closures, resources and anonymous classes
 *
 * Options of reading:
 * - `allowed_classes`: bool, or a list of names; true by default. It holds for every nested class and enum
 * - `aliases`: new names of classes by the old ones, looked up before `allowed_classes`
 * - `unknown_class`: what an object becomes if its class is missing or not allowed: `incomplete`, `stdclass` or `throw`
 * - `on_mismatch`: what happens if a class is no longer what it was: `throw`, `miss` or `default`; or these by class
 * - `mismatches`: a Mismatches, which counts what `default` passes over
 * - `max_collisions`: as in Polypack\Limits
 * - `version`: 1 reads V1 of phpser, and nothing else; null, the default, snapshots alone
 *
 * Of both: `max_depth`, `max_elements` (values that take no bytes), and `learn`, a Learner.
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
     * Serializes a value and signs it (spec/11-envelope.md). The option `purpose` says what it is for, such as the name
     * of the cache and the key. Reading it with another purpose fails.
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
        $isPlain = $checked->word('frame', ['envelope', 'plain']) === 'plain';
        $purpose = $checked->text('purpose');
        $payload = self::written($value, $checked);

        return $isPlain ? Envelope::signPlainly($payload, $ring) : Envelope::sign($payload, $ring, $purpose);
    }

    /**
     * Checks the signature, and only then looks at the bytes behind it.
     *
     * @param array<string, mixed> $options
     *
     * @throws SnapshotFailedException `invalid_signature` for another key or purpose, or bytes that were changed
     * @throws InvalidOptionException
     */
    public static function unserializeSigned(string $bytes, #[\SensitiveParameter] string|KeyRing $key, array $options = []): mixed
    {
        $checked = Options::reading($options, true);
        $ring = KeyRing::from($key);
        $isPlain = $checked->word('frame', ['envelope', 'plain']) === 'plain';
        $purpose = $checked->text('purpose');
        try {
            [$payload, $offset] = $isPlain ? [Envelope::verifyPlain($bytes, $ring), 0] : Envelope::verify($bytes, $ring, $purpose);
        } catch (Failure $failure) {
            throw SnapshotFailedException::of($failure);
        }

        return self::read($payload, $offset, $checked);
    }

    /**
     * Writes what polypack_serialize() and polypack_serialize_signed() of the extension have declined.
     *
     * @internal
     *
     * @param ?array<int, array{object, mixed}> $answers of hooks that the extension has called
     *
     * @throws SnapshotFailedException
     */
    public static function serializeDeclined(mixed $value, ?array $answers): string
    {
        return self::writtenInPhp($value, Options::writing([], false), $answers);
    }

    /**
     * Reads what polypack_unserialize() and polypack_unserialize_signed() of the extension have declined.
     *
     * @internal
     *
     * @param ?string $missing a class that autoloaders don't know
     * @param int     $offset  where these bytes start in the caller's input
     *
     * @throws SnapshotFailedException
     */
    public static function unserializeDeclined(string $bytes, ?string $missing, int $offset = 0): mixed
    {
        return self::readInPhp($bytes, $offset, Options::reading([], false), $missing);
    }

    private static function written(mixed $value, Options $options): string
    {
        $options->word('unserializable', ['throw', 'null']); // only to check it, before a hook is called
        $answers = null;

        return Snapshots::write($value, $options, $answers) ?? self::writtenInPhp($value, $options, $answers);
    }

    /**
     * @param ?array<int, array{object, mixed}> $answers of hooks that the engine has called
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
     * @param int $offset where these bytes start in the caller's input
     */
    private static function read(string $bytes, int $offset, Options $options): mixed
    {
        $options->policy(); // only to check them
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
