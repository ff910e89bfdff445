<?php

declare(strict_types=1);

namespace Polypack\Snapshot\Migration;

use Polypack\Exception\ErrorCode;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\SnapshotFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\MessagePack;
use Polypack\Snapshot\Failure;
use Polypack\Snapshot\OldFormat;
use Polypack\Snapshot\Serializer;

/**
 * Reads and writes old formats for Migrating. If the bytes name a class that isn't allowed, no objects of it are made.
 *
 * @internal
 */
final class OldFormats
{
    private const IGBINARY = ["\0\0\0\x01", "\0\0\0\x02"];

    /** @var array<string, string> names of the allowed classes, by name in lower case */
    private readonly array $allowed;

    /**
     * @param array<string, mixed> $reading
     * @param array<string, mixed> $writing
     */
    public function __construct(private readonly array $reading, private readonly array $writing)
    {
        $allowed = [];
        foreach ((array) ($reading['allowed_classes'] ?? []) as $name) {
            if (\is_string($name)) {
                $allowed[\strtolower(\ltrim($name, '\\'))] = \ltrim($name, '\\');
            }
        }
        $this->allowed = $allowed;
    }

    /**
     * Tells whether bytes begin as the format requires.
     */
    public static function couldBe(string $bytes, OldFormat $format): bool
    {
        return match ($format) {
            OldFormat::V1 => \str_starts_with($bytes, "\x01") || \str_starts_with($bytes, "\x02"),
            OldFormat::Php => \preg_match('/^(?:N;|[bi]:[0-9-]|d:[0-9INA.-]|[saOCE]:[0-9])/', $bytes) === 1,
            OldFormat::Igbinary => \in_array(\substr($bytes, 0, 4), self::IGBINARY, true),
            OldFormat::Json => \preg_match('/^\s*(?:[{\["0-9-]|true|false|null)/', $bytes) === 1,
            OldFormat::MessagePack => $bytes !== '' && $bytes[0] !== "\xc1",
        };
    }

    /**
     * @throws SnapshotFailedException
     */
    public function write(mixed $value, OldFormat $format): string
    {
        try {
            return match ($format) {
                OldFormat::V1 => Serializer::serialize($value, ['version' => 1] + $this->writing),
                OldFormat::Php => \serialize($value),
                OldFormat::Igbinary => (string) \igbinary_serialize($value),
                OldFormat::Json => self::exactly($value, \json_encode($value, \JSON_THROW_ON_ERROR | \JSON_PRESERVE_ZERO_FRACTION)),
                OldFormat::MessagePack => MessagePack::pack($value),
            };
        } catch (\JsonException|PackingFailedException $cause) {
            $what = "the value has no form in {$format->value}";

            throw self::failed(new Failure(ErrorCode::UnsupportedValue, $what, 'begin with the phase new/both', cause: $cause));
        }
    }

    /**
     * @throws SnapshotFailedException
     */
    public function read(string $bytes, OldFormat $format): mixed
    {
        return match ($format) {
            OldFormat::V1 => Serializer::unserialize($bytes, ['version' => 1] + $this->reading),
            OldFormat::Php => $this->php($bytes),
            OldFormat::Igbinary => $this->igbinary($bytes),
            OldFormat::Json => self::json($bytes),
            OldFormat::MessagePack => self::messagePack($bytes),
        };
    }

    private function php(string $bytes): mixed
    {
        $warning = '';
        \set_error_handler(static function (int $severity, string $message) use (&$warning): bool {
            $warning = $message;

            return true;
        }, \E_NOTICE | \E_WARNING | \E_DEPRECATED);
        try {
            $value = \unserialize($bytes, ['allowed_classes' => \array_values($this->allowed)]);
        } finally {
            \restore_error_handler();
        }
        if ($value === false && $bytes !== 'b:0;') {
            throw self::failed(Failure::invalid('PHP could not unserialize it' . ($warning === '' ? '' : ": {$warning}"), 0));
        }
        if (($this->reading['unknown_class'] ?? '') === 'throw' && \preg_match('/[OCE]:\d+:"/', $bytes) === 1) {
            self::refuseIncomplete($value);
        }

        return $value;
    }

    /**
     * Reads bytes of igbinary. Because igbinary makes objects of any class, IgbinaryScan finds the classes first. This
     * method refuses bytes that IgbinaryScan can't read, and bytes that name a class that isn't allowed.
     */
    private function igbinary(string $bytes): mixed
    {
        $classes = (new IgbinaryScan($bytes))->classes();
        if ($classes === null) {
            throw self::failed(Failure::invalid('the input is not what igbinary writes', 0));
        }
        foreach ($classes as $class) {
            if (!isset($this->allowed[\strtolower($class)])) {
                throw self::failed(new Failure(ErrorCode::ClassNotAllowed, "the class {$class} is not allowed", 'add it to allowed_classes', 0));
            }
        }
        $value = @\igbinary_unserialize($bytes);
        if ($value === null && $bytes !== "\0\0\0\x02\0" && $bytes !== "\0\0\0\x01\0") {
            throw self::failed(Failure::invalid('igbinary could not unserialize it', 0));
        }

        return $value;
    }

    private static function json(string $bytes): mixed
    {
        try {
            return \json_decode($bytes, true, 512, \JSON_THROW_ON_ERROR);
        } catch (\JsonException $cause) {
            throw self::failed(new Failure(ErrorCode::InvalidSnapshot, 'the input is no JSON', 'see the previous exception', 0, cause: $cause));
        }
    }

    private static function messagePack(string $bytes): mixed
    {
        try {
            return MessagePack::unpack($bytes);
        } catch (UnpackingFailedException $cause) {
            throw self::failed(new Failure($cause->errorCode, 'the input is no MessagePack', 'see the previous exception', $cause->offset, cause: $cause));
        }
    }

    /**
     * Returns the JSON if decoding it gives an identical value, else throws. Encoding as JSON may lose data without an
     * error. For example, objects come back as arrays.
     */
    private static function exactly(mixed $value, string $json): string
    {
        if (\json_decode($json, true, 512, \JSON_THROW_ON_ERROR) !== $value) {
            throw new \JsonException('the value does not come back from JSON as it was');
        }

        return $json;
    }

    private static function refuseIncomplete(mixed $value): void
    {
        $todo = [$value];
        $seen = [];
        while ($todo !== []) {
            $one = \array_pop($todo);
            if ($one instanceof \__PHP_Incomplete_Class) {
                throw self::failed(new Failure(ErrorCode::ClassNotAllowed, 'a class is missing or not allowed', 'add it to allowed_classes', 0));
            }
            if (\is_object($one)) {
                if (isset($seen[\spl_object_id($one)])) {
                    continue;
                }
                $seen[\spl_object_id($one)] = true;
                $one = \get_mangled_object_vars($one);
            }
            if (!\is_array($one)) {
                continue;
            }
            foreach ($one as $key => $child) {
                $id = \ReflectionReference::fromArrayElement($one, $key)?->getId();
                if ($id === null || !isset($seen[$id])) {
                    $todo[] = $child;
                    $seen[$id ?? -1] = true;
                }
            }
        }
    }

    private static function failed(Failure $failure): SnapshotFailedException
    {
        return SnapshotFailedException::of($failure);
    }
}
