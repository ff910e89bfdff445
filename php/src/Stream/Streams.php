<?php

declare(strict_types=1);

namespace Polypack\Stream;

use Polypack\Decoder\HeadWalk;
use Polypack\Exception\InsufficientDataException;
use Polypack\Exception\UnpackingFailedException;

/**
 * Reads the part of a stream that has arrived (spec/06-limits.md#streams).
 *
 * @internal
 */
trait Streams
{
    /**
     * Unpacks the values that are complete, and stops at the first that isn't.
     *
     * Each byte is read once, however often this is called and however the bytes are cut. A fault after complete
     * values is reported by the next call. A message is limited to maxBytes (spec/06-limits.md#streams).
     *
     * Where maxMemory is set, as in strict mode, the values of one call together may take that much. Those that don't
     * fit are left to the next call, so call it until it returns none.
     *
     * @return list<mixed>
     *
     * @throws UnpackingFailedException
     */
    public function tryUnpack(): array
    {
        $fault = null;
        $messages = $this->drain(null, $fault);
        if ($fault !== null && $messages === []) {
            throw $fault;
        }

        return $messages;
    }

    /**
     * Does the work of tryUnpack(), and returns a fault together with the values before it.
     *
     * @internal
     *
     * @param ?int $memory bytes that the values together may take, by estimate; null for maxMemory. The first of them
     *                     always fits, because it has a limit of its own
     * @param bool $isFull set to whether there is a next value that doesn't fit
     *
     * @return list<mixed>
     */
    public function drain(?int $memory, ?UnpackingFailedException &$fault, bool &$isFull = false): array
    {
        $messages = [];
        $memory ??= $this->maxMemory;
        $isFull = false;
        try {
            $scanner = $this->scanner();
            $shared = $this->shared !== null && $this->shared->fingerprint ? $this->shared : null;
            while (isset($this->buffer[$this->offset])) {
                $header = $shared === null ? 0 : $this->headerLength($shared, $this->offset);
                if ($header < 0 || !$scanner->scan($this->buffer, $this->offset + $header)) {
                    break;
                }
                $memory -= $scanner->weight + self::ELEMENT_WEIGHT;
                if ($memory < 0 && $messages !== []) {
                    $isFull = true;
                    break;
                }
                $messages[] = $this->unpack();
            }
        } catch (UnpackingFailedException $caught) {
            $fault = $caught;
        }

        return $messages;
    }

    /**
     * Moves past the next value, even one that unpack() refuses, so that reading can go on with the next message. Only
     * the lengths and counts in its heads matter. Without options for records, a record is skipped like the values that
     * it consists of.
     *
     * @return int the number of bytes skipped
     *
     * @throws InsufficientDataException when the value doesn't end within the buffer
     * @throws UnpackingFailedException  `reserved_byte`, because nothing is known about what follows it; for records
     *                                   also the faults that leave the number of their values unknown
     */
    public function skipValue(): int
    {
        $start = $this->offset;
        if ($this->records) {
            $header = $this->shared !== null && $this->shared->fingerprint ? $this->headerLength($this->shared, $start) : 0;
            $scanner = new Scanner(\PHP_INT_MAX, \PHP_INT_MAX, true, $this->shared);
            $end = $header >= 0 ? $scanner->end($this->buffer, $start + $header) : null;
        } else {
            $end = HeadWalk::end($this->buffer, $start);
        }
        if ($end === null) {
            throw InsufficientDataException::value($this->base() + \strlen($this->buffer), '');
        }
        if ($end < 0) {
            throw UnpackingFailedException::reservedByte($this->base() + ~$end, '');
        }
        $this->offset = $end;

        return $end - $start;
    }

    private function scanner(): Scanner
    {
        return $this->scanner ??= new Scanner($this->maxDepth, $this->maxBytes, $this->records, $this->shared, $this->lossless, $this->native);
    }

    /**
     * Returns the error for values that don't fit in the list of one call.
     *
     * @internal
     */
    public function listTooHeavy(): UnpackingFailedException
    {
        return UnpackingFailedException::listMemory($this->maxMemory, $this->base() + $this->offset);
    }

    /**
     * Returns how many bytes were released before the first byte of the buffer.
     */
    private function base(): int
    {
        return $this->scanner === null ? 0 : $this->scanner->released;
    }
}
