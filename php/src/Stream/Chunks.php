<?php

declare(strict_types=1);

namespace Polypack\Stream;

use Polypack\Exception\InsufficientDataException;
use Polypack\Exception\InvalidOptionException;
use Psr\Http\Message\StreamInterface;

/**
 * Yields the bytes of a source for StreamUnpacker, in the chunks that the source delivers.
 *
 * @internal
 */
final class Chunks
{
    /** How many bytes one read asks for. A socket may return fewer. */
    private const BYTES = 65_536;

    /** Microseconds to sleep when a source has no bytes yet and stream_select() can't wait for it. */
    private const PAUSE = 1000;

    /**
     * @param mixed $source iterable<string>, a PHP stream or a PSR-7 stream
     *
     * @return iterable<mixed, string>
     *
     * @throws InvalidOptionException when the source is none of these
     */
    public static function of(mixed $source): iterable
    {
        if ($source instanceof StreamInterface) { // always false if PSR-7 is not installed
            return self::ofPsr7($source);
        }
        if (\is_iterable($source)) {
            return self::ofIterable($source);
        }
        if (\is_resource($source) && \get_resource_type($source) === 'stream') {
            return self::ofResource($source);
        }

        throw InvalidOptionException::noSource($source);
    }

    /**
     * @param iterable<mixed, mixed> $chunks
     *
     * @return \Generator<int, string>
     */
    private static function ofIterable(iterable $chunks): \Generator
    {
        foreach ($chunks as $chunk) {
            yield \is_string($chunk) ? $chunk : throw InvalidOptionException::noChunk($chunk);
        }
    }

    /**
     * @param resource $stream
     *
     * @return \Generator<int, string>
     */
    private static function ofResource($stream): \Generator
    {
        $read = 0;
        while (!\feof($stream)) {
            $chunk = @\fread($stream, self::BYTES);
            if ($chunk === false || $chunk === '') {
                $state = \stream_get_meta_data($stream);
                if ($state['timed_out'] || $chunk === false) {
                    throw InsufficientDataException::source($state['timed_out'] ? 'timed out' : 'cannot be read', $read);
                }
                // PHP reports every stream of user code as blocking, even a stream that doesn't block.
                if (!$state['blocked'] || $state['stream_type'] === 'user-space') {
                    self::await($stream);
                }
                continue;
            }
            $read += \strlen($chunk);
            yield $chunk;
        }
    }

    /**
     * @return \Generator<int, string>
     */
    private static function ofPsr7(StreamInterface $stream): \Generator
    {
        $read = 0;
        while (!$stream->eof()) {
            try {
                $chunk = $stream->read(self::BYTES);
            } catch (\RuntimeException $cause) {
                throw InsufficientDataException::source('cannot be read', $read, $cause);
            }
            if ($chunk === '') {
                if ($stream->getMetadata('timed_out') === true) {
                    throw InsufficientDataException::source('timed out', $read);
                }
                // Sleep unless the stream is known to wait for bytes itself. PHP reports every stream of user code as
                // blocking, and streams without a resource report nothing.
                if ($stream->getMetadata('blocked') !== true || $stream->getMetadata('stream_type') === 'user-space') {
                    \usleep(self::PAUSE);
                }
                continue;
            }
            $read += \strlen($chunk);
            yield $chunk;
        }
    }

    /**
     * Waits until a stream that returned no bytes may have more, or ends.
     *
     * @param resource $stream
     */
    private static function await($stream): void
    {
        $ready = [$stream];
        $none = null;
        try {
            $isSelected = @\stream_select($ready, $none, $none, 1) !== false; // false after a signal
        } catch (\ValueError) { // a stream of user code may have no descriptor to wait on
            $isSelected = false;
        }
        if (!$isSelected) {
            \usleep(self::PAUSE);
        }
    }
}
