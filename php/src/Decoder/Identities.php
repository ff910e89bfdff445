<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Canonical;
use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\Type\Timestamp;
use Polypack\Type\UInt64;

/**
 * Decides whether two keys of a map are the same key in lossless mode (spec/01-data-model.md#map), so that repeated
 * keys can be refused. It makes a string from each key, its identity. Two keys have the same identity exactly when they
 * are the same key.
 *
 * A scalar's identity is its type and value. A container's identity is made of its children's identities. Long
 * identities of containers are replaced with their SHA-256, so that nested keys take little memory. Hostile input can't
 * give two different keys the same identity: the first letter tells the kind of key, and lengths or commas delimit the
 * parts.
 *
 * Keys may contain maps, whose keys may contain maps again. So that no value is visited repeatedly, the identities of
 * such inner keys are remembered as long as their map lives. If records are read, the identities of long names are
 * remembered, because the names of one record may occur in keys thousands of times.
 *
 * @internal
 */
final class Identities
{
    /** How many bytes of identities are collected before they are hashed. */
    private const MAX_PENDING = 4096;

    /** Names, and texts made for containers and their entries, are hashed if they have this many bytes or more. */
    private const LONG = 64;

    /**
     * How many names are remembered at most, which is too few for an attack by collisions
     * (spec/06-limits.md#collisions).
     */
    private const MOST_NAMES = 1024;

    /** @var array<string, string> identities of long names, by name; only if records are read */
    private array $names = [];

    /**
     * @var \WeakMap<Entries, array<int, string>> for each map, the identities of its keys that are containers, by the
     *                                             index of the entry
     */
    private \WeakMap $known;

    /** Whether the current key may have a MadeValue. */
    public bool $wraps = false;

    /** Whether remember() has been called. Testing this is faster than a lookup in an empty WeakMap. */
    private bool $remembers = false;

    /**
     * @param bool $foldsFloats whether a float and an equal int are the same key
     * @param bool $hasRecords  whether to remember long names, which records repeat; clear() then forgets them
     */
    public function __construct(private readonly bool $foldsFloats = false, private readonly bool $hasRecords = false)
    {
        $this->known = new \WeakMap();
    }

    /**
     * Forgets the names.
     */
    public function clear(): void
    {
        $this->names = [];
    }

    /**
     * @param mixed $key a value that lossless mode has decoded
     */
    public function identity(mixed $key): string
    {
        if (\is_array($key)) {
            return $this->ofArray($key);
        }
        if ($key instanceof Bin) { // the most common object
            return "b{$key->data}";
        }
        if ($key instanceof Entries) {
            return $this->ofMap($key->entries, $this->remembers ? $this->known[$key] ?? [] : []);
        }
        if ($key instanceof \stdClass) {
            $entries = [];
            foreach (\get_object_vars($key) as $name => $value) {
                $entries[] = [(string) $name, $value];
            }

            return $this->ofMap($entries, []);
        }

        if ($key instanceof MadeValue) {
            return self::ofScalar($key->ext);
        }

        return self::ofScalar($this->foldsFloats && \is_float($key) ? Canonical::integral($key) : $key);
    }

    /**
     * Returns what stands for a value that an extension made in a key, until the key is given to finished(). Keys are
     * compared as they are written, so it counts as the ext value.
     */
    public function made(mixed $value, Timestamp|Ext $ext): MadeValue
    {
        $this->wraps = true;

        return new MadeValue($value, $ext);
    }

    /**
     * Returns the key with what extensions made. Only for keys that aren't inside of another key.
     */
    public function finished(mixed $key): mixed
    {
        $this->wraps = false;

        return MadeValue::unwrapped($key);
    }

    /**
     * Remembers the identities of a map's keys that are containers, so that these keys aren't visited again when the
     * map itself is part of a key.
     *
     * @param array<int, string> $identities by the index of the entry
     */
    public function remember(Entries $entries, array $identities): void
    {
        $this->known[$entries] = $identities;
        $this->remembers = true;
    }

    private static function ofScalar(mixed $key): string
    {
        if (\is_object($key)) {
            return match (true) {
                $key instanceof UInt64 => "i{$key->digits}",
                $key instanceof Timestamp => "t{$key->getSeconds()}:{$key->getNanoseconds()}",
                $key instanceof Ext => "e{$key->type}:{$key->data}",
                default => 'o' . \spl_object_id($key),
            };
        }
        if (\is_float($key)) {
            return \is_nan($key) ? 'fNaN' : 'f' . \pack('E', $key);
        }
        if (\is_bool($key)) {
            return $key ? 'T' : 'F';
        }

        return \is_int($key) ? "i{$key}" : (\is_string($key) ? "s{$key}" : 'n');
    }

    /**
     * @param array<array-key, mixed> $array
     */
    private function ofArray(array $array): string
    {
        $hash = null;
        $text = '';
        foreach ($array as $value) {
            if ($this->foldsFloats && \is_float($value)) {
                $value = Canonical::integral($value);
            }
            // An int ends with a comma, and everything else starts with its length. So the children can be split in
            // one way only.
            $text .= \is_int($value) ? "i{$value}," : self::measured($this->identity($value));
            if (\strlen($text) > self::MAX_PENDING) {
                $hash ??= \hash_init('sha256');
                \hash_update($hash, $text);
                $text = '';
            }
        }
        if ($hash === null) {
            return \strlen($text) < self::LONG ? "a{$text}" : 'A' . \hash('sha256', $text, true);
        }
        \hash_update($hash, $text);

        return 'A' . \hash_final($hash, true);
    }

    /**
     * @param list<array{mixed, mixed}> $entries
     * @param array<int, string>        $identities of some of the keys, by the index of the entry
     */
    private function ofMap(array $entries, array $identities): string
    {
        $texts = [];
        foreach ($entries as $i => [$key, $value]) {
            // The most common kinds of keys and values don't need a call of identity().
            $identity = $identities[$i] ?? (\is_int($key)
                ? "i{$key}"
                : (\is_string($key) ? $this->ofName($key) : $this->identity($key)));
            $text = \strlen($identity) . ':' . $identity
                . ($value === null ? 'n' : (\is_int($value) ? "i{$value}" : $this->identity($value)));
            if (\strlen($text) >= self::LONG) {
                $text = 'H' . \hash('sha256', $text, true);
            }
            $texts[] = \strlen($text) . ':' . $text;
        }
        if (isset($texts[1])) {
            \sort($texts, \SORT_STRING);
        }
        $text = \implode('', $texts);

        return \strlen($text) < self::LONG ? "m{$text}" : 'M' . \hash('sha256', $text, true);
    }

    private function ofName(string $name): string
    {
        return \strlen($name) < self::LONG
            ? "s{$name}"
            : $this->names[$name] ?? $this->hashed($name);
    }

    private function hashed(string $name): string
    {
        $identity = 'S' . \hash('sha256', $name, true);
        if ($this->hasRecords && \count($this->names) < self::MOST_NAMES) {
            $this->names[$name] = $identity;
        }

        return $identity;
    }

    private static function measured(string $identity): string
    {
        return \strlen($identity) . ':' . $identity;
    }
}
