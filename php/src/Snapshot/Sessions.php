<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

use Polypack\Exception\ErrorCode;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\SnapshotFailedException;

/**
 * Encodes and decodes sessions for `session.serialize_handler=polypack`, which the extension defines. The extension
 * calls this class if keys or allowed classes are set, or if it can't handle a value itself. This class reads these
 * settings, whose names begin with `polypack.session_`:
 * - `key_file`: a file of keys, which turn signing on (KeyRing::fromFile()); read again for each encoding and decoding
 * - `key_env`: the name of an environment variable with the same lines, used if `key_file` is empty
 * - `bind_id`: whether a signature holds for one session id only
 * - `migrate_until`: a date before which sessions without a signature are also read, although there are keys
 * - `allowed_classes`: names, separated by commas. If empty, all classes are allowed, except in sessions that are read
 *   without a signature because of `migrate_until`: there, no class is allowed
 *
 * @api
 */
final class Sessions
{
    /** What turns `bind_id` off, in any case. All else, even if misspelt, turns it on. */
    private const OFF = ['', '0', 'off', 'no', 'false', 'none'];

    private static int $unsigned = 0;

    /**
     * Returns how many sessions without a signature `migrate_until` has let in. PHP resets the count at each request.
     */
    public static function unsigned(): int
    {
        return self::$unsigned;
    }

    /**
     * @internal
     *
     * @param array<array-key, mixed> $variables
     * @param string                  $handler   the name of the save handler
     * @param string                  $name      the name of the session
     */
    public static function encode(array $variables, string $handler, string $name, string $id): string
    {
        $ring = self::keys();
        self::isMigrating(); // only checks the setting

        return $ring === null
            ? Serializer::serialize($variables)
            : \polypack_serialize_signed($variables, $ring, ['purpose' => self::purpose($handler, $name, $id)]);
    }

    /**
     * @internal
     *
     * @return array<array-key, mixed>
     */
    public static function decode(string $bytes, string $handler, string $name, string $id): array
    {
        $classes = self::setting('allowed_classes');
        $options = $classes === '' ? [] : ['allowed_classes' => \array_map(\trim(...), \explode(',', $classes))];
        $ring = self::keys();
        $isUnsigned = $ring !== null && self::isMigrating() && \str_starts_with($bytes, Format::START);
        $value = match (true) {
            $ring === null => Serializer::unserialize($bytes, $options),
            $isUnsigned => Serializer::unserialize($bytes, $options + ['allowed_classes' => false]),
            default => \polypack_unserialize_signed($bytes, $ring, $options + ['purpose' => self::purpose($handler, $name, $id)]),
        };
        if (!\is_array($value)) {
            self::refuse();
        }
        if ($isUnsigned) {
            ++self::$unsigned;
        }

        return $value;
    }

    /**
     * Throws, because a decoded session isn't an array. The extension calls this method if it has decoded the session
     * itself. Calling decode() instead would run the hooks of the session's objects a second time.
     *
     * @internal
     *
     * @throws SnapshotFailedException
     */
    public static function refuse(): never
    {
        throw SnapshotFailedException::of(
            new Failure(ErrorCode::InvalidSnapshot, 'a session is an array, which these bytes are not', 'the store is damaged', 0),
        );
    }

    private static function purpose(string $handler, string $name, string $id): string
    {
        $purpose = "session:{$handler}:{$name}";

        return \in_array(\strtolower(self::setting('bind_id')), self::OFF, true) ? $purpose : "{$purpose}:{$id}";
    }

    private static function keys(): ?KeyRing
    {
        $file = self::setting('key_file');
        if ($file !== '') {
            return KeyRing::fromFile($file);
        }
        $variable = self::setting('key_env');
        if ($variable === '') {
            return null;
        }
        $text = \getenv($variable);

        return $text === false || $text === ''
            ? throw InvalidOptionException::key("variable polypack.session_key_env = {$variable} is not set")
            : KeyRing::fromText($text, "the environment variable {$variable}");
    }

    private static function isMigrating(): bool
    {
        $until = self::setting('migrate_until');
        if ($until === '') {
            return false;
        }
        $time = \strtotime($until);

        return $time === false
            ? throw InvalidOptionException::snapshotOption('polypack.session_migrate_until', 'a date')
            : \time() < $time;
    }

    private static function setting(string $name): string
    {
        return (string) \ini_get("polypack.session_{$name}");
    }
}
