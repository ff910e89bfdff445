<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Type\Entries;

/**
 * Connects the general decoder and the loops of the three modes: container() calls a loop, and the loops call the
 * protected methods.
 *
 * The loops have no `try`, because PHP doesn't optimise a function that has one. A loop with `try` is about 12 %
 * slower. So the protected methods catch the exception for a fault, and set the read position to FAILED_OFFSET. The
 * loop checks anyway that each child ends within the bound, so it notices the fault. It then returns an empty
 * container, and each loop around it does the same.
 *
 * @internal
 */
trait Handover
{
    /**
     * Decodes the container at $head with the loop of the mode.
     *
     * @param int $byte the head byte
     *
     * @return array<array-key, mixed>|\stdClass|Entries
     */
    private function container(int $byte, int $head, int $depth, int $owed): array|\stdClass|Entries
    {
        $isArray = $byte >= 0x90 && $byte < 0xde;
        $depthLeft = $this->maxDepth - $depth;
        $limit = \strlen($this->buffer) - $owed;
        switch ($this->loops) {
            case self::DEFAULT:
                $container = $isArray
                    ? $this->defaultArray($byte, $head, $depthLeft, $limit)
                    : $this->defaultMap($byte, $head, $depthLeft, $limit);
                break;
            case self::STRICT:
                $container = $isArray
                    ? $this->strictArray($byte, $head, $depthLeft, $limit)
                    : $this->strictMap($byte, $head, $depthLeft, $limit);
                break;
            default:
                if ($byte < 0x90 && !$this->startsWithStr($head + 1)) {
                    $count = $this->openContainer($byte, $head, $depth, $owed);

                    return $this->losslessEntries($count, $head, $this->offset, $depth, $owed);
                }
                $container = $isArray
                    ? $this->losslessArray($byte, $head, $depthLeft, $limit)
                    : $this->losslessMap($byte, $head, $depthLeft, $limit);
        }
        if ($this->fault !== null) {
            throw Unwind::instance();
        }

        return $container;
    }

    /**
     * Tells whether the first key of a map, at the offset $key, is a fixstr or str 8. Any other first key would stop
     * the lossless loop at once.
     */
    private function startsWithStr(int $key): bool
    {
        $byte = \ord($this->buffer[$key] ?? "\x00");

        return ($byte >= 0xa0 && $byte < 0xc0) || $byte === 0xd9;
    }

    final protected function refuse(int $byte, int $head, int $depthLeft, int $limit): void
    {
        try {
            $this->openContainer($byte, $head, $this->maxDepth - $depthLeft, \strlen($this->buffer) - $limit);
        } catch (Unwind) {
            $this->offset = self::FAILED_OFFSET;

            return;
        }
        throw new \LogicException('a loop refused a container that may be opened');
    }

    final protected function decodeUncommon(int $depthLeft, int $limit): mixed
    {
        $head = $this->offset;
        $byte = \ord($this->buffer[$head]);
        if (($byte > 0xc6 && $byte < 0xca) || ($byte > 0xd3 && $byte < 0xd9)) {
            $ext = $this->plainExt($byte, $head, $this->extensions);
            if ($ext !== null) {
                return $ext;
            }
        }

        return $this->uncommonValue($this->maxDepth - $depthLeft, \strlen($this->buffer) - $limit);
    }

    private function uncommonValue(int $depth, int $owed): mixed
    {
        try {
            return $this->value($depth, $owed);
        } catch (Unwind) {
            $this->offset = self::FAILED_OFFSET;

            return null;
        }
    }

    final protected function leftArray(array $array, int $after, int $offset, int $depthLeft, int $limit): array
    {
        $depth = $this->maxDepth - $depthLeft;
        if ($this->fault !== null) {
            $this->trail[$depth] = \count($array) - 1;

            return [];
        }
        $count = \count($array) + $after + ($offset < 0 ? 0 : 1);
        try {
            $from = $offset < 0 ? $this->offset : $offset;

            return $this->restOfArray($array, $count, $from, $depth, \strlen($this->buffer) - $limit);
        } catch (Unwind) {
            $this->offset = self::FAILED_OFFSET;

            return [];
        }
    }

    final protected function leftMap(array $map, int $after, int $entry, int $depthLeft, int $limit): array
    {
        $depth = $this->maxDepth - $depthLeft;
        if ($this->fault !== null) {
            $this->noteEntry(~$entry, $depth);

            return [];
        }
        $left = ($after >> 1) + ($entry < 0 ? 0 : 1);
        try {
            $from = $entry < 0 ? $this->offset : $entry;

            return $this->restOfMap($this->withoutCapacity($map), $left, $from, $depth, \strlen($this->buffer) - $limit);
        } catch (Unwind) {
            $this->offset = self::FAILED_OFFSET;

            return [];
        }
    }

    final protected function leftMapWithAnyKeys(
        array $properties,
        int $after,
        int $entry,
        int $depthLeft,
        int $limit,
    ): \stdClass|Entries {
        $depth = $this->maxDepth - $depthLeft;
        if ($this->fault !== null) {
            $this->noteEntry(~$entry, $depth);

            return new \stdClass();
        }
        $count = \count($properties) + ($after >> 1) + ($entry < 0 ? 0 : 1);
        try {
            $from = $entry < 0 ? $this->offset : $entry;

            return $this->restOfMapWithAnyKeys($this->withoutCapacity($properties), $count, $from, $depth, \strlen($this->buffer) - $limit);
        } catch (Unwind) {
            $this->offset = self::FAILED_OFFSET;

            return new \stdClass();
        }
    }

    final protected function leftCollidingMap(
        int $count,
        int $offset,
        int $depthLeft,
        int $limit,
    ): \stdClass|Entries {
        try {
            return $this->sortedMap($count, $offset, $this->maxDepth - $depthLeft, \strlen($this->buffer) - $limit);
        } catch (Unwind) {
            $this->offset = self::FAILED_OFFSET;

            return new \stdClass();
        }
    }

    /**
     * Adds to the trail the key of the entry whose value failed. The key has been decoded before, so it is a valid str,
     * int or bin.
     */
    private function noteEntry(int $entry, int $depth): void
    {
        $this->offset = $entry;
        $key = $this->value($depth, 0);
        \assert(\is_int($key) || \is_string($key));
        $this->trail[$depth] = self::step($key, \ord($this->buffer[$entry]));
        $this->offset = self::FAILED_OFFSET;
    }
}
