<?php

declare(strict_types=1);

namespace Polypack\Snapshot\Migration;

use Polypack\Exception\ErrorCode;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\SnapshotFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\MessagePack;
use Polypack\Snapshot\AllowedClasses;
use Polypack\Snapshot\ClassFacts;
use Polypack\Snapshot\Failure;
use Polypack\Snapshot\LegacyData;
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
        } catch (\Throwable $cause) {
            if (!$cause instanceof \JsonException && !$cause instanceof PackingFailedException && !self::isOfPhp($cause)) {
                throw $cause;
            }
            $what = "the value has no form in {$format->value}";

            throw self::failed(new Failure(ErrorCode::UnsupportedValue, $what, 'begin with the phase new/both', cause: $cause));
        }
    }

    /**
     * @throws SnapshotFailedException
     */
    public function read(string $bytes, OldFormat $format): mixed
    {
        try {
            return match ($format) {
                OldFormat::V1 => Serializer::unserialize($bytes, ['version' => 1] + $this->reading),
                OldFormat::Php => $this->php($bytes),
                OldFormat::Igbinary => $this->igbinary($bytes),
                OldFormat::Json => self::json($bytes),
                OldFormat::MessagePack => self::messagePack($bytes),
            };
        } catch (\Throwable $cause) {
            throw self::isOfPhp($cause) ? self::failed(self::refused($cause)) : $cause;
        }
    }

    /**
     * Tells whether an exception comes from PHP itself, for example because of a closure or damaged data, rather than
     * from a hook or an autoloader of the user. PHP's exceptions name the file that called PHP: this one, or
     * AllowedClasses'.
     */
    private static function isOfPhp(\Throwable $cause): bool
    {
        return \in_array($cause->getFile(), [__FILE__, (new \ReflectionClass(AllowedClasses::class))->getFileName()], true);
    }

    private static function refused(\Throwable $cause): Failure
    {
        return new Failure(ErrorCode::InvalidSnapshot, 'PHP could not make an object', 'see the previous exception', 0, cause: $cause);
    }

    private function php(string $bytes): mixed
    {
        $warning = '';
        \set_error_handler(static function (int $severity, string $message) use (&$warning): bool {
            $warning = $message;

            return true;
        }, \E_NOTICE | \E_WARNING | \E_DEPRECATED);
        try {
            $this->checkPhp($bytes);
            $value = \unserialize($bytes, ['allowed_classes' => AllowedClasses::named($this->allowed)]);
        } finally {
            \restore_error_handler();
        }
        if ($value === false && $bytes !== 'b:0;') {
            throw self::failed(Failure::invalid('PHP could not unserialize it' . ($warning === '' ? '' : ": {$warning}"), 0));
        }

        return $value;
    }

    /**
     * Refuses enums and iterator classes that aren't allowed, because unserialize() would accept them. Also refuses
     * bytes behind the value and, with `unknown_class` = `throw`, every class that is missing or not allowed.
     */
    private function checkPhp(string $bytes): void
    {
        $throws = ($this->reading['unknown_class'] ?? '') === 'throw';
        if (!$this->mayNeedScan($bytes, $throws)) {
            // without its last byte, the input is still a value only if something follows the value
            $isLonger = \unserialize(\substr($bytes, 0, -1), ['allowed_classes' => false]) !== false || \str_starts_with($bytes, 'b:0;');
            self::refuseTrailing($bytes, $isLonger ? (new PhpScan($bytes))->end() : null);

            return;
        }
        $scan = new PhpScan($bytes);
        $end = $scan->end();
        if ($end === null) {
            throw self::failed(Failure::invalid('the input is not what PHP writes', 0));
        }
        self::refuseTrailing($bytes, $end);
        foreach ($throws ? $scan->classes() : [] as $class) {
            $this->check($class, true);
        }
        foreach ($scan->enums() as $enum) {
            $this->check($enum, $throws);
        }
        $this->checkIterators($scan->named());
        foreach ($scan->data() as $data) {
            if (LegacyData::isEscapedTooOften(LegacyData::layers($data))) {
                throw self::failed(Failure::unlimited('a Serializable', LegacyData::ESCAPED, 0));
            }
            foreach (LegacyData::iterators($data, $this->takesIterator(...)) as $class) {
                $this->check($class, false);
            }
        }
    }

    /**
     * Tells whether the bytes may hold a class name that checkPhp() must check, or the data of a Serializable. A text
     * may look like either. Only PhpScan can tell, which takes far longer than unserialize().
     */
    private function mayNeedScan(string $bytes, bool $throws): bool
    {
        // each match consumes only one letter, so that the next match may begin inside its name
        if (\preg_match_all('/(?=([OCE]:[0-9]+:"[^"]*+))[OCE]/', $bytes, $found) === false) {
            return true;
        }
        foreach (\array_flip($found[1]) as $token => $_) {
            [$type, $name] = \explode('"', $token, 2);
            $name = $type[0] === 'E' ? \explode(':', $name, 2)[0] : $name;
            $isWrong = isset($this->allowed[\strtolower($name)])
                ? $this->takesIterator($name) || ($throws && !\class_exists($name))
                : $throws || $type[0] === 'E';
            if ($isWrong || $type[0] === 'C') {
                return true;
            }
        }

        return false;
    }

    /**
     * @param ?int $end where the value ends; null if nothing follows
     */
    private static function refuseTrailing(string $bytes, ?int $end): void
    {
        $length = $end === null ? 0 : \strlen($bytes) - $end;
        if ($length > 0) {
            throw self::failed(new Failure(ErrorCode::TrailingData, "{$length} bytes follow the value", 'the input is damaged', $end));
        }
    }

    /**
     * Refuses a class that isn't allowed and, if $isNeeded, one that is missing. Calls no autoloader for a class that
     * isn't allowed.
     */
    private function check(string $class, bool $isNeeded): void
    {
        if (!isset($this->allowed[\strtolower($class)])) {
            throw self::failed(new Failure(ErrorCode::ClassNotAllowed, "the class {$class} is not allowed", 'add it to allowed_classes', 0));
        }
        if ($isNeeded && !\class_exists($class)) {
            throw self::failed(new Failure(ErrorCode::ClassNotFound, "the class {$class} does not exist", 'restore it', 0));
        }
    }

    /**
     * Tells whether the data of a class's objects may name a class of iterators. Loads the class only if it is allowed.
     */
    private function takesIterator(string $class): bool
    {
        return isset($this->allowed[\strtolower($class)]) && ClassFacts::takesIteratorByName($class, true);
    }

    /**
     * Refuses classes of iterators that are missing or not allowed.
     *
     * @param list<array{string, string}> $named the class of an object, and the text under its key 3
     */
    private function checkIterators(array $named): void
    {
        foreach ($named as [$class, $iterator]) {
            if ($this->takesIterator($class)) {
                $this->check($iterator, true);
            }
        }
    }

    /**
     * Reads bytes of igbinary. Because igbinary makes objects of any class, IgbinaryScan finds the classes first. This
     * method refuses bytes that IgbinaryScan can't read, and bytes that name a class that isn't allowed, also in the
     * data of a Serializable.
     */
    private function igbinary(string $bytes): mixed
    {
        $scan = new IgbinaryScan($bytes);
        $classes = $scan->classes();
        if ($classes === null) {
            throw self::failed(Failure::invalid('the input is not what igbinary writes', 0));
        }
        $legacy = $scan->legacy();
        $data = \array_column($legacy, 1);
        foreach ($classes as $class) {
            $this->check($class, false);
        }
        $this->checkIterators($scan->named());
        foreach (\array_unique(\array_column($legacy, 0)) as $class) {
            if (\class_exists($class) && (new ClassFacts($class))->hasLegacyOfPhp) {
                $what = "{$class}::unserialize() is PHP's own, and would make objects of any class";

                throw self::failed(new Failure(ErrorCode::ClassMismatch, $what, 'the input is damaged', 0));
            }
        }
        foreach ($data as $one) {
            foreach (LegacyData::classes($one, $this->takesIterator(...)) as $class) {
                $this->check($class, false);
            }
        }
        $value = $data === [] ? @\igbinary_unserialize($bytes) : $this->igbinaryWithData($bytes, $data);
        if ($value === null && $bytes !== "\0\0\0\x02\0" && $bytes !== "\0\0\0\x01\0") {
            throw self::failed(Failure::invalid('igbinary could not unserialize it', 0));
        }

        return $value;
    }

    /**
     * Reads bytes of igbinary with the data of a Serializable. Its unserialize() may pass the data on to PHP's, which
     * then makes only the allowed classes.
     *
     * @param list<string> $data
     */
    private function igbinaryWithData(string $bytes, array $data): mixed
    {
        foreach ($data as $one) {
            $why = LegacyData::whyUnlimited($one);
            if ($why !== null) {
                throw self::failed(Failure::unlimited('a Serializable', $why, 0));
            }
        }
        $value = null;
        $hasRun = AllowedClasses::hold(\array_values($this->allowed), static function () use ($bytes, &$value): void {
            $value = @\igbinary_unserialize($bytes);
        });

        return $hasRun ? $value : throw self::failed(Failure::unlimited('a Serializable', 'cannot be limited while PHP calls a hook of another object', 0));
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

    private static function failed(Failure $failure): SnapshotFailedException
    {
        return SnapshotFailedException::of($failure);
    }
}
