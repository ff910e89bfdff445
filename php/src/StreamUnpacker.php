<?php

declare(strict_types=1);

namespace Polypack;

use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Stream\Chunks;
use Psr\Http\Message\StreamInterface;

/**
 * Unpacks a stream: values one after the other, in chunks that may be cut anywhere (spec/06-limits.md#streams).
 *
 * At most one incomplete message is held in memory, and the work is linear in the bytes. Offsets in errors count from
 * the start of the stream. An error ends the stream: every later call throws it again.
 *
 * Stream/Scanner.php finds where a message ends and refuses one that is longer than maxBytes; Stream/Streams.php calls
 * it and decodes the messages that are complete.
 *
 * @api
 */
final class StreamUnpacker
{
    /** decode() unpacks several messages ahead, as long as they take no more than this many bytes by estimate. */
    private const AHEAD = 65_536;

    private readonly BufferUnpacker $unpacker;
    private ?UnpackingFailedException $fault = null;

    /**
     * @param UnpackOptions|int|null $options    constants of UnpackOptions, combined with |
     * @param iterable<Extension>    $extensions of two with the same type the later counts
     * @param ?Limits                $limits     maxBytes bounds each message, 64 MiB by default
     *
     * @throws InvalidOptionException
     */
    public function __construct(
        UnpackOptions|int|null $options = null,
        iterable $extensions = [],
        ?Limits $limits = null,
    ) {
        $this->unpacker = new BufferUnpacker('', $options, $extensions, $limits);
    }

    /**
     * Takes the next bytes and returns the messages they complete.
     *
     * A fault after complete messages is thrown by the next call of feed() or end(). Where maxMemory is set, as in
     * strict mode, the messages of a chunk together may take that much; otherwise the list grows with the chunk, so
     * give it short chunks or use decode().
     *
     * @return list<mixed>
     *
     * @throws UnpackingFailedException
     */
    public function feed(string $chunk): array
    {
        if ($this->fault !== null) {
            throw $this->fault;
        }
        $this->unpacker->append($chunk);
        $isFull = false;
        $messages = $this->unpacker->drain(null, $this->fault, $isFull);
        if ($isFull) {
            $this->fault = $this->unpacker->listTooHeavy();
        }
        if ($this->fault !== null && $messages === []) {
            throw $this->fault;
        }
        if ($this->fault === null && $messages !== []) {
            // Copies only the incomplete message, which is cheap.
            $this->unpacker->release();
        }

        return $messages;
    }

    /**
     * Ends the input.
     *
     * @throws UnpackingFailedException when the input ends inside a message: the same error as unpacking the incomplete
     *                                  message
     */
    public function end(): void
    {
        if ($this->fault === null && $this->unpacker->hasRemaining()) {
            try {
                $this->unpacker->unpack();
            } catch (UnpackingFailedException $fault) {
                $this->fault = $fault;
            }
        }
        if ($this->fault !== null) {
            throw $this->fault;
        }
    }

    /**
     * Yields the messages of a source as they become complete. A fault is thrown after the messages before it. However
     * long the chunks are, few messages are in memory: one, or several small ones.
     *
     * @param iterable<string>|resource|StreamInterface $source the whole stream, or what is left of it: its chunks, a
     *     PHP stream, or the body of a PSR-7 message. It is read only as far as messages are asked for, and not closed
     *
     * @return \Generator<int, mixed, mixed, void>
     *
     * @throws UnpackingFailedException also when the PHP stream times out or cannot be read: `unexpected_end`
     * @throws InvalidOptionException   when the source is none of these
     */
    public function decode(mixed $source): \Generator
    {
        $isFull = false;
        foreach (Chunks::of($source) as $chunk) {
            if ($this->fault !== null) {
                throw $this->fault;
            }
            $this->unpacker->append($chunk);
            do {
                foreach ($this->unpacker->drain(self::AHEAD, $this->fault, $isFull) as $message) {
                    yield $message;
                }
            } while ($isFull);
            if ($this->fault !== null) {
                throw $this->fault;
            }
            $this->unpacker->release();
        }
        $this->end();
    }
}
