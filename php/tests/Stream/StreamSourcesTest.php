<?php

declare(strict_types=1);

namespace Polypack\Tests\Stream;

use Nyholm\Psr7\Response;
use Nyholm\Psr7\Stream;
use PHPUnit\Framework\TestCase;
use Polypack\Exception\InsufficientDataException;
use Polypack\Exception\InvalidOptionException;
use Polypack\MessagePack;
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\SlowStream;
use Psr\Http\Message\StreamInterface;

final class StreamSourcesTest extends TestCase
{
    private const VALUES = [1, ['a' => [1.5, null], 'b' => 'text'], [], 'é'];

    public function testIterables(): void
    {
        $generator = static function (): \Generator {
            yield 'the same key' => \substr(self::bytes(), 0, 3);
            yield 'the same key' => '';
            yield 'the same key' => \substr(self::bytes(), 3);
        };
        self::assertSame(self::VALUES, self::all($generator()));
        self::assertSame(self::VALUES, self::all(new \ArrayIterator(\str_split(self::bytes()))));
        self::assertSame([], self::all([]));
    }

    public function testPhpStreams(): void
    {
        $stream = self::stream('--' . self::bytes());
        \fseek($stream, 2);
        self::assertSame(self::VALUES, self::all($stream));
        self::assertTrue(\is_resource($stream));
        \fclose($stream);

        $big = self::stream(MessagePack::pack(\range(1, 100_000)) . "\xc3");
        self::assertSame([\range(1, 100_000), true], self::all($big));
    }

    public function testPhpStreamsAreReadAsFarAsMessagesAreAskedFor(): void
    {
        $stream = self::stream(\str_repeat("\xc3", 1_000_000));
        foreach ((new StreamUnpacker())->decode($stream) as $message) {
            self::assertTrue($message);
            break;
        }
        self::assertLessThan(200_000, \ftell($stream));
    }

    public function testSocketsThatDoNotBlockAreWaitedFor(): void
    {
        [$ours, $theirs] = self::sockets();
        \stream_set_blocking($ours, false);
        $messages = (new StreamUnpacker())->decode($ours);
        \fwrite($theirs, "\x01\x92\x02");
        self::assertSame(1, $messages->current());
        \fwrite($theirs, "\xa1a");
        $messages->next();
        self::assertSame([2, 'a'], $messages->current());
        \fclose($theirs);
        $messages->next();
        self::assertFalse($messages->valid());
    }

    public function testProcessesThatAreSlowAreWaitedFor(): void
    {
        $child = \proc_open([\PHP_BINARY, '-n', '-r', 'usleep(20000); echo "\\x92\\x01"; usleep(20000); echo "\\x02\\x03";'], [1 => ['pipe', 'w']], $pipes);
        self::assertIsResource($child);
        \stream_set_blocking($pipes[1], false);
        self::assertSame([[1, 2], 3], self::all($pipes[1]));
        \proc_close($child);
    }

    /**
     * Their reads may return nothing, although PHP calls them blocking, and nothing tells when that changes.
     */
    public function testStreamsOfUserCodeAreAskedAgainAfterAPause(): void
    {
        \stream_wrapper_register('slow', SlowStream::class);
        try {
            SlowStream::$chunks = ['', '', '', "\x92\x01", '', "\x02\xc3"];
            $stream = \fopen('slow://', 'r');
            self::assertIsResource($stream);
            $start = \hrtime(true);
            self::assertSame([[1, 2], true], self::all($stream));
            self::assertGreaterThanOrEqual(4_000_000, \hrtime(true) - $start, 'a pause of a millisecond each');
        } finally {
            \stream_wrapper_unregister('slow');
        }
    }

    public function testTimeOutsAreNoEnd(): void
    {
        [$ours, $theirs] = self::sockets();
        \stream_set_timeout($ours, 0, 10_000);
        \fwrite($theirs, "\x01\x02");
        $messages = [];
        try {
            foreach ((new StreamUnpacker())->decode($ours) as $message) {
                $messages[] = $message;
            }
            self::fail('the time-out passed for the end');
        } catch (InsufficientDataException $error) {
            self::assertSame('the stream timed out; 2 bytes came from it before', $error->getMessage());
        }
        self::assertSame([1, 2], $messages);
        \fclose($theirs);
    }

    /**
     * The source failed and not the bytes, so nothing is lost. Go's Resume() goes on in the same way.
     */
    public function testAMessageGoesOnAfterATimeOut(): void
    {
        foreach (['the same source', 'another source', 'feed()', 'the end'] as $next) {
            [$ours, $theirs] = self::sockets();
            \stream_set_timeout($ours, 0, 10_000);
            \fwrite($theirs, "\x01\x92\x02");
            $unpacker = new StreamUnpacker();
            $messages = [];
            $read = static function (mixed $source) use ($unpacker, &$messages): int {
                foreach ($unpacker->decode($source) as $message) { // @phpstan-ignore argument.type
                    $messages[] = $message;
                }

                return \count($messages);
            };
            self::assertStringStartsWith('unexpected_end', Outcome::of(static fn(): mixed => $read($ours)));
            self::assertSame([1], $messages);

            \fwrite($theirs, "\x03\x04");
            \fclose($theirs);
            if ($next === 'the end') {
                self::assertSame('unexpected_end at 1 ()', Outcome::of($unpacker->end(...)));
                self::assertSame('unexpected_end at 1 ()', Outcome::of(static fn(): mixed => $unpacker->feed("\x03")));
                continue;
            }
            if ($next === 'feed()') {
                \array_push($messages, ...$unpacker->feed("\x03\x04"));
            } else {
                $read($next === 'the same source' ? $ours : ["\x03", "\x04"]);
            }
            self::assertSame([1, [2, 3], 4], $messages, $next);
            self::assertSame('reserved_byte at 5 ()', Outcome::of(static fn(): mixed => $unpacker->feed("\xc1")));
            self::assertSame('reserved_byte at 5 ()', Outcome::of(static fn(): mixed => $read($ours)), 'what is in the bytes ends the stream');
        }
    }

    public function testStreamsThatCannotBeReadAreNoEnd(): void
    {
        $folder = \fopen(__DIR__, 'r');
        self::assertIsResource($folder);
        $this->expectException(InsufficientDataException::class);
        $this->expectExceptionMessage('the stream cannot be read; 0 bytes came from it before');
        self::all($folder);
    }

    public function testTheEndInsideAMessage(): void
    {
        self::assertSame('unexpected_end at 1 ()', Outcome::of(static fn(): array => self::all(self::stream("\x01\x92\x02"))));
    }

    public function testBodiesOfPsr7Messages(): void
    {
        if (!\interface_exists(StreamInterface::class)) {
            self::markTestSkipped('psr/http-message is not installed; run composer update');
        }
        $response = new Response(200, ['Content-Type' => 'application/vnd.msgpack'], self::bytes());
        self::assertSame(self::VALUES, self::all($response->getBody()));

        [$ours, $theirs] = self::sockets();
        \stream_set_timeout($ours, 0, 10_000);
        \fwrite($theirs, "\xc3");
        try {
            self::all(Stream::create($ours));
            self::fail('the time-out passed for the end');
        } catch (InsufficientDataException $error) {
            self::assertSame('the stream cannot be read; 1 bytes came from it before', $error->getMessage());
            self::assertInstanceOf(\RuntimeException::class, $error->getPrevious());
        }
        \fclose($theirs);
    }

    /**
     * PSR-7 lets read() return nothing; metadata may say why.
     */
    public function testPsr7StreamsThatReturnNothing(): void
    {
        if (!\interface_exists(StreamInterface::class)) {
            self::markTestSkipped('psr/http-message is not installed; run composer update');
        }
        $waiting = ['blocked' => true];
        foreach ([null, $waiting, ['timed_out' => false, 'blocked' => false], $waiting + ['stream_type' => 'user-space']] as $metadata) {
            $stream = self::psr7(['', "\x92\x01", '', '', "\x02\xc3"], $metadata);
            $start = \hrtime(true);
            self::assertSame([[1, 2], true], self::all($stream));
            if ($metadata !== $waiting) {
                self::assertGreaterThanOrEqual(3_000_000, \hrtime(true) - $start, 'a pause of a millisecond each');
            }
        }

        $messages = [];
        try {
            foreach ((new StreamUnpacker())->decode(self::psr7(["\x01\x02", ''], ['timed_out' => true])) as $message) {
                $messages[] = $message;
            }
            self::fail('the time-out passed for the end');
        } catch (InsufficientDataException $error) {
            self::assertSame('the stream timed out; 2 bytes came from it before', $error->getMessage());
        }
        self::assertSame([1, 2], $messages);
    }

    /**
     * @param list<string>         $chunks
     * @param ?array<string, bool|string> $metadata
     */
    private static function psr7(array $chunks, ?array $metadata): StreamInterface
    {
        $stream = self::createStub(StreamInterface::class);
        $stream->method('eof')->willReturnCallback(static function () use (&$chunks): bool {
            return $chunks === [];
        });
        $stream->method('read')->willReturnCallback(static function () use (&$chunks): string {
            return (string) \array_shift($chunks);
        });
        $stream->method('getMetadata')->willReturnCallback(static fn(?string $key): bool|string|null => $metadata[$key] ?? null);

        return $stream;
    }

    public function testOtherSourcesAreRefused(): void
    {
        $refused = [['text', 'string'], [1, 'int'], [null, 'null'], [new \stdClass(), 'stdClass'], [\stream_context_create(), 'resource']];
        foreach ($refused as [$source, $type]) {
            try {
                $messages = (new \ReflectionMethod(StreamUnpacker::class, 'decode'))->invoke(new StreamUnpacker(), $source);
                self::assertInstanceOf(\Generator::class, $messages);
                $messages->current();
                self::fail("{$type} is no source");
            } catch (InvalidOptionException $error) {
                self::assertStringStartsWith("cannot read a stream from {$type}", $error->getMessage());
            }
        }
        $this->expectException(InvalidOptionException::class);
        $this->expectExceptionMessage('a chunk is int; chunks must be strings');
        self::all(self::chunks());
    }

    /**
     * @return iterable<string> that lies
     */
    private static function chunks(): iterable
    {
        /** @var list<string> $chunks */
        $chunks = \unserialize(\serialize(["\x01", 2]));

        return $chunks;
    }

    /**
     * @param iterable<string>|resource|StreamInterface $source
     *
     * @return list<mixed>
     */
    private static function all(mixed $source): array
    {
        return \iterator_to_array((new StreamUnpacker())->decode($source), false);
    }

    private static function bytes(): string
    {
        return \implode('', \array_map(MessagePack::pack(...), self::VALUES));
    }

    /**
     * @return resource
     */
    private static function stream(string $bytes)
    {
        $stream = \fopen('php://temp', 'r+');
        self::assertIsResource($stream);
        \fwrite($stream, $bytes);
        \rewind($stream);

        return $stream;
    }

    /**
     * @return array{resource, resource}
     */
    private static function sockets(): array
    {
        $pair = \stream_socket_pair(\STREAM_PF_UNIX, \STREAM_SOCK_STREAM, 0);
        self::assertIsArray($pair);
        self::assertCount(2, $pair);

        return [$pair[0], $pair[1]];
    }
}
