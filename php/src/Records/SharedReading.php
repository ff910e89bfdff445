<?php

declare(strict_types=1);

namespace Polypack\Records;

use Polypack\Exception\InsufficientDataException;
use Polypack\Exception\UnpackingFailedException;

/**
 * Reads records with a dictionary (spec/05-records.md#shared). A message starts as if it had just declared the shapes
 * of the dictionary. Before the reader refuses an unknown id, it loads the dictionary, at most once per message. An
 * unknown fingerprint in a header also makes the reader load the dictionary.
 *
 * @internal
 */
trait SharedReading
{
    /** Length of the header in bytes: c1, 50 and the fingerprint of 8 bytes. */
    private const HEADER_LENGTH = 10;

    /** @var ?SharedRecords null when records are not shared */
    private $shared;
    /** @var bool whether an unknown id in this message may still cause the dictionary to be loaded */
    private $mayLoad = false;

    private function startShared(SharedRecords $shared): void
    {
        $this->mayLoad = true;
        $this->declarations()->startWith($shared->known()->declared());
    }

    /**
     * Loads the dictionary if the id at $head is unknown. Then returns the names of its record if the id has one byte.
     *
     * @return ?list<string> null for an id of two bytes, and for an id that is still unknown
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
                => UnpackingFailedException::dictionary($cause, $shared->isLostBy($cause), $at, $path));
        }
        // An extension may have loaded the dictionary since the message began, so add it even if refresh() found
        // nothing new.
        $declarations->addFrom($shared->known()->declared());
        if ($this->account !== null) {
            // Makes WideMaps count the comparisons again, because its last count stopped at the unknown id.
            $this->account->colliding = null;
        }
    }

    // Reading the header (spec/05-records.md#header)

    /**
     * Moves past the header of the message at the read position, if it has one.
     *
     * @throws UnpackingFailedException
     */
    private function skipHeader(SharedRecords $shared): void
    {
        $length = $this->headerAt($this->offset);
        if ($length < 0) {
            throw InsufficientDataException::head('the header of a message', $this->base() + $this->offset, '');
        }
        if ($length > 0) {
            $this->offset += $length;
            $this->startShared($shared); // looking up the fingerprint may have loaded the dictionary
        }
    }

    /**
     * Returns the length in bytes of the header at an offset: 0 for no header, -1 for an incomplete header. Messages in
     * the data of an extension have no header.
     *
     * @throws UnpackingFailedException `invalid_record` for another dictionary
     */
    private function headerAt(int $offset): int
    {
        $shared = $this->shared;
        if ($shared === null || !$shared->fingerprint || $this->isInside()) {
            return 0;
        }
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
            throw UnpackingFailedException::dictionary($cause, $shared->isLostBy($cause), $this->base() + $offset, '');
        }
        if (!$isKnown) {
            throw UnpackingFailedException::otherDictionary($this->base() + $offset);
        }

        return self::HEADER_LENGTH;
    }
}
