<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Canonical;
use Polypack\Exception\Path;
use Polypack\Type\Entries;

/**
 * Maps in lossless mode (spec/09-modes.md#lossless): stdClass when all keys are str and none starts with a NUL byte,
 * else Entries.
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
     * @param array<array-key, mixed> $properties the entries so far; others are added as long as their keys can be
     *                                            names of properties
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
        // The keys so far, to find duplicates: str in $properties or, once there is $entries, in $texts (two different
        // str never become the same PHP array key); ints in $ints; others by identity in $others.
        $texts = [];
        $ints = [];
        $others = [];
        $containers = [];
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
            }

            $value = $this->value($depth + 1, $owed + 2 * ($count - $i - 1));
            if ($entries === null) {
                if (\is_string($key) && ($key === '' || $key[0] !== "\x00")) {
                    $properties[$key] = $value;
                    continue;
                }
                // Copy only now, when the value is decoded, so that a faulty value doesn't cost the copy.
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
        $map = new Entries($entries);
        if ($containers !== [] && $this->pathEnd <= $depth) { // inside a key
            $this->identities()->remember($map, $containers);
        }

        return $map;
    }

    /**
     * Decodes the entries of a map whose keys must not become a hash table (spec/06-limits.md#collisions). Sorting
     * finds the duplicates, after the last key or at the first fault.
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
     * Returns the index of the first text that is equal to one before it; -1 when they are all different.
     *
     * @param list<string> $texts
     */
    private static function firstRepeated(array $texts): int
    {
        \asort($texts, \SORT_STRING); // equal texts stay in order
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
     * Decodes a key of any kind. A fault inside it has the path of the map, however deep the fault is.
     */
    private function losslessKey(int $depth, int $owed): mixed
    {
        // The most common keys first, as value() would read them.
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
