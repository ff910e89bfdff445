<?php

declare(strict_types=1);

namespace Polypack\Tests\Encoder;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\CanBePacked;
use Polypack\CanPack;
use Polypack\Exception\ErrorCode;
use Polypack\Exception\PackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Raw;
use Polypack\Tests\Support\Box;
use Polypack\Tests\Support\BoxExtension;
use Polypack\Tests\Support\Node;
use Polypack\Tests\Support\Outcome;
use Polypack\Tests\Support\PackingFaults;
use Polypack\Tests\Support\Returning;
use Polypack\Tests\Support\Suit;
use Polypack\Tests\Support\Wrapped;
use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\Map;
use Polypack\Type\UInt64;

/**
 * Objects and iterators, whose code may call the packer.
 */
final class ObjectsTest extends TestCase
{
    use PackingFaults;

    public function testObjectsMayCallThePackerInTheMiddleOfLists(): void
    {
        $packer = new Packer();
        $inner = new class implements CanBePacked {
            public int $calls = 0;

            public function pack(Packer $packer): string
            {
                ++$this->calls;
                $thrownAway = $packer->pack([1, [2, ['x' => 3]], 'é']);
                TestCase::assertSame('93' . '01' . '9202' . '81a17803' . 'a2c3a9', \bin2hex($thrownAway));
                try {
                    $packer->pack([[[\STDIN]]]);
                } catch (PackingFailedException $error) {
                    return $packer->packStr($error->path);
                }

                return '';
            }
        };
        $path = static fn(string $path): string => \bin2hex(\chr(0xa0 + \strlen($path)) . $path);
        self::assertSame(
            '93' . '07' . '81a16b' . '92' . $path('/1/k/0/0/0/0') . 'a3656e64' . $path('/2/0/0/0'),
            \bin2hex($packer->pack([7, ['k' => [$inner, 'end']], $inner])),
        );
        self::assertSame(2, $inner->calls);
        self::assertSame('unsupported_value at  (/3)', Outcome::of(static fn(): string => $packer->pack([1, 2, $inner, \STDIN])));
    }

    public function testObjectsThatCannotBeReadAreNamedWithTheirPath(): void
    {
        $unborn = (new \ReflectionClass(\DateTimeImmutable::class))->newInstanceWithoutConstructor();
        self::assertFails('unsupported_value', '/0/at', [['at' => $unborn]]);
        $refusing = new class extends \ArrayObject {
            public function getArrayCopy(): array
            {
                throw new \LogicException('no');
            }
        };
        self::assertFails('unsupported_value', '/a', ['a' => $refusing]);
        $error = self::failure($refusing);
        self::assertSame('no', $error->getPrevious()?->getMessage());
        self::assertStringContainsString('reading ArrayObject@anonymous failed', $error->getMessage());
        if (\PHP_VERSION_ID >= 80400) {
            $class = new \ReflectionClass(new class extends \stdClass {
                public int $a = 1;
            });
            /** @var object $lazy */
            // @phpstan-ignore method.notFound
            $lazy = $class->newLazyGhost(static fn() => throw new \LogicException('no'));
            self::assertFails('unsupported_value', '/a', ['a' => $lazy]);
        }
    }

    public function testAnArrayObjectPacksWhatALoopOverItGives(): void
    {
        $object = new class {
            public int $a = 1;
            protected int $b = 2;
            private int $c = 3; // @phpstan-ignore property.onlyWritten
        };
        self::assertSame('81a16101', \bin2hex(MessagePack::pack(@new \ArrayObject($object))));
        self::assertSame('82a20062' . '01a16102', \bin2hex(MessagePack::pack(new \ArrayObject(["\0b" => 1, 'a' => 2]))));
    }

    /**
     * @return iterable<string, array{\Closure(Packer): string}>
     */
    public static function emptyContainers(): iterable
    {
        $values = [
            'array' => [], 'object' => new \stdClass(), 'Map' => new Map([]), 'Entries' => new Entries([]), 'ArrayObject' => new \ArrayObject(),
            'iterator' => new \EmptyIterator(), 'Raw' => new Raw("\x80"), 'handover' => new Wrapped(new Wrapped([])),
        ];
        foreach ($values as $name => $value) {
            yield $name => [static fn(Packer $packer): string => $packer->pack($value)];
        }
        yield 'packArray' => [static fn(Packer $packer): string => $packer->packArray([])];
        yield 'packMap' => [static fn(Packer $packer): string => $packer->packMap([])];
        yield 'packArrayHeader' => [static fn(Packer $packer): string => $packer->packArrayHeader(0)];
        yield 'packMapHeader' => [static fn(Packer $packer): string => $packer->packMapHeader(0)];
    }

    /**
     * @param \Closure(Packer): string $pack
     */
    #[DataProvider('emptyContainers')]
    public function testNoEmptyContainerIsPackedBeyondMaxDepth(\Closure $pack): void
    {
        $transformer = new class ($pack) implements CanPack {
            /**
             * @param \Closure(Packer): string $pack
             */
            public function __construct(private readonly \Closure $pack) {}

            public function pack(Packer $packer, mixed $value): ?string
            {
                return \is_resource($value) || $value instanceof Suit ? ($this->pack)($packer) : null;
            }
        };
        // What the iterator yields is packed by this packer, but not in the message.
        $iterator = static function (Packer $packer) use ($pack): \Generator {
            yield $pack($packer) === '' ? 1 : 0;
        };
        foreach ([0, PackOptions::FORCE_STR, PackOptions::LOSSLESS] as $options) {
            foreach ([0, 1, 2] as $depth) {
                $around = static fn(mixed $value): mixed => match ($depth) {
                    0 => $value, 1 => [$value], default => [[$value]],
                };
                $path = \str_repeat('/0', $depth);
                foreach ([new Returning($pack), \STDIN, Suit::Hearts] as $value) {
                    $packer = static fn(int $most): Packer => new Packer($options, [$transformer], new Limits(maxDepth: $most));
                    self::assertNotSame('', $packer($depth + 1)->pack($around($value)));
                    self::assertSame("limit_exceeded at  ({$path})", Outcome::of(static fn(): string => $packer($depth)->pack($around($value))));
                }
                $packer = static fn(int $most): Packer => new Packer($options, [], new Limits(maxDepth: $most));
                self::assertSame("limit_exceeded at  ({$path})", Outcome::of(static fn(): string => $packer($depth)->pack($around(new Returning($pack)))));
                $packIterator = static function (int $most) use ($packer, $around, $iterator): string {
                    $packer = $packer($most);

                    return $packer->pack($around($iterator($packer)));
                };
                self::assertNotSame('', $packIterator($depth + 2));
                self::assertStringStartsWith('limit_exceeded', Outcome::of(static fn(): string => $packIterator($depth + 1)));
            }
        }
    }

    public function testIteratorsFollowTheOptionsForArrays(): void
    {
        $pack = static fn(int $options, array $values): string => \bin2hex((new Packer($options))->pack(new \ArrayIterator($values)));
        self::assertSame('8200010102', $pack(PackOptions::FORCE_MAP, [1, 2]));
        self::assertSame('920102', $pack(PackOptions::FORCE_ARR, ['a' => 1, 'b' => 2]));
        self::assertSame('91c40161', $pack(PackOptions::FORCE_BIN, ['a']));
    }

    public function testIteratorsMayFailAndPackMeanwhile(): void
    {
        $packer = new Packer();
        $generator = static function () use ($packer): \Generator {
            yield $packer->pack([1]);
            yield ['in' => [2]];
        };
        self::assertSame('92a29101' . '81a2696e9102', \bin2hex($packer->pack($generator())));

        $failing = static function (): \Generator {
            yield 1;
            throw new \LogicException('no more');
        };
        $error = self::failure(['rows' => $failing()]);
        self::assertSame('/rows', $error->path);
        self::assertInstanceOf(\LogicException::class, $error->getPrevious());
        self::assertSame('c0', \bin2hex($packer->pack(null)));

        $endless = static function () use (&$endless): \Generator {
            yield $endless();
        };
        self::assertSame(ErrorCode::LimitExceeded, self::failure($endless())->errorCode);
    }

    public function testObjectsThatPackAsThemselvesEnd(): void
    {
        $itself = new class implements CanBePacked {
            public function pack(Packer $packer): string
            {
                return $packer->pack($this);
            }
        };
        self::assertFails('limit_exceeded', '', $itself);
        self::assertFails('limit_exceeded', '/a/1', ['a' => [0, $itself]]);

        $wrapped = new class implements CanBePacked {
            public function pack(Packer $packer): string
            {
                return $packer->pack([1, 'in' => $this]);
            }
        };
        $error = self::failure($wrapped);
        self::assertSame(ErrorCode::LimitExceeded, $error->errorCode);
        self::assertSame(\str_repeat('/in', 512), $error->path);
    }

    public function testObjectsThatWriteTheirOwnHeadsNestToMaxDepth(): void
    {
        $packed = (new Packer())->pack(Node::chain(512));
        $value = MessagePack::unpack($packed);
        self::assertIsArray($value);
        self::assertSame(1, $value['v']);
        foreach ([Node::chain(513), Node::chain(512, []), [Node::chain(512)], Node::chain(511, [[]]), Node::chain(510, [[Node::chain(1)]])] as $deep) {
            foreach ([0, PackOptions::STRICT, PackOptions::RECORDS_INLINE] as $options) {
                $error = self::failure($deep, $options);
                self::assertSame(ErrorCode::LimitExceeded, $error->errorCode);
                self::assertStringContainsString('depth 513 exceeds the limit 512', $error->getMessage());
            }
        }
        $packer = new Packer(limits: new Limits(maxDepth: 2000));
        foreach ([Node::chain(2000), Node::chain(1999, []), [Node::chain(1997, [[]])]] as $deep) {
            $packed = $packer->pack($deep);
            self::assertIsArray(MessagePack::unpack($packed, limits: new Limits(maxDepth: 2000)));
        }
        // Neighbours aren't inside one another, and a fault leaves no depth behind.
        $packer = new Packer(limits: new Limits(maxDepth: 3));
        for ($i = 0; $i < 10; ++$i) {
            self::assertSame(2 * 20, \substr_count(\bin2hex($packer->pack(\array_fill(0, 20, Node::chain(2)))), '82'));
            self::assertSame('9282a17601a46e6578749007', \bin2hex($packer->pack([Node::chain(1, []), 7])));
            try {
                $packer->pack($i % 2 === 0 ? [Node::chain(3)] : \array_fill(0, 20, Node::chain(3)));
                self::fail('too deep');
            } catch (PackingFailedException $error) {
                self::assertSame('/0', $error->path);
            }
        }
    }

    public function testExtensionsInTheDataOfExtensionsNestToMaxDepth(): void
    {
        $box = null;
        for ($i = 0; $i < 512; ++$i) {
            $box = new Box($box);
        }
        $packed = (new Packer(transformers: [new BoxExtension()]))->pack($box);
        self::assertInstanceOf(Box::class, (new BufferUnpacker($packed, extensions: [new BoxExtension()]))->unpack());
        $error = null;
        try {
            (new Packer(transformers: [new BoxExtension()]))->pack(new Box($box));
        } catch (PackingFailedException $error) {
        }
        self::assertStringContainsString('comes after 512 objects in a row', (string) $error?->getMessage());
    }

    public function testObjectsPackInPlace(): void
    {
        $point = new class (1, [2]) implements CanBePacked {
            /**
             * @param list<mixed> $y
             */
            public function __construct(private readonly int $x, private readonly array $y) {}

            public function pack(Packer $packer): string
            {
                return $packer->packMapHeader(2) . $packer->packStr('x') . $packer->packInt($this->x)
                    . $packer->packStr('y') . $packer->packArray($this->y);
            }
        };
        $expected = '82a17801a1799102';
        self::assertSame("92{$expected}81a170{$expected}", \bin2hex(MessagePack::pack([$point, ['p' => $point]])));
    }

    public function testFailuresOfObjectsHaveTheirOwnAsCause(): void
    {
        $cause = new \DomainException('no');
        $object = new class ($cause) implements CanBePacked {
            public function __construct(private readonly \Throwable $cause) {}

            public function pack(Packer $packer): string
            {
                throw $this->cause;
            }
        };
        $error = self::failure([1, $object]);
        self::assertSame(ErrorCode::UnsupportedValue, $error->errorCode);
        self::assertSame('/1', $error->path);
        self::assertSame($cause, $error->getPrevious());
    }

    public function testThePackerIsUsableAfterAnError(): void
    {
        $packer = new Packer();
        $object = new class implements CanBePacked {
            public function pack(Packer $packer): string
            {
                return $packer->pack([\STDIN]);
            }
        };
        for ($i = 0; $i < 3; ++$i) {
            self::assertSame('unsupported_value at  (/a/0)', Outcome::of(static fn(): string => $packer->pack(['a' => $object])));
            self::assertSame('unsupported_value at  (/0)', Outcome::of(static fn(): string => $packer->pack([\STDIN])));
        }
        self::assertSame('9101', \bin2hex($packer->pack([1])));
    }

    public function testManyObjectsArePackedAsOneByOne(): void
    {
        $dates = new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                return $value instanceof \DateInterval ? $packer->pack(['days' => $value->d]) : null;
            }
        };
        $failing = new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                return $value instanceof \SplObjectStorage ? throw new \DomainException('no') : null;
            }
        };
        $objects = [
            new \DateInterval('P1D'), new Wrapped(new \DateInterval('P2D')), new Map(['m' => 1]), (object) ['r' => 1], new UInt64('1'), Suit::cases()[0],
            new \DateTimeImmutable('@1'), new Wrapped(['w' => 1]), new Bin('b'),
        ];
        foreach ([0, PackOptions::RECORDS_INLINE, PackOptions::FORCE_FLOAT32] as $options) {
            $packer = new Packer($options, [$dates, $failing]);
            // If the last element isn't an object, each is packed by itself.
            self::assertSame(\bin2hex($packer->packArray([...$objects, 5])), '9a' . \substr(\bin2hex($packer->packArray($objects)), 2) . '05');
            $objects[8] = new \SplObjectStorage();
            self::assertSame('unsupported_value at  (/a/8)', Outcome::of(static fn(): string => $packer->pack(['a' => $objects])));
            $objects[8] = new Wrapped([\STDIN]);
            self::assertSame('unsupported_value at  (/8/0)', Outcome::of(static fn(): string => $packer->pack($objects)));
            $objects[8] = new Bin('b');
        }
    }

    /**
     * Objects, transformers and iterators may write the head of a container at any place. It is open until they are
     * done, and then the packer is as deep as before.
     */
    public function testHeadsThatAreWrittenByHandCountWhileTheyAreOpen(): void
    {
        $stream = \fopen('php://memory', 'r');
        self::assertIsResource($stream);
        $list = new Returning(static fn(Packer $packer): string => $packer->packArrayHeader(1) . $packer->packArray([1]));
        $map = new Returning(static fn(Packer $packer): string => $packer->packMapHeader(1) . $packer->packStr('k') . $packer->packArray([1]));
        $writesForStreams = new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                return \is_resource($value) ? $packer->packArrayHeader(1) . $packer->packArray([1]) : null;
            }
        };
        $writesAndDeclines = new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                if ($value instanceof \stdClass) {
                    $packer->packMapHeader(2);
                }

                return null;
            }
        };
        $bytes = ['list' => '919101', 'map' => '81a16b9101', 'known' => '81a16101', 'stream' => '919101'];
        $known = (object) ['a' => 1];
        $packer = new Packer(null, [$writesAndDeclines, $writesForStreams], new Limits(maxDepth: 3));
        $plain = new Packer(limits: new Limits(maxDepth: 3));
        for ($i = 0; $i < 3; ++$i) {
            self::assertSame("92{$bytes['list']}{$bytes['map']}", \bin2hex($plain->pack([$list, $map])));
            self::assertSame('9a' . \str_repeat($bytes['list'] . $bytes['map'], 5), \bin2hex($plain->pack([$list, $map, $list, $map, $list, $map, $list, $map, $list, $map])));
            self::assertSame("94{$bytes['list']}{$bytes['known']}{$bytes['stream']}07", \bin2hex($packer->pack([$list, $known, $stream, 7])));
            self::assertSame(
                '9a' . \str_repeat($bytes['list'] . $bytes['known'] . $bytes['map'], 3) . $bytes['known'],
                \bin2hex($packer->pack([$list, $known, $map, $list, $known, $map, $list, $known, $map, $known])),
            );
            $iterator = static function () use ($packer): \Generator {
                yield $packer->packArrayHeader(2);
                yield [1];
            };
            self::assertSame('92' . 'a192' . '9101', \bin2hex($packer->pack($iterator())));
            foreach ([[[$list]], [[$map]], [[$stream]], [[[$known]]], [[$known, \array_fill(0, 20, $known)]], [[$iterator()]]] as $deep) {
                self::assertSame('limit_exceeded', self::codeOf(static fn(): string => $packer->pack($deep)));
            }
        }
    }

    /**
     * A fault among the elements of a container that an object has opened leaves no depth behind.
     */
    public function testFaultsBehindAHeadThatIsWrittenByHand(): void
    {
        $none = new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                return null;
            }
        };
        $deep = [[[[]]]];
        $fails = new Returning(static fn(Packer $packer): string => $packer->packArrayHeader(1) . $packer->packArray(\array_fill(0, 20, new \DateInterval('P1D'))));
        foreach ([new Packer(null, [$none], new Limits(maxDepth: 3)), new Packer(limits: new Limits(maxDepth: 3))] as $packer) {
            for ($i = 0; $i < 3; ++$i) {
                self::assertSame('unsupported_value at  (/0)', Outcome::of(static fn(): string => $packer->pack($fails)));
                self::assertSame('limit_exceeded at  (/0/0/0)', Outcome::of(static fn(): string => $packer->pack($deep)));
                self::assertSame('91919101', \bin2hex($packer->pack([[[1]]])));
            }
        }
    }

    /**
     * @param \Closure(): string $pack
     */
    private static function codeOf(\Closure $pack): string
    {
        return \explode(' ', Outcome::of($pack))[0];
    }

    public function testListsThatBeginAndEndWithObjects(): void
    {
        $transformer = new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                return $value instanceof \DateInterval ? $packer->packInt($value->d) : null;
            }
        };
        $day = new \DateInterval('P5D');
        foreach ([0, PackOptions::RECORDS_INLINE, PackOptions::FORCE_FLOAT32, PackOptions::FORCE_BIN, PackOptions::DETECT_STR_BIN, PackOptions::STRICT, PackOptions::LOSSLESS] as $options) {
            $packer = new Packer($options, [$transformer]);
            $plain = new Packer($options);
            foreach ([1, 7, 11] as $i) {
                $list = \array_fill(0, 12, $day);
                $list[$i] = [3];
                $expected = \array_fill(0, 12, '05');
                $expected[$i] = '9103';
                self::assertSame('9c' . \implode('', $expected), \bin2hex($packer->pack($list)), "{$options} {$i}");

                $list = \array_fill(0, 12, new Wrapped(5));
                $list[$i] = [3];
                self::assertSame('9c' . \implode('', $expected), \bin2hex($plain->pack($list)), "{$options} {$i}");
            }
            self::assertSame('9c' . \str_repeat('05', 12), \bin2hex($plain->pack(\array_fill(0, 12, new Wrapped(5)))));
        }
    }

    /**
     * A pack() method may keep a copy of the packer for later, which knows nothing of the message around.
     */
    public function testACopyMadeInsideAMessageStartsAnew(): void
    {
        $deep = 1;
        for ($i = 0; $i < 5; ++$i) {
            $deep = [$deep];
        }
        $copies = [
            static fn(Packer $packer): Packer => clone $packer,
            static fn(Packer $packer): Packer => $packer->extendWith(new BoxExtension()),
        ];
        foreach ($copies as $copy) {
            foreach ([0, PackOptions::LOSSLESS, PackOptions::RECORDS_INLINE] as $options) {
                /** @var \ArrayObject<int, Packer> $kept */
                $kept = new \ArrayObject();
                $object = new Returning(static function (Packer $packer) use ($kept, $copy): string {
                    $packed = $packer->packArrayHeader(1) . $packer->pack('x');
                    $kept[0] = $copy($packer);

                    return $packed;
                });
                $packer = new Packer($options, [], new Limits(maxDepth: 5));
                self::assertSame('91' . '91' . '91' . '91a178', \bin2hex($packer->pack([[[$object]]])));
                $packer = $kept[0] ?? self::fail('no copy was kept');
                self::assertSame('9191919191' . '01', \bin2hex($packer->pack($deep)));
                self::assertSame('limit_exceeded at  (/0/0/0/0/0)', Outcome::of(static fn(): string => $packer->pack([$deep])));
                self::assertSame('unsupported_value at  (/0)', Outcome::of(static fn(): string => $packer->pack([\STDIN])));
                self::assertSame('91a178', \bin2hex($packer->packArrayHeader(1) . $packer->pack('x')));
                self::assertSame('9191919191' . '01', \bin2hex($packer->pack($deep)));
                $expected = (new Packer($options))->pack([['a' => 1], ['a' => 2]]);
                self::assertSame(\bin2hex($expected), \bin2hex($packer->pack([['a' => 1], ['a' => 2]])));
            }
        }
    }
}
