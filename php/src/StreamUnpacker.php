<?php

declare(strict_types=1);

namespace Polypack;

use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Stream\Chunks;
use Psr\Http\Message\StreamInterface;

/**
 * Unpacks a stream of values whose bytes arrive in chunks that may be cut anywhere (spec/06-limits.md#streams).
 *
 * Between chunks, at most one incomplete message is held in memory. The work is linear in the bytes. Offsets in errors
 * count from the start of the stream. A fault in the bytes ends the stream. When all messages before it have been
 * returned, every later call throws the fault again.
 *
 * A source that times out or can't be read doesn't end the stream. The bytes that it has delivered stay. A later call
 * of decode(), with this source or another one, or of feed() goes on with the message that has begun.
 *
 * An extension must not use or clone the stream that is calling it.
 *
 * Stream/Scanner.php finds where a message ends and refuses a message that is longer than maxBytes.
 * Stream/Streams.php calls the scanner, and decodes the messages that are complete.
 *
 * @api
 */
final class StreamUnpacker
{
    /** decode() decodes several messages ahead if together they take at most this many bytes of memory, by estimate. */
    private const AHEAD = 65_536;

    private BufferUnpacker $unpacker;
    private ?UnpackingFailedException $fault = null;
    /** @var list<mixed> decoded messages that decode() hasn't yielded yet, the next one last */
    private array $ahead = [];
    /** @var ?array{\WeakReference<\Iterator>, mixed} the source of decode(), and the key of the chunk taken last */
    private ?array $taken = null;
    private bool $isBusy = false;

    /**
     * @param UnpackOptions|int|null $options    constants of UnpackOptions, combined with |
     * @param iterable<Extension>    $extensions if two have the same type, the later one counts
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
     * A copy has its own buffer, and goes on with the message that has begun.
     *
     * @throws InvalidOptionException when called by an extension of the stream
     */
    public function __clone()
    {
        $this->refuseNesting();
        $this->unpacker = clone $this->unpacker;
    }

    /**
     * Takes the next bytes and returns the messages that they complete.
     *
     * If a fault follows complete messages, this call returns the messages and the next call throws. If maxMemory is
     * set, as it is in strict mode by default, it also limits all messages of a chunk together. If it isn't set, the
     * list grows with the chunk, so pass short chunks or use decode().
     *
     * If a loop over decode() was left early, the messages that it has not delivered come first. Those that were
     * decoded already take up to 64 KiB more than maxMemory.
     *
     * @return list<mixed>
     *
     * @throws UnpackingFailedException
     * @throws InvalidOptionException   when called by an extension of the stream
     */
    public function feed(string $chunk): array
    {
        $this->refuseNesting();
        $messages = [];
        if ($this->fault === null) {
            $this->unpacker->append($chunk);
            $messages = $this->drain();
        }
        if ($this->ahead !== []) {
            $messages = [...\array_reverse($this->ahead), ...$messages];
            $this->ahead = [];
        }
        if ($this->fault !== null && $messages === []) {
            throw $this->fault;
        }

        return $messages;
    }

    /**
     * Decodes all complete messages of the buffer, and notes a fault behind them.
     *
     * @return list<mixed>
     */
    private function drain(): array
    {
        $isFull = false;
        $messages = $this->messages(null, $isFull);
        if ($isFull) {
            $this->fault = $this->unpacker->listTooHeavy();
        }
        if ($this->fault === null && $messages !== []) {
            // This copies the bytes of the incomplete message, so it is done only after complete messages.
            $this->unpacker->release();
        }

        return $messages;
    }

    /**
     * Decodes complete messages, and notes a fault behind them in $this->fault.
     *
     * @param ?int $memory estimated bytes that the messages may take together; null for maxMemory
     *
     * @return list<mixed>
     */
    private function messages(?int $memory, bool &$isFull): array
    {
        $this->refuseNesting(); // an extension may go on with a loop over decode()
        $this->isBusy = true;
        try {
            return $this->unpacker->drain($memory, $this->fault, $isFull);
        } finally {
            $this->isBusy = false;
        }
    }

    /**
     * Throws if an extension calls the stream that is calling it. Otherwise the messages of the inner call would
     * overtake those that the outer call has yet to decode.
     *
     * @throws InvalidOptionException
     */
    private function refuseNesting(): void
    {
        if ($this->isBusy) {
            throw InvalidOptionException::streamInUse();
        }
    }

    /**
     * Ends the input. If a loop over decode() was left early, feed('') still returns the messages that it has not
     * delivered.
     *
     * @throws UnpackingFailedException an earlier fault again; or, when the input ends inside a message, the error that
     *                                  unpacking the incomplete message gives
     * @throws InvalidOptionException   when called by an extension of the stream
     */
    public function end(): void
    {
        $this->refuseNesting();
        if ($this->fault === null && $this->unpacker->hasRemaining()) { // complete messages only if decode() was left
            $this->ahead = [...\array_reverse($this->drain()), ...$this->ahead];
        }
        if ($this->fault === null && $this->unpacker->hasRemaining()) {
            $this->isBusy = true;
            try {
                $this->unpacker->unpack();
            } catch (UnpackingFailedException $fault) {
                $this->fault = $fault;
            } finally {
                $this->isBusy = false;
            }
        }
        if ($this->fault !== null) {
            throw $this->fault;
        }
    }

    /**
     * Yields the messages of a source as they become complete. Throws a fault after yielding the messages before it.
     * However long the chunks are, only one decoded message or several small ones are in memory at a time.
     *
     * A loop may be left early, for example after a handshake. The next decode() or feed() goes on with the next
     * message, and decode() may get the same source again. An iterator or a generator then goes on behind the chunk
     * that was taken last.
     *
     * @param iterable<string>|resource|StreamInterface $source the rest of the stream: its chunks, a PHP stream, or the
     *     body of a PSR-7 message. It is read only as far as the caller asks for messages, and isn't closed
     *
     * @return \Generator<int, mixed, mixed, void>
     *
     * @throws UnpackingFailedException also `unexpected_end` when the source times out or cannot be read; after that,
     *                                  reading may go on
     * @throws InvalidOptionException   when the source has another type, or yields a chunk that isn't a string, and
     *                                  when an extension of the stream calls the stream
     */
    public function decode(mixed $source): \Generator
    {
        foreach ($this->chunks($source) as $chunk) {
            $this->refuseNesting();
            if ($this->fault === null) {
                $this->unpacker->append($chunk);
            }
            $isFull = $this->fault === null;
            while (true) {
                while ($this->ahead !== []) {
                    yield \array_pop($this->ahead); // popped before the yield, because the loop may be left there
                }
                if ($this->fault !== null) {
                    throw $this->fault;
                }
                if (!$isFull) {
                    break;
                }
                $this->ahead = \array_reverse($this->messages(self::AHEAD, $isFull));
            }
            $this->unpacker->release();
        }
        $this->end();
    }

    /**
     * Yields an empty chunk, so that decode() first delivers what an earlier loop left, and then the chunks of a
     * source.
     *
     * @return \Generator<int, string>
     */
    private function chunks(mixed $source): \Generator
    {
        yield '';
        $iterator = $source instanceof \Iterator ? $source : null;
        if ($iterator !== null && $this->taken !== null && $this->taken[0]->get() === $iterator) {
            if ($iterator->valid() && $iterator->key() === $this->taken[1]) {
                $iterator->next();
            }
            $source = $iterator->valid() ? new \NoRewindIterator($iterator) : []; // foreach would rewind the iterator
        }
        foreach (Chunks::of($source) as $chunk) {
            $this->taken = $iterator === null ? null : [\WeakReference::create($iterator), $iterator->key()];
            yield $chunk;
        }
        $this->taken = null;
    }
}
