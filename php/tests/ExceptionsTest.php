<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\CanPack;
use Polypack\Exception\ErrorCode;
use Polypack\Exception\InsufficientDataException;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Extension;
use Polypack\Packer;
use Polypack\Tests\Support\Counted;
use Polypack\Tests\Support\Outcome;
use Polypack\Type\Timestamp;

/**
 * Exceptions that users make, in extensions, transformers and tests of their own.
 */
final class ExceptionsTest extends TestCase
{
    public function testTheyAreMadeLikeThoseOfPhp(): void
    {
        $cause = new \LogicException('cause');
        $error = new UnpackingFailedException('bad point', 7, $cause);

        self::assertSame(['bad point', 7, $cause], [$error->getMessage(), $error->getCode(), $error->getPrevious()]);
        self::assertSame([ErrorCode::UnsupportedValue, null, ''], [$error->errorCode, $error->offset, $error->path]);
        self::assertSame('', (new PackingFailedException())->getMessage());
        self::assertSame(ErrorCode::OutOfRange, (new InsufficientDataException('x', ErrorCode::OutOfRange))->errorCode);
    }

    public function testAnExtensionFailsWithItsMessageAndGetsThePlace(): void
    {
        $cause = new \DomainException('three coordinates');
        $unpacker = $this->unpacker(new UnpackingFailedException('the point is bad', ErrorCode::UnsupportedValue, $cause));
        try {
            $unpacker->reset("\x81\xa5point\x91\xd4\x05\x00")->unpack();
            self::fail('the extension fails');
        } catch (UnpackingFailedException $error) {
            self::assertSame('the point is bad, at byte 8 (path "/point/0")', $error->getMessage());
            self::assertSame([ErrorCode::UnsupportedValue, 8, '/point/0'], [$error->errorCode, $error->offset, $error->path]);
            self::assertSame($cause, $error->getPrevious());
        }
    }

    public function testACodeOfPhpIsKept(): void
    {
        try {
            $this->unpacker(new UnpackingFailedException('bad', 42))->reset("\xd4\x05\x00")->unpack();
            self::fail('the extension fails');
        } catch (UnpackingFailedException $error) {
            self::assertSame(['bad, at byte 0', 42], [$error->getMessage(), $error->getCode()]);
        }
    }

    /**
     * An error of another reader has a place of its own, which isn't one in this message.
     */
    public function testOtherErrorsOfAnExtensionAreItsCause(): void
    {
        foreach ([new \DomainException('x'), new InsufficientDataException('x'), new UnpackingFailedException('x', ErrorCode::UnexpectedEnd)] as $cause) {
            try {
                $this->unpacker($cause)->reset("\x91\xd4\x05\x00")->unpack();
                self::fail('the extension fails');
            } catch (UnpackingFailedException $error) {
                self::assertSame([$cause, ErrorCode::UnsupportedValue], [$error->getPrevious(), $error->errorCode]);
                self::assertStringContainsString('unpackExt() failed', $error->getMessage());
            }
        }
        try {
            $this->unpacker(null)->reset("\x91\xd4\x05\xc1")->unpack();
            self::fail('the data is bad');
        } catch (UnpackingFailedException $error) {
            self::assertSame('/0', $error->path);
            self::assertInstanceOf(UnpackingFailedException::class, $error->getPrevious());
        }
    }

    public function testATransformerFailsWithACodeAndGetsThePath(): void
    {
        $packer = new Packer(transformers: [new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                return $value instanceof \SplStack
                    ? throw new PackingFailedException('stacks have no order', ErrorCode::InvalidKey)
                    : ($value instanceof \SplQueue ? $packer->pack(new Timestamp(0, -1)) : null);
            }
        }]);
        foreach ([
            ['a' => [1, new \SplStack()], 'stacks have no order (path "/a/1")', ErrorCode::InvalidKey],
            ['a' => [1, new \SplQueue()], 'the nanoseconds of a timestamp are -1 (path "/a/1"); they must be 0 to 999999999', ErrorCode::InvalidTimestamp],
        ] as $case) {
            [$message, $code] = [$case[0], $case[1]];
            try {
                $packer->pack(['a' => $case['a']]);
                self::fail('the transformer fails');
            } catch (PackingFailedException $error) {
                self::assertSame([$message, $code, '/a/1', null], [$error->getMessage(), $error->errorCode, $error->path, $error->offset]);
            }
        }
    }

    public function testTheErrorOfAnotherPackerGetsThePath(): void
    {
        $packer = new Packer(transformers: [new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                return match (true) {
                    $value instanceof \SplStack => (new Packer())->pack(['b' => \STDOUT]),
                    $value instanceof \SplQueue => $packer->pack(['b' => \STDOUT]),
                    $value instanceof \SplMinHeap => (new Packer())->pack(['ab' => \STDOUT]),
                    $value instanceof \SplObjectStorage => (new BufferUnpacker("\x91\xc1"))->unpackStr(),
                    default => null,
                };
            }
        }]);
        foreach ([new \SplStack(), new \SplQueue()] as $value) {
            self::assertSame('unsupported_value at  (/a/1/b)', Outcome::of(static fn(): string => $packer->pack(['a' => [1, $value]])));
        }
        self::assertSame('unsupported_value at  (/a/ab)', Outcome::of(static fn(): string => $packer->pack(['a' => new \SplMinHeap()])));
        self::assertSame('unsupported_value at  (/a)', Outcome::of(static fn(): string => $packer->pack(['a' => new \SplObjectStorage()])));
    }

    /**
     * The extension has these texts, too (StandaloneTest).
     */
    public function testWhatNeedsTheLibrarySaysSo(): void
    {
        $packing = PackingFailedException::needsLibrary(new \SplStack(), '/a/0');
        self::assertSame([ErrorCode::UnsupportedValue, null, '/a/0'], [$packing->errorCode, $packing->offset, $packing->path]);
        self::assertSame(
            'SplStack can be packed only with the library polypack/polypack, if at all (path "/a/0"); install it with Composer, or convert the value before',
            $packing->getMessage(),
        );
        $unpacking = UnpackingFailedException::needsLibrary(3, '/b');
        self::assertSame([ErrorCode::UnsupportedValue, 3, '/b'], [$unpacking->errorCode, $unpacking->offset, $unpacking->path]);
        self::assertSame('the message can be unpacked only with the library polypack/polypack, at byte 3 (path "/b"); install it with Composer', $unpacking->getMessage());
    }

    private function unpacker(?\Throwable $error): BufferUnpacker
    {
        return new BufferUnpacker('', null, [new class ($error) implements Extension {
            public function __construct(private readonly ?\Throwable $error) {}

            public function getType(): int
            {
                return 5;
            }

            public function pack(Packer $packer, mixed $value): ?string
            {
                return null;
            }

            public function unpackExt(BufferUnpacker $unpacker, int $extLength): mixed
            {
                return $this->error === null ? $unpacker->unpack() : throw $this->error;
            }
        }]);
    }

    /**
     * PHP keeps the arguments of all functions in the trace of an error unless php.ini says otherwise. An error that
     * is made anew in each of many call-backs then holds the one before it, each with a trace as long as the stack is
     * deep.
     */
    public function testNestedCallBacksHoldOneError(): void
    {
        $before = \ini_set('zend.exception_ignore_args', '0');
        try {
            $value = \STDERR;
            for ($i = 0; $i < 300; ++$i) {
                $inside = $value;
                $value = new Counted(static fn(Packer $packer): string => "\x91" . $packer->pack($inside));
            }
            \memory_reset_peak_usage();
            $memory = \memory_get_usage();
            try {
                (new Packer())->pack($value);
                self::fail('a resource is packed');
            } catch (PackingFailedException $error) {
                self::assertSame(ErrorCode::UnsupportedValue, $error->errorCode);
            }
            self::assertLessThan(15_000_000, \memory_get_peak_usage() - $memory);
        } finally {
            \ini_set('zend.exception_ignore_args', (string) $before);
        }
    }
}
