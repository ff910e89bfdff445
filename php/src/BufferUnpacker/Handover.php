<?php

declare(strict_types=1);

namespace Polypack\BufferUnpacker;

use Polypack\Type\Entries;

/**
 * What lies between the loops of the three modes and the general decoder.
 *
 * The loops throw and catch nothing, because PHP does not optimise a function with `try` (and so a loop in it is an eighth
 * slower). A loop that fails notes the fault, moves the read position to NOWHERE and returns an empty container. The loop
 * around it finds no room left behind its child, which it has to ask anyway, and does the same.
 *
 * @internal
 */
trait Handover
{
    /**
     * Decodes a container in the loop of the mode; $offset is behind the head.
     *
     * @param int $limit as in the loops
     *
     * @return array<array-key, mixed>|\stdClass|Entries
     */
    private function container(
        bool $isArray,
        int $count,
        int $head,
        int $offset,
        int $depth,
        int $limit,
    ): array|\stdClass|Entries {
        switch ($this->loops) {
            case self::DEFAULT:
                $container = $isArray
                    ? $this->defaultArray($count, $head, $offset, $depth, $limit)
                    : $this->defaultMap($count, $head, $offset, $depth, $limit);
                break;
            case self::STRICT:
                $container = $isArray
                    ? $this->strictArray($count, $head, $offset, $depth, $limit)
                    : $this->strictMap($count, $head, $offset, $depth, $limit);
                break;
            default:
                $container = $isArray
                    ? $this->losslessArray($count, $head, $offset, $depth, $limit)
                    : $this->losslessMap($count, $head, $offset, $depth, $limit);
        }
        if ($this->fault !== null) {
            throw Unwind::instance();
        }

        return $container;
    }

    /**
     * Notes the fault of a container that must not be opened.
     */
    protected function refuse(int $children, int $head, int $offset, int $depth, int $limit): void
    {
        $this->refused($children, \strlen($this->buffer) - $limit, $head, $offset, $depth);
        $this->offset = self::NOWHERE;
    }

    /**
     * Decodes a value that the loops have no branch for, at the read position.
     */
    protected function rare(int $depth, int $limit): mixed
    {
        try {
            return $this->value($depth, \strlen($this->buffer) - $limit);
        } catch (Unwind) {
            $this->offset = self::NOWHERE;

            return null;
        }
    }

    /**
     * Decodes what a loop left of an array. The latest element is the one that failed, or lies before $offset.
     *
     * @param list<mixed> $array
     *
     * @return list<mixed>
     */
    protected function leftArray(array $array, int $count, int $offset, int $depth, int $limit): array
    {
        if ($this->fault !== null) {
            $this->trail[$depth] = \count($array) - 1;

            return [];
        }
        try {
            return $this->restOfArray($array, $count, $offset, $depth, \strlen($this->buffer) - $limit);
        } catch (Unwind) {
            $this->offset = self::NOWHERE;

            return [];
        }
    }

    /**
     * Decodes what a loop left of a map.
     *
     * @param array<array-key, mixed> $map
     * @param int                     $after keys and values after the current entry
     * @param int                     $entry offset of this entry, or its complement when the value was decoded or failed
     *
     * @return array<array-key, mixed>
     */
    protected function leftMap(array $map, int $after, int $entry, int $depth, int $limit): array
    {
        if ($this->fault !== null) {
            $this->noteEntry(~$entry, $depth);

            return [];
        }
        $left = ($after >> 1) + ($entry < 0 ? 0 : 1);
        $offset = $entry < 0 ? $this->offset : $entry;
        try {
            return $this->restOfMap($map, $left, $offset, $depth, \strlen($this->buffer) - $limit);
        } catch (Unwind) {
            $this->offset = self::NOWHERE;

            return [];
        }
    }

    /**
     * Does the same in lossless mode.
     *
     * @param array<array-key, mixed> $properties
     */
    protected function leftMapWithAnyKeys(
        array $properties,
        int $count,
        int $after,
        int $entry,
        int $depth,
        int $limit,
    ): \stdClass|Entries {
        if ($this->fault !== null) {
            $this->noteEntry(~$entry, $depth);

            return new \stdClass();
        }
        $left = ($after >> 1) + ($entry < 0 ? 0 : 1);
        $offset = $entry < 0 ? $this->offset : $entry;
        try {
            return $this->restOfMapWithAnyKeys($properties, $count, $left, $offset, $depth, \strlen($this->buffer) - $limit);
        } catch (Unwind) {
            $this->offset = self::NOWHERE;

            return new \stdClass();
        }
    }

    /**
     * Puts the key of the entry whose value failed on the trail. It was decoded once, so it is valid: a str or an int.
     */
    private function noteEntry(int $entry, int $depth): void
    {
        $this->offset = $entry;
        $key = $this->value($depth, 0);
        \assert(\is_int($key) || \is_string($key));
        $this->trail[$depth] = $key;
        $this->offset = self::NOWHERE;
    }
}
