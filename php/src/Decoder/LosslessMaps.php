<?php

declare(strict_types=1);

namespace Polypack\Decoder;

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
     * Decodes the entries of a map that are still missing. All keys so far can be names of properties.
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
        $watch = $count > Collisions::FREE ? new Collisions($this->maxCollisions) : null;
        for ($i = \count($properties); $i < $count; ++$i) {
            $keyHead = $this->offset;
            $identity = $key = $this->losslessKey($depth, $owed + 2 * ($count - $i) - 1);
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

            if ($watch !== null) {
                \assert(\is_int($identity) || \is_string($identity));
                if ($watch->findWith($identity, $i)) {
                    throw $this->colliding($keyHead, $depth);
                }
            }

            $value = $this->value($depth + 1, $owed + 2 * ($count - $i - 1));
            if ($entries === null) {
                if (\is_string($key) && ($key === '' || $key[0] !== "\x00")) {
                    $properties[$key] = $value;
                    continue;
                }
                // Done after the value is decoded, so that a faulty value doesn't cost the copy.
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

    private function identities(): Identities
    {
        return $this->identities ??= new Identities();
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

        return $key;
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
