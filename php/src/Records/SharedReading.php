<?php

declare(strict_types=1);

namespace Polypack\Records;

use Polypack\Exception\InsufficientDataException;
use Polypack\Exception\UnpackingFailedException;

/**
 * Reads with a dictionary (spec/05-records.md#shared): a message starts as if its shapes had just been declared. Before
 * an id is refused as unknown, the dictionary is loaded, once per message.
 *
 * @internal
 */
trait SharedReading
{
    /** Length of the header: c1, 50 and the fingerprint. */
    private const HEADER_LENGTH = 10;

    /** @var ?SharedRecords null when records are not shared */
    private $shared;
    /** @var bool whether the message may still have the dictionary loaded */
    private $mayLoad = false;

    private function startShared(SharedRecords $shared): void
    {
        $this->mayLoad = true;
        $this->declarations()->startWith($shared->known()->declared());
    }

    /**
     * Makes sure that the id at the head is known, if loading the dictionary can do that. Returns the names of its
     * record when the id has one byte.
     *
     * @return ?list<string>
     */
    private function loadedSingle(SharedRecords $shared, int $byte, int $head, int $depth): ?array
    {
        $this->loadFor($shared, $byte, $head, $depth);

        return $this->declarations()->single($byte);
    }

    private function loadFor(SharedRecords $shared, int $byte, int $head, int $depth): void
    {
        $declarations = $this->declarations();
        if (!$this->mayLoad || $declarations->knows($byte, $this->buffer, $head)) {
            return;
        }
        $this->mayLoad = false;
        try {
            $shared->refresh();
        } catch (\Throwable $cause) {
            throw $this->fault($head, $depth, static fn(int $at, string $path): UnpackingFailedException
                => UnpackingFailedException::dictionary($cause, $at, $path));
        }
        // An extension may have loaded it since the message began: what counts is what is known now.
        $declarations->addFrom($shared->known()->declared());
        if ($this->account !== null) {
            $this->account->colliding = null; // the count of comparisons stopped at the unknown id
        }
    }

    // The header (spec/05-records.md#header)

    /**
     * Moves past the header of the message at the read position, if it has one.
     *
     * @throws UnpackingFailedException
     */
    private function skipHeader(SharedRecords $shared): void
    {
        if ($this->ground > 0) { // in the data of an extension, no header is expected
            return;
        }
        $length = $this->headerLength($shared, $this->offset);
        if ($length < 0) {
            throw InsufficientDataException::head('the header of a message', $this->base() + $this->offset, '');
        }
        if ($length > 0) {
            $this->offset += $length;
            $this->startShared($shared); // the header may have loaded the dictionary
        }
    }

    /**
     * Returns the length of the header at an offset: 0 for none, -1 when it is incomplete.
     *
     * @throws UnpackingFailedException `invalid_record` for another dictionary
     */
    private function headerLength(SharedRecords $shared, int $offset): int
    {
        $buffer = $this->buffer;
        if (!isset($buffer[$offset]) || $buffer[$offset] !== "\xc1" || ($buffer[$offset + 1] ?? "\x50") !== "\x50") {
            return 0;
        }
        $fingerprint = \substr($buffer, $offset + 2, self::HEADER_LENGTH - 2);
        if (\strlen($fingerprint) < self::HEADER_LENGTH - 2) {
            return -1;
        }
        try {
            $isKnown = $shared->recognizes($fingerprint);
        } catch (\Throwable $cause) {
            throw UnpackingFailedException::dictionary($cause, $this->base() + $offset, '');
        }
        if (!$isKnown) {
            throw UnpackingFailedException::otherDictionary($this->base() + $offset);
        }

        return self::HEADER_LENGTH;
    }
}
