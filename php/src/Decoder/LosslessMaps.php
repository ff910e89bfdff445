<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Canonical;
use Polypack\Exception\Path;
use Polypack\Type\Entries;

/**
 * Decodes maps in lossless mode (spec/09-modes.md#lossless). A map becomes a stdClass if all keys are str and none
 * starts with a NUL byte. Otherwise it becomes Entries, and so does a map whose keys cost too many comparisons.
 *
 * @internal
 */
trait LosslessMaps
{
    /**
     * Decodes the entries of a map.
     */
    private function losslessEntries(int $count, int $head, int $offset, int $depth, int $owed): \stdClass|Entries
    {
        return $count > Collisions::FREE && $this->collides($count, $head)
            ? $this->sortedMap($count, $offset, $depth, $owed)
            : $this->restOfMapWithAnyKeys([], $count, $offset, $depth, $owed);
    }

    /**
     * Decodes the entries of a map that are still missing. All its keys so far can be names of properties.
     *
     * @param array<array-key, mixed> $properties the entries so far; more are added as long as their keys can be names
     *                                            of properties
     * @param int                     $count      of all entries
     */
    private function restOfMapWithAnyKeys(
        array $properties,
        int $count,
        int $offset,
        int $depth,
        int $owed,
    ): \stdClass|Entries {
        $this->offset = $offset;
        $entries = null;
        // The keys so far, to find duplicates. A str is in $properties or, once $entries exists, in $texts. Two
        // different str never become the same key of a PHP array. An int is in $ints, and any other key is in $others
        // by its identity.
        $texts = [];
        $ints = [];
        $others = [];
        $containers = [];
        $finished = [];
        for ($i = \count($properties); $i < $count; ++$i) {
            $keyHead = $this->offset;
            $key = $this->losslessKey($depth, $owed + 2 * ($count - $i) - 1);
            if (\is_string($key)) {
                $this->trail[$depth] = $key;
                if (\array_key_exists($key, $entries === null ? $properties : $texts)) {
                    throw $this->duplicateKey($keyHead, $depth + 1);
                }
            } elseif (\is_int($key)) {
                $this->trail[$depth] = $key;
                if (isset($ints[$key])) {
                    throw $this->duplicateKey($keyHead, $depth + 1);
                }
                $ints[$key] = true;
            } else {
                $this->trail[$depth] = Path::step($key, $i);
                if ($count > 1) { // a single key has no duplicate
                    $identity = $this->identities()->identity($key);
                    if (isset($others[$identity])) {
                        throw $this->duplicateKey($keyHead, $depth + 1);
                    }
                    $others[$identity] = true;
                    if (\is_array($key) || $key instanceof Entries || $key instanceof \stdClass) {
                        $containers[$i] = $identity;
                    }
                }
                if ($this->identities !== null && $this->identities->wraps && $this->pathEnd > $depth) {
                    $finished[$i] = $this->identities->finished($key);
                }
            }

            $value = $this->value($depth + 1, $owed + 2 * ($count - $i - 1));
            if ($entries === null) {
                if (\is_string($key) && ($key === '' || $key[0] !== "\x00")) {
                    $properties[$key] = $value;
                    continue;
                }
                // Copy only after the value is decoded, so that a faulty value doesn't cost a copy.
                $entries = self::entriesOf($properties);
                $texts = $properties;
                $properties = [];
            }
            if (\is_string($key)) {
                $texts[$key] = true;
            }
            $entries[] = [$key, $value];
        }

        if ($entries === null) {
            return (object) $properties;
        }
        foreach ($finished as $i => $key) {
            $entries[$i] = [$key, $entries[$i][1]];
        }
        $map = new Entries($entries);
        if ($containers !== [] && $this->pathEnd <= $depth) { // inside a key
            $this->identities()->remember($map, $containers);
        }

        return $map;
    }

    /**
     * Decodes the entries of a map whose keys must not become a hash table (spec/06-limits.md#collisions). Sorting
     * finds the duplicates, after the last entry or at the first fault.
     */
    private function sortedMap(int $count, int $offset, int $depth, int $owed): Entries
    {
        $this->offset = $offset;
        $pathEnd = $this->pathEnd;
        $entries = [];
        $keys = [];
        $heads = [];
        $identities = [];
        $containers = [];
        try {
            for ($i = 0; $i < $count; ++$i) {
                $heads[] = $this->offset;
                $keys[] = $key = $this->losslessKey($depth, $owed + 2 * ($count - $i) - 1);
                $identities[] = $identity = $this->identities()->identity($key);
                if (\is_array($key) || $key instanceof Entries || $key instanceof \stdClass) {
                    $containers[$i] = $identity;
                }
                $this->trail[$depth] = Path::step($key, $i);
                if ($this->pathEnd > $depth && $this->identities()->wraps) {
                    $key = $this->identities()->finished($key);
                }
                $entries[] = [$key, $this->value($depth + 1, $owed + 2 * ($count - $i - 1))];
            }
        } catch (Unwind $fault) {
            if (self::firstRepeated($identities) < 0) {
                throw $fault;
            }
        }
        $repeated = self::firstRepeated($identities);
        if ($repeated >= 0) {
            $this->pathEnd = $pathEnd;
            $this->trail[$depth] = Path::step($keys[$repeated], $repeated);
            throw $this->duplicateKey($heads[$repeated], $depth + 1);
        }
        $map = new Entries($entries);
        if ($containers !== [] && $this->pathEnd <= $depth) { // inside a key
            $this->identities()->remember($map, $containers);
        }

        return $map;
    }

    /**
     * Returns the index of the first text that is equal to an earlier one, or -1 when all texts are different.
     *
     * @param list<string> $texts
     */
    private static function firstRepeated(array $texts): int
    {
        \asort($texts, \SORT_STRING); // asort() keeps equal texts in order
        $first = \count($texts);
        $before = null;
        foreach ($texts as $i => $text) {
            if ($text === $before) {
                $first = \min($first, $i);
            }
            $before = $text;
        }

        return $first < \count($texts) ? $first : -1;
    }

    private function identities(): Identities
    {
        return $this->identities ??= new Identities($this->foldsFloats, $this->records);
    }

    /**
     * Decodes a key of any kind. A fault inside the key has the path of the map, however deep the fault is.
     */
    private function losslessKey(int $depth, int $owed): mixed
    {
        // The most common keys are decoded here, which is faster than a call of value().
        $head = $this->offset;
        $byte = \ord($this->buffer[$head] ?? "\xc1");
        if ($byte < $this->fixintEnd) { // positive fixint
            $this->offset = $head + 1;

            return $byte;
        }
        if ($byte >= 0xa0 && $byte < 0xc0) { // fixstr
            return $this->str($byte & 0x1f, $head, $head + 1, $depth);
        }

        $pathEnd = $this->pathEnd;
        $this->pathEnd = \min($pathEnd, $depth);
        $key = $this->value($depth + 1, $owed);
        $this->pathEnd = $pathEnd;

        return $this->foldsFloats && \is_float($key) ? Canonical::integral($key) : $key;
    }

    /**
     * @param array<array-key, mixed> $properties
     *
     * @return list<array{mixed, mixed}>
     */
    private static function entriesOf(array $properties): array
    {
        $entries = [];
        foreach ($properties as $name => $value) {
            $entries[] = [(string) $name, $value];
        }

        return $entries;
    }
}
