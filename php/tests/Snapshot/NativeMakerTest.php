<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\TestCase;
use Polypack\Snapshot\NativeMaker;
use Random\Engine\Mt19937;
use Random\Engine\PcgOneseq128XslRr64;

/**
 * Objects that only native unserialize() can make.
 */
final class NativeMakerTest extends TestCase
{
    public function testAnObjectIsANewOneAndTakesItsData(): void
    {
        $engine = new Mt19937(5);
        $first = NativeMaker::make(Mt19937::class);
        $second = NativeMaker::make(Mt19937::class);
        self::assertInstanceOf(Mt19937::class, $first);
        self::assertInstanceOf(Mt19937::class, $second);
        self::assertNotSame($first, $second);
        $first->__unserialize($engine->__serialize());
        self::assertSame($engine->generate(), $first->generate());
    }

    public function testAClassThatPhpDoesNotUnserializeIsRefused(): void
    {
        foreach ([\Closure::class, \Generator::class, \WeakMap::class, \UnitEnum::class] as $class) {
            self::assertNull(NativeMaker::make($class), $class);
        }
    }

    public function testBytesThatNameTheClassGetNothing(): void
    {
        $name = NativeMaker::class;
        $length = \strlen($name);
        $made = \unserialize("C:{$length}:\"{$name}\":0:{}");
        self::assertInstanceOf(NativeMaker::class, $made);
        self::assertSame([], \get_mangled_object_vars($made));
        foreach ([static fn() => \unserialize("O:{$length}:\"{$name}\":0:{}"), static fn() => \serialize($made), static fn() => $made->serialize()] as $call) {
            try {
                $call();
                self::fail('no exception');
            } catch (\LogicException $error) {
                self::assertSame('this class has no objects', $error->getMessage());
            }
        }
    }

    /**
     * There, the numbers of the outer call go on. PHP calls the hook of the new object at the end of that call, and it
     * fails; but no object of the outer call is taken for a new one.
     */
    public function testInsideAnUnserializeOfAUserNoObjectIsMade(): void
    {
        $name = Making::class;
        $engine = \serialize(new PcgOneseq128XslRr64(9));
        $bytes = \sprintf('a:3:{i:0;%si:1;%si:2;C:%d:"%s":1:{x}}', $engine, $engine, \strlen($name), $name);
        try {
            \unserialize($bytes);
            self::fail('no exception');
        } catch (\Exception $error) {
            self::assertStringStartsWith('Invalid serialization data', $error->getMessage());
        }
        self::assertSame([null], Making::$made);
    }
}

/**
 * Makes an object while native unserialize() reads it.
 */
final class Making implements \Serializable
{
    /** @var list<?object> */
    public static array $made = [];

    public function serialize(): string
    {
        return 'x';
    }

    public function unserialize(string $data): void
    {
        self::$made[] = NativeMaker::make(PcgOneseq128XslRr64::class);
    }

    /**
     * @return array<array-key, mixed>
     */
    public function __serialize(): array
    {
        return [];
    }

    /**
     * @param array<array-key, mixed> $data
     */
    public function __unserialize(array $data): void {}
}
