<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Exception\ErrorCode;
use Polypack\Exception\InsufficientDataException;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Extension\TimestampExtension;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Type\Bin;
use Polypack\Type\Map;
use Polypack\Type\Timestamp;
use Polypack\UnpackOptions;

/**
 * The rows of docs/guides/migrating-from-msgpack-php.md: what the column "is" says.
 */
final class MigrationTest extends TestCase
{
    private const GUIDE = __DIR__ . '/../../docs/guides/migrating-from-msgpack-php.md';

    public function testTheCommandLeavesOtherNamespacesAlone(): void
    {
        if (\preg_match("/xargs perl -pi -e '([^']+)'/", (string) \file_get_contents(self::GUIDE), $match) !== 1) {
            self::fail('the guide has no command');
        }
        $before = 'use MessagePack\Packer; use App\MessagePack\Text; \MessagePack\MessagePack::pack(1); class_exists("MessagePack\\\\Packer"); '
            . 'MyMessagePack\X; namespace App\MessagePack;';
        $process = \proc_open(['perl', '-pe', $match[1]], [['pipe', 'r'], ['pipe', 'w']], $pipes);
        self::assertIsResource($process);
        \fwrite($pipes[0], $before);
        \fclose($pipes[0]);

        self::assertSame(
            'use Polypack\Packer; use App\MessagePack\Text; \Polypack\MessagePack::pack(1); class_exists("Polypack\\\\Packer"); '
            . 'MyMessagePack\X; namespace App\MessagePack;',
            \stream_get_contents($pipes[1]),
        );
        \proc_close($process);
    }

    public function testReading(): void
    {
        self::assertCode(ErrorCode::TrailingData, static fn() => MessagePack::unpack("\x01\x02"));

        $unpacker = new BufferUnpacker("\x01\x92\x01");
        $unpacker->unpack();
        self::assertCode(ErrorCode::UnexpectedEnd, static fn() => $unpacker->unpack());
        self::assertSame([1, 2], $unpacker->append("\x02")->unpack());

        $stream = new BufferUnpacker("\x01\x02\xc1");
        self::assertSame([1, 2], $stream->tryUnpack());
        self::assertCode(ErrorCode::ReservedByte, static fn() => $stream->tryUnpack());

        $deep = \str_repeat("\x91", 513) . "\x01";
        self::assertCode(ErrorCode::LimitExceeded, static fn() => MessagePack::unpack($deep));
        self::assertIsArray(MessagePack::unpack($deep, limits: new Limits(maxDepth: 513)));

        self::assertEquals(new Timestamp(1), (new BufferUnpacker("\xd6\xff\x00\x00\x00\x01"))->unpack());
        self::assertEquals(new Timestamp(1), (new BufferUnpacker("\xd6\xff\x00\x00\x00\x01", null, [new TimestampExtension()]))->unpack());
        self::assertCode(ErrorCode::InvalidTimestamp, static fn() => MessagePack::unpack("\xd5\xff\x00\x01"));
        self::assertCode(ErrorCode::InvalidTimestamp, static fn() => MessagePack::unpack("\xc7\x0c\xff" . \pack('NJ', 1_000_000_000, 0)));
        self::assertNull(MessagePack::unpack("\xd4\x00\x00"));
        self::assertCode(ErrorCode::InvalidRecord, static fn() => MessagePack::unpack("\xd4\x72x"));
        self::assertSame(0, (new BufferUnpacker('ab'))->seek(2)->getRemainingCount());
        self::assertSame(0, (new BufferUnpacker('ab'))->skip(2)->getRemainingCount());
        self::assertSame([], (new BufferUnpacker("\x90"))->unpackMap());
        self::assertSame(0, (new BufferUnpacker("\x90"))->unpackMapHeader());
        self::assertEquals(new Bin('x'), (new BufferUnpacker("\xc4\x01x", UnpackOptions::LOSSLESS))->unpackBin());
    }

    public function testPacking(): void
    {
        self::assertSame('d6ff00000003', \bin2hex(MessagePack::pack(new \DateTimeImmutable('@3'))));
        self::assertSame('8200010102', \bin2hex(MessagePack::pack(new \ArrayObject([1, 2]))));
        self::assertSame('920102', \bin2hex(MessagePack::pack(new \ArrayIterator([1, 2]))));
        self::assertCode(ErrorCode::OutOfRange, static fn() => (new Packer())->packExt(128, 'x'));
        self::assertCode(ErrorCode::InvalidTimestamp, static fn() => (new Packer())->packExt(-1, 'x'));
        self::assertCode(ErrorCode::OutOfRange, static fn() => (new Packer(PackOptions::FORCE_FLOAT32))->pack(1e300));
        self::assertCode(ErrorCode::UnexpectedEnd, static fn() => MessagePack::pack([new Support\Returning("\x92\x01")]));
    }

    public function testOptionsOfTheOtherClassAreRefused(): void
    {
        $this->expectException(InvalidOptionException::class);
        MessagePack::unpack("\x01", PackOptions::FORCE_ARR);
    }

    public function testNamesOfParameters(): void
    {
        $names = static fn(string $class, string $method): string => (new \ReflectionMethod($class, $method))->getParameters()[0]->getName();

        self::assertSame('packed', $names(MessagePack::class, 'unpack'));
        self::assertSame('count', $names(Packer::class, 'packArrayHeader'));
        self::assertSame('count', $names(Packer::class, 'packMapHeader'));
        self::assertSame('bin', $names(Packer::class, 'packBin'));
        self::assertSame('dateTime', $names(Timestamp::class, 'fromDateTime'));
    }

    public function testWhatIsFinalOrReadOnly(): void
    {
        foreach ([PackingFailedException::class, InsufficientDataException::class, InvalidOptionException::class,
            \Polypack\TypeTransformer\StreamTransformer::class, \Polypack\TypeTransformer\TraversableTransformer::class] as $class) {
            self::assertTrue((new \ReflectionClass($class))->isFinal(), $class);
        }
        self::assertTrue((new \ReflectionProperty(Bin::class, 'data'))->isReadOnly());
        self::assertTrue((new \ReflectionProperty(Map::class, 'map'))->isReadOnly());
        self::assertSame('string', (string) (new \ReflectionMethod(Packer::class, 'pack'))->getReturnType());
        self::assertSame('mixed', (string) (new \ReflectionMethod(BufferUnpacker::class, 'unpack'))->getReturnType());
        self::assertFalse((new \ReflectionClass(UnpackingFailedException::class))->hasMethod('unexpectedCode'));
        self::assertFalse((new \ReflectionClass(PackingFailedException::class))->hasMethod('unsupportedType'));
    }

    /**
     * @param \Closure(): mixed $call
     */
    private static function assertCode(ErrorCode $code, \Closure $call): void
    {
        try {
            $call();
        } catch (PackingFailedException | UnpackingFailedException $error) {
            self::assertSame($code, $error->errorCode);

            return;
        }
        self::fail("{$code->value} is expected");
    }
}
