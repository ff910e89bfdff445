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
     * Returns the values that are complete, and stops at the first incomplete one.
     *
     * The work is linear in the bytes, however often this method is called and however the bytes are cut. If a fault
     * follows complete values, this call returns the values and the next call throws. A message is limited to maxBytes
     * (spec/06-limits.md#streams).
     *
     * If maxMemory is set, as it is in strict mode by default, it also limits all values of one call together. The next
     * call returns the values that don't fit, so call tryUnpack() until it returns an empty list.
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
     * Does the work of tryUnpack(), but doesn't throw a fault: sets $fault, and returns the values before the fault.
     *
     * @internal
     *
     * @param ?int $memory estimated bytes that all values together may take; null for maxMemory. In the data of an
     *                     extension, null stands for the memory that the message may still take. The first value is
     *                     always returned, because unpack() checks its memory itself
     * @param bool $isFull set to true if the next value is complete but doesn't fit, else to false
     *
     * @return list<mixed>
     */
    public function drain(?int $memory, ?UnpackingFailedException &$fault, bool &$isFull = false): array
    {
        $messages = [];
        $memory ??= $this->isInside() ? $this->memory : $this->maxMemory;
        $isFull = false;
        try {
            $scanner = $this->scanner();
            while (isset($this->buffer[$this->offset])) {
                $header = $this->shared === null ? 0 : $this->headerAt($this->offset);
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
        if ($this->ground > 0) { // unpack() has counted the memory of the values, but not of the list
            $this->memory -= self::ELEMENT_WEIGHT * \count($messages);
        }

        return $messages;
    }

    /**
     * Moves past the next value, even if unpack() refuses it, so that reading can go on with the next message. Looks
     * only at the lengths and counts in the heads of the value. If records are off, the declaration of a record, its
     * names and each of its values are values of their own.
     *
     * maxDepth applies only if records are on, because only then each open container takes memory.
     *
     * @return int the number of bytes skipped
     *
     * @throws InsufficientDataException when the value doesn't end within the buffer
     * @throws UnpackingFailedException  `reserved_byte`, because the length of the value is unknown then; with records
     *                                   also `limit_exceeded`, faults that leave the number of their values unknown,
     *                                   and a header for another dictionary
     */
    public function skipValue(): int
    {
        $start = $this->offset;
        if ($this->records) {
            $header = $this->headerAt($start);
            $scanner = new Scanner($this->maxDepth, \PHP_INT_MAX, true, $this->shared);
            $scanner->released = $this->base();
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
        return $this->scanner ??= new Scanner(
            $this->maxDepth,
            $this->maxBytes,
            $this->records,
            $this->shared,
            $this->lossless,
            $this->native,
            $this->bigInts->makeObjects(),
        );
    }

    /**
     * Returns the error for values that together exceed maxMemory in one call.
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
