<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

use Polypack\Exception\InvalidOptionException;
use Polypack\Limits;

/**
 * Checks the names and types of the options of serialize() and unserialize(), so that a typo can't silently change what
 * is allowed.
 *
 * @internal
 */
final class Options
{
    private const WRITING = ['version', 'floats', 'max_depth', 'max_elements', 'unserializable', 'learn'];
    private const READING = ['allowed_classes', 'aliases', 'unknown_class', 'on_mismatch', 'mismatches', 'learn', 'max_depth', 'max_elements', 'max_collisions', 'version'];
    private const SIGNING = ['purpose', 'frame'];

    public readonly int $maxDepth;
    public readonly int $maxElements;
    public readonly int $maxCollisions;
    public readonly ?Learner $learner;

    /** @var array<string, mixed> */
    private readonly array $options;

    /**
     * @param array<array-key, mixed> $options
     * @param list<string>            $known
     */
    private function __construct(array $options, array $known)
    {
        $named = [];
        foreach ($options as $name => $value) {
            if (!\is_string($name) || !\in_array($name, $known, true)) {
                throw InvalidOptionException::unknownSnapshotOption((string) $name, $known);
            }
            $named[$name] = $value;
        }
        $this->options = $named;
        $this->maxDepth = $this->limit('max_depth', Format::MAX_DEPTH, Limits::MOST_DEPTH);
        $this->maxElements = $this->limit('max_elements', Format::MAX_ELEMENTS, \PHP_INT_MAX);
        $this->maxCollisions = $this->limit('max_collisions', \Polypack\Format::MAX_COLLISIONS, \PHP_INT_MAX);
        $this->learner = $this->instance('learn', Learner::class);
    }

    /**
     * @param array<array-key, mixed> $options
     */
    public static function writing(array $options, bool $isSigned): self
    {
        return new self($options, [...self::WRITING, ...($isSigned ? self::SIGNING : [])]);
    }

    /**
     * @param array<array-key, mixed> $options
     */
    public static function reading(array $options, bool $isSigned): self
    {
        return new self($options, [...self::READING, ...($isSigned ? self::SIGNING : [])]);
    }

    /**
     * Returns the value of an option, or the default if it was left out. Null doesn't mean left out: a caller may pass
     * it by mistake, and the default of `allowed_classes` allows all classes.
     */
    private function option(string $name, mixed $default): mixed
    {
        return \array_key_exists($name, $this->options) ? $this->options[$name] : $default;
    }

    /**
     * @template T of object
     *
     * @param class-string<T> $class
     *
     * @return ?T null if the option was left out
     */
    private function instance(string $name, string $class): ?object
    {
        if (!\array_key_exists($name, $this->options)) {
            return null;
        }
        $value = $this->options[$name];

        return $value instanceof $class ? $value : throw InvalidOptionException::snapshotOption($name, "a {$class}");
    }

    /**
     * Returns the value of an option that must be one of $words.
     *
     * @param non-empty-list<string> $words the first is the default
     */
    public function word(string $name, array $words): string
    {
        $value = $this->option($name, $words[0]);
        if (!\is_string($value) || !\in_array($value, $words, true)) {
            throw InvalidOptionException::snapshotOption($name, \implode(' or ', $words));
        }

        return $value;
    }

    /**
     * Returns the purpose of a signed value; null for a plain frame, which has none.
     */
    public function purpose(): ?string
    {
        $isPlain = $this->word('frame', ['envelope', 'plain']) === 'plain';
        $purpose = $this->option('purpose', '');
        if (!\is_string($purpose) || ($isPlain && $purpose !== '')) {
            throw InvalidOptionException::snapshotOption('purpose', $isPlain ? 'left out with a plain frame, which has none' : 'a string');
        }

        return $isPlain ? null : $purpose;
    }

    /**
     * Tells whether the option `version` chooses V1 of phpser rather than a snapshot.
     */
    public function isV1(): bool
    {
        $value = $this->options['version'] ?? null;

        return $value === null || $value === 1
            ? $value === 1
            : throw InvalidOptionException::snapshotOption('version', '1, for V1 of phpser, or null for a snapshot');
    }

    /**
     * @param ?string $missing a class that no autoloader has found, so it isn't looked for again
     */
    public function policy(?string $missing = null): ClassPolicy
    {
        return new ClassPolicy(
            $this->allowed(),
            $this->aliases(),
            $this->word('unknown_class', ['incomplete', 'stdclass', 'throw']),
            $this->mismatch(),
            $this->learner,
            $this->instance('mismatches', Mismatches::class),
            $missing,
        );
    }

    private function limit(string $name, int $default, int $most): int
    {
        $value = $this->option($name, $default);
        if (!\is_int($value)) {
            throw InvalidOptionException::snapshotOption($name, 'an int');
        }

        return $value >= 0 && $value <= $most ? $value : throw InvalidOptionException::limit($name, $value, 0, $most);
    }

    /**
     * Returns the names of the allowed classes, in lower case, as keys; true for all classes, false for none.
     *
     * @return array<string, true>|bool
     */
    public function allowed(): array|bool
    {
        $value = $this->option('allowed_classes', true);
        if (\is_bool($value)) {
            return $value;
        }
        $what = 'a bool or a list of names of classes';
        if (!\is_array($value)) {
            throw InvalidOptionException::snapshotOption('allowed_classes', $what);
        }
        $allowed = [];
        foreach ($value as $name) {
            if (!\is_string($name)) {
                throw InvalidOptionException::snapshotOption('allowed_classes', $what);
            }
            $allowed[\strtolower(\ltrim($name, '\\'))] = true;
        }

        return $allowed;
    }

    /**
     * Returns new names of classes, by old name in lower case.
     *
     * @return array<string, string>
     */
    public function aliases(): array
    {
        $value = $this->option('aliases', []);
        $aliases = [];
        foreach (\is_array($value) ? $value : [0 => 0] as $old => $new) {
            if (!\is_string($old) || !\is_string($new) || \ltrim($new, '\\') === '') {
                throw InvalidOptionException::snapshotOption('aliases', 'an array of new names of classes by the old ones');
            }
            $aliases[\strtolower(\ltrim($old, '\\'))] = \ltrim($new, '\\');
        }

        return $aliases;
    }

    /**
     * @return array<string, string>
     */
    private function mismatch(): array
    {
        $value = $this->option('on_mismatch', 'throw');
        $modes = ['*' => 'throw'];
        foreach (\is_array($value) ? $value : ['*' => $value] as $class => $mode) {
            if (!\is_string($class) || !\in_array($mode, ['throw', 'miss', 'default'], true)) {
                throw InvalidOptionException::snapshotOption('on_mismatch', "throw, miss or default, or an array of these by class, with '*' for all others");
            }
            $modes[\strtolower(\ltrim($class, '\\'))] = $mode;
        }

        return $modes;
    }
}
