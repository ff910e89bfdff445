<?php

declare(strict_types=1);

namespace Polypack\Stream;

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
     * @return list<mixed>
     *
     * @throws UnpackingFailedException
     */
    public function tryUnpack(): array
    {
        $fault = null;
        $messages = $this->drain($fault);
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
     * @return list<mixed>
     */
    public function drain(?UnpackingFailedException &$fault): array
    {
        $messages = [];
        try {
            $scanner = $this->scanner();
            $shared = $this->shared !== null && $this->shared->fingerprint ? $this->shared : null;
            while (isset($this->buffer[$this->offset])) {
                $header = $shared === null ? 0 : $this->headerLength($shared, $this->offset);
                if ($header < 0 || !$scanner->scan($this->buffer, $this->offset + $header)) {
                    break;
                }
                $messages[] = $this->unpack();
            }
        } catch (UnpackingFailedException $caught) {
            $fault = $caught;
        }

        return $messages;
    }

    private function scanner(): Scanner
    {
        return $this->scanner ??= new Scanner($this->maxDepth, $this->maxBytes, $this->records, $this->shared);
    }

    /**
     * Returns how many bytes were released before the first byte of the buffer.
     */
    private function base(): int
    {
        return $this->scanner === null ? 0 : $this->scanner->released;
    }
}
