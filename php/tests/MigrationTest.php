<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Exception\ErrorCode;
use Polypack\Exception\InsufficientDataException;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Extension;
use Polypack\Extension\TimestampExtension;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Pecl\PeclReader;
use Polypack\Pecl\PhpObject;
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\Codes;
use Polypack\Type\Bin;
use Polypack\Type\Map;
use Polypack\Type\Timestamp;
use Polypack\Type\UInt64;
use Polypack\UnpackOptions;

/**
 * The rows of docs/guides/migrating-from-msgpack-php.md: what the column "is" says.
 */
final class MigrationTest extends TestCase
{
    use Codes;

    private const GUIDE = __DIR__ . '/../../docs/guides/migrating-from-msgpack-php.md';

    public function testTheCommandLeavesOtherNamespacesAlone(): void
    {
        if (\preg_match('/^grep .*\n.*xargs.*$/m', (string) \file_get_contents(self::GUIDE), $match) !== 1) {
            self::fail('the guide has no command');
        }
        $before = 'use MessagePack\Packer; use App\MessagePack\Text; \MessagePack\MessagePack::pack(1); class_exists("MessagePack\\\\Packer"); '
            . 'MyMessagePack\X; namespace App\MessagePack; use MessagePack as MP; use \MessagePack as MP; // MessagePack as bytes';
        $after = 'use Polypack\Packer; use App\MessagePack\Text; \Polypack\MessagePack::pack(1); class_exists("Polypack\\\\Packer"); '
            . 'MyMessagePack\X; namespace App\MessagePack; use Polypack as MP; use \Polypack as MP; // MessagePack as bytes';
        $folder = \sys_get_temp_dir() . '/polypack-migration-' . \getmypid();
        $files = ['plain.php' => [$before, $after], 'with a space.php' => [$before, $after], "it's.php" => ['use MessagePack as MP;', 'use Polypack as MP;'], 'vendor/not.php' => [$before, $before]];
        \mkdir("{$folder}/vendor", recursive: true);
        foreach ($files as $name => [$text]) {
            \file_put_contents("{$folder}/{$name}", $text);
        }
        $process = \proc_open(['sh', '-c', $match[0]], [], $pipes, $folder);
        self::assertIsResource($process);
        self::assertSame(0, \proc_close($process));
        $found = [];
        foreach ($files as $name => [, $wanted]) {
            $found[$name] = [$wanted, (string) \file_get_contents("{$folder}/{$name}")];
            \unlink("{$folder}/{$name}");
        }
        \rmdir("{$folder}/vendor");
        \rmdir($folder);
        foreach ($found as $name => [$wanted, $text]) {
            self::assertSame($wanted, $text, $name);
        }
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
        self::assertCode(ErrorCode::OutOfRange, static fn() => (new Packer())->packFloat32(1e300));
        foreach ([-1, 1 << 32] as $count) {
            self::assertCode(ErrorCode::OutOfRange, static fn() => (new Packer())->packArrayHeader($count));
            self::assertCode(ErrorCode::OutOfRange, static fn() => (new Packer())->packMapHeader($count));
        }
        self::assertCode(ErrorCode::UnexpectedEnd, static fn() => MessagePack::pack([new Support\Returning("\x92\x01")]));
    }

    public function testRowsAboutArgumentsAndBigIntegers(): void
    {
        $packer = new Packer();
        foreach (['packMap' => new \ArrayObject([1]), 'packArray' => new \ArrayIterator([1])] as $method => $value) {
            try {
                (new \ReflectionMethod($packer, $method))->invoke($packer, $value);
                self::fail('a TypeError is expected');
            } catch (\TypeError $error) {
                self::assertStringContainsString('must be of type array', $error->getMessage());
            }
        }
        $big = "\xcf" . \str_repeat("\xff", 8);
        self::assertSame('18446744073709551615', (new BufferUnpacker($big))->unpackInt());
        self::assertSame(1.8446744073709552e19, (new BufferUnpacker($big, UnpackOptions::BIGINT_AS_FLOAT))->unpackInt());
        self::assertInstanceOf(UInt64::class, (new BufferUnpacker($big, UnpackOptions::LOSSLESS))->unpackInt());
    }

    public function testAnExtensionOwnsTheTypeOfDeclarations(): void
    {
        $extension = new class implements Extension {
            public function getType(): int
            {
                return 0x72;
            }

            public function pack(Packer $packer, mixed $value): ?string
            {
                return $value instanceof \SplFixedArray ? $packer->packExt(0x72, 'x') : null;
            }

            public function unpackExt(BufferUnpacker $unpacker, int $extLength): mixed
            {
                return \strtoupper($unpacker->read($extLength));
            }
        };
        $packed = (new Packer())->extendWith($extension)->pack(new \SplFixedArray());

        self::assertSame('d47278', \bin2hex($packed));
        self::assertSame('X', (new BufferUnpacker($packed))->extendWith($extension)->unpack());
    }

    public function testObjectsThatWriteTheirHeadsCountAsDepth(): void
    {
        $object = Support\Node::chain(513);
        self::assertCode(ErrorCode::LimitExceeded, static fn() => MessagePack::pack($object));
        self::assertNotSame('', MessagePack::pack($object, limits: new Limits(maxDepth: 513)));
    }

    // From the PECL extension

    public function testRowsOfThePeclExtension(): void
    {
        self::assertSame('ca3fc00000', \bin2hex(MessagePack::pack(1.5, PackOptions::FORCE_FLOAT32)));
        self::assertSame('d920', \substr(\bin2hex(MessagePack::pack(\str_repeat('x', 32))), 0, 4));
        self::assertEquals((object) ['a' => 1], MessagePack::unpack("\x81\xa1a\x01", UnpackOptions::LOSSLESS));
        self::assertSame([1, 2], (new StreamUnpacker())->feed("\x01\x02\x92"));
        self::assertCode(ErrorCode::InvalidKey, static fn() => MessagePack::unpack("\x81\xc3\x01"));
    }

    #[RequiresPhpExtension('msgpack')]
    public function testPeclReaderReadsSessions(): void
    {
        $folder = \sys_get_temp_dir() . '/polypack-migration-' . \getmypid();
        \mkdir($folder);
        $code = 'session_id("one"); session_start(); $_SESSION = ["id" => 7, "list" => [1, "a"], "object" => (object) ["b" => 2]]; session_write_close();';
        $settings = ['serialize_handler' => 'msgpack', 'save_path' => $folder, 'save_handler' => 'files', 'use_cookies' => '0', 'use_strict_mode' => '0', 'cache_limiter' => ''];
        $command = [\PHP_BINARY];
        foreach ($settings as $name => $value) {
            \array_push($command, '-d', "session.{$name}={$value}");
        }
        \exec(\implode(' ', \array_map(escapeshellarg(...), [...$command, '-r', $code])) . ' 2>&1', $output, $status);
        $session = (new PeclReader())->read((string) @\file_get_contents("{$folder}/sess_one"));
        @\unlink("{$folder}/sess_one");
        \rmdir($folder);

        self::assertSame(0, $status, \implode("\n", $output));
        self::assertIsArray($session);
        self::assertSame([7, [1, 'a']], [$session['id'], $session['list']]);
        self::assertInstanceOf(PhpObject::class, $session['object']);
        self::assertSame(['b' => 2], $session['object']->properties);
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
}
