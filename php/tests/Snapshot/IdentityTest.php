<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\TestCase;
use Polypack\Exception\SnapshotFailedException;
use Polypack\Tests\Support\Snapshot\Codec;
use Polypack\Tests\Support\Snapshot\Day;
use Polypack\Tests\Support\Snapshot\Hooked;
use Polypack\Tests\Support\Snapshot\Outcomes;
use Polypack\Tests\Support\Snapshot\Point;

/**
 * References, objects that occur again, and cycles.
 */
final class IdentityTest extends TestCase
{
    public function testAnObjectThatOccursTwiceIsOneObject(): void
    {
        $point = new Point(1);
        $back = self::again([$point, ['p' => $point], 5 => $point]);

        self::assertSame($back[0], $back[1]['p']);
        self::assertSame($back[0], $back[5]);
    }

    public function testCyclesOfObjectsComeBack(): void
    {
        $a = new Point(1);
        $a->next = new Point(2, $a);
        $back = self::again($a);

        self::assertSame($back, $back->next->next);
        self::assertNotSame($back, $back->next);
    }

    public function testRowsOfATableMayPointAtOneAnother(): void
    {
        $rows = \array_map(static fn(int $i): Point => new Point($i * 1000), \range(0, 20));
        foreach ($rows as $i => $row) {
            $row->next = $rows[$i * 7 % 21];
        }
        $bytes = Codec::serialize($rows);
        $back = Codec::unserialize($bytes);
        self::assertSame("\xd5", $bytes[4], 'a table');
        self::assertIsArray($back);
        foreach ($back as $i => $row) {
            self::assertInstanceOf(Point::class, $row);
            self::assertSame($i * 1000, $row->x);
            self::assertSame($back[$i * 7 % 21], $row->next);
        }
    }

    public function testAListWithAnObjectTwiceIsNoTable(): void
    {
        $point = new Point(1);
        $back = self::again([$point, new Point(2), new Point(3), $point, new Point(4)]);

        self::assertSame($back[0], $back[3]);
    }

    public function testReferencesStayReferences(): void
    {
        $a = 1;
        $value = [&$a, 'b' => ['x' => &$a, 'y' => 2], 3 => &$a];
        $back = self::again($value);
        $back[0] = 9;

        self::assertSame(9, $back['b']['x']);
        self::assertSame(9, $back[3]);
    }

    public function testReferencesInPropertiesStayReferences(): void
    {
        $object = (object) ['a' => [1], 'b' => null];
        $object->b = &$object->a;
        $back = self::again([$object, &$object->a]);
        $back[1][] = 2;

        self::assertSame([1, 2], $back[0]->a);
        self::assertSame([1, 2], $back[0]->b);
    }

    public function testReferencesInPropertiesOfNoClassStayReferences(): void
    {
        $value = [1];
        $object = Asleep::with('more', 0);
        $object->more = &$value; // @phpstan-ignore property.notFound
        $back = self::again([$object, &$value]);
        $back[1][] = 2;

        self::assertSame([1, 2], $back[0]->more);
    }

    /**
     * The data of __serialize becomes the properties where there is no __unserialize.
     */
    public function testReferencesInDataStayReferences(): void
    {
        $object = new Sharing();
        $object->a = &$object->b;
        $object->b = [1];
        Sharing::$woken = 0;
        $back = self::again([$object]);
        $back[0]->a[] = 2;

        self::assertSame([1, 2], $back[0]->b);
        self::assertSame(1, Sharing::$woken);
    }

    /**
     * V1 gives such a reference the number of the object.
     */
    public function testInV1AReferenceToAnObjectThatWasThereBefore(): void
    {
        $point = new Point(1);
        $variable = $point;
        $value = [$point, 'x' => &$variable, 'y' => &$variable, 'z' => $point];
        $bytes = Codec::serialize($value, ['version' => 1]);
        $back = Codec::unserialize($bytes, ['version' => 1]);

        self::assertIsArray($back);
        self::assertEquals($value, $back);
        self::assertSame($back[0], $back['x']);
        self::assertSame($back[0], $back['y']);
        self::assertSame($back[0], $back['z']);
    }

    public function testInV1AReferenceWhereNoneMayStand(): void
    {
        foreach (["\x10\x00" => 2, "\x11\x10\x00" => 3, "\x11\x11\x00" => 3, "\x07\x02\x11\x00\x11\x10\x00" => 7] as $bytes => $offset) {
            $path = $offset === 7 ? ' /1' : '';
            self::assertSame("invalid_snapshot@{$offset}{$path}", Outcomes::of(static fn(): mixed => Codec::unserialize("\x01\x00{$bytes}", ['version' => 1])));
        }
        self::assertNull(Codec::unserialize("\x01\x00\x11\x00", ['version' => 1]));
        foreach (["\x10\x00", "\x11\x07\x00"] as $data) { // of __serialize
            $bytes = "\x01\x01\x0bArrayObject\x0e\x00{$data}";
            self::assertSame('invalid_snapshot@16', Outcomes::of(static fn(): mixed => Codec::unserialize($bytes, ['version' => 1])));
        }
    }

    public function testReferencesToTypedPropertiesStayTyped(): void
    {
        $point = new Point(1);
        $value = [$point, &$point->x];
        $back = self::again($value);
        $back[1] = 5;
        self::assertSame(5, $back[0]->x);

        $this->expectException(\TypeError::class);
        $back[1] = 'text';
    }

    public function testAnArrayMayContainItself(): void
    {
        $a = [1];
        $a['self'] = &$a;
        $back = Codec::unserialize(Codec::serialize($a));
        self::assertIsArray($back);
        $back['self'][0] = 7;

        self::assertSame(7, $back['self']['self'][0]);
        self::assertSame(Codec::serialize($a), Codec::serialize(Codec::unserialize(Codec::serialize($a))));
    }

    public function testAReferenceThatOccursOnceIsAValue(): void
    {
        $rows = [['a' => 1, 'b' => 'x'], ['a' => 2, 'b' => 'y'], ['a' => 3, 'b' => 'z'], ['a' => 4, 'b' => 'w']];
        $plain = Codec::serialize($rows);
        foreach ($rows as &$row) {
            $row['b'] .= '';
        }

        self::assertSame(\bin2hex($plain), \bin2hex(Codec::serialize($rows)));
        unset($row);
    }

    public function testRowsAndColumnsKeepTheirReferences(): void
    {
        $a = 5;
        $t = ['p', 'q'];
        $rows = \array_map(static fn(int $i): array => ['id' => $i, 'name' => "n{$i}", 'tags' => ['p', 'q']], \range(1, 10));
        $rows[3]['id'] = &$a;
        $rows[7]['id'] = &$a;
        $rows[4]['tags'] = &$t;
        $rows[5]['tags'] = &$t;
        $ints = \range(1, 10);
        $ints[5] = &$a;
        $flat = ['u', &$a];
        $places = [['v' => ['u', 5]], ['v' => $flat], ['v' => ['u', 5]]];
        $back = self::again([$rows, $ints, $places]);

        $back[0][3]['id'] = 6;
        self::assertSame(6, $back[0][7]['id']);
        self::assertSame(6, $back[1][5]);
        self::assertSame(['u', 6], $back[2][1]['v']);
        self::assertSame(['u', 5], $back[2][0]['v']);
        $back[0][4]['tags'][] = 'r';
        self::assertSame(['p', 'q', 'r'], $back[0][5]['tags']);
        self::assertSame(['p', 'q'], $back[0][6]['tags']);
    }

    public function testWritingToOneOfTheArraysThatAreSharedLeavesTheOthers(): void
    {
        $rows = \array_map(static fn(int $i): array => ['id' => $i * 100, 'tags' => ['a', 'b']], \range(1, 5));
        $back = self::again([$rows, ['t' => ['x', 'y'], 'u' => 1], ['t' => ['x', 'y'], 'u' => 2]]);
        $back[0][0]['tags'][] = 'c';
        $back[1]['t'][] = 'z';

        self::assertSame(['a', 'b'], $back[0][1]['tags']);
        self::assertSame(['x', 'y'], $back[2]['t']);
    }

    public function testHooksRunWhenTheGraphIsWholeAndInnerOnesFirst(): void
    {
        $outer = new Hooked('outer', [$inner = new Hooked('inner'), new Hooked('second', $inner)]);
        $inner->value = $outer;
        Hooked::calls();
        $bytes = Codec::serialize([$outer, $inner]);
        self::assertSame(['write outer', 'write inner', 'write second'], Hooked::calls());

        $back = Codec::unserialize($bytes);
        self::assertSame(['read inner', 'read second', 'read outer'], Hooked::calls());
        self::assertIsArray($back);
        self::assertSame($back[0], $back[1]->value);
    }

    public function testNoHookRunsAfterOneThatThrows(): void
    {
        $bytes = Codec::serialize([new Hooked('a'), new Hooked('b'), new Hooked('c')]);
        Hooked::calls();
        Hooked::$then = static fn(string $call) => $call === 'read b' ? throw new \DomainException('no') : null;
        $thrown = self::thrown(static fn(): mixed => Codec::unserialize($bytes));
        self::assertInstanceOf(\DomainException::class, $thrown);
        unset($thrown);
        \gc_collect_cycles();
        self::assertSame(['read a', 'read b'], Hooked::calls());
    }

    public function testAHookThatThrowsWhileWritingComesThrough(): void
    {
        Hooked::$then = static fn(string $call) => $call === 'write b' ? throw new \DomainException('no') : null;

        self::assertInstanceOf(\DomainException::class, self::thrown(static fn(): mixed => Codec::serialize([new Hooked('a'), new Hooked('b')])));
    }

    public function testBrokenBytesCallNoHookAndNoDestructor(): void
    {
        $bytes = Codec::serialize([new Hooked('a', new Hooked('b')), 1]);
        Hooked::calls();
        foreach (\range(4, \strlen($bytes) - 1) as $length) {
            self::assertNotSame('ok', Outcomes::of(static fn(): mixed => Codec::unserialize(\substr($bytes, 0, $length))));
        }
        self::assertSame('trailing_data@' . \strlen($bytes), Outcomes::of(static fn(): mixed => Codec::unserialize($bytes . "\0")));
        \gc_collect_cycles();
        self::assertSame([], Hooked::calls());
    }

    public function testAHookMayChangeWhatIsBeingWritten(): void
    {
        $value = ['first' => new Hooked('grow'), 'second' => 1];
        Hooked::$then = static function () use (&$value): void {
            $value['third'] = \str_repeat('x', 100);
            unset($value['second']);
        };
        try {
            $bytes = Codec::serialize($value);
        } finally {
            Hooked::$then = null;
        }
        $back = Codec::unserialize($bytes);
        self::assertIsArray($back);
        self::assertSame(['first', 'second'], \array_keys($back));
    }

    public function testThePeriodsOfPhpMakeNewObjectsInEachCall(): void
    {
        $make = [
            \ArrayObject::class => static fn(): object => new \ArrayObject([new Point(1)]),
            \ArrayIterator::class => static fn(): object => new \ArrayIterator([new Point(1)]),
            \RecursiveArrayIterator::class => static fn(): object => new \RecursiveArrayIterator([new Point(1)]),
            \SplDoublyLinkedList::class => self::filled(\SplDoublyLinkedList::class),
            \SplQueue::class => self::filled(\SplQueue::class),
            \SplStack::class => self::filled(\SplStack::class),
            \SplFixedArray::class => static fn(): object => \SplFixedArray::fromArray([new Point(1)]),
            \SplObjectStorage::class => static function (): object {
                $storage = new \SplObjectStorage();
                $storage[new Point(1)] = new Point(2);

                return $storage;
            },
            \DatePeriod::class => static fn(): object => self::period(),
        ];
        foreach ($make as $class => $new) {
            $object = $new();
            if (!\method_exists($object, '__serialize')) {
                continue;
            }
            $answers = [self::objects($object->__serialize()), self::objects($object->__serialize())];
            self::assertNotSame([], $answers[0], $class);
            self::assertSame($object instanceof \DatePeriod, $answers[0] !== $answers[1], $class);
        }
    }

    public function testAPeriodWhoseDatesHaveHooksIsWritten(): void
    {
        foreach ([self::period(), [self::period(), new Hooked('other'), self::period()], new Hooked('around', self::period())] as $value) {
            foreach ([[], ['unserializable' => 'null'], ['version' => 1]] as $options) {
                $bytes = Codec::serialize($value, $options);
                self::assertSame(\serialize($value), \serialize(Codec::unserialize($bytes, \array_intersect_key($options, ['version' => 1]))));
            }
        }
    }

    public function testHooksThatNeverEndAreNamed(): void
    {
        $list = [new Hooked('first')];
        Hooked::$then = static function (string $call) use (&$list): void {
            if (\str_starts_with($call, 'write')) {
                $list[0] = new Hooked('next');
            }
        };
        Hooked::calls();
        try {
            Codec::serialize(['list' => &$list, 'more' => 1]);
            self::fail();
        } catch (SnapshotFailedException $failure) {
            self::assertSame('unsupported_value', $failure->errorCode->value);
            self::assertSame('/list/0', $failure->path);
            self::assertStringContainsString('here of ' . Hooked::class, $failure->getMessage());
        } finally {
            Hooked::$then = null;
        }
        self::assertSame(['write first', ...\array_fill(0, 6, 'write next')], \array_values(\array_filter(Hooked::calls(), static fn(string $call): bool => \str_starts_with($call, 'write'))));
    }

    /**
     * @param class-string<\SplDoublyLinkedList<object>> $class
     *
     * @return \Closure(): object
     */
    private static function filled(string $class): \Closure
    {
        return static function () use ($class): object {
            $list = new $class();
            $list->push(new Point(1));

            return $list;
        };
    }

    /**
     * @return \DatePeriod<Day, Day, null>
     */
    private static function period(): \DatePeriod
    {
        return new \DatePeriod(new Day('2026-01-01 UTC'), new \DateInterval('P1D'), new Day('2026-02-01 UTC'));
    }

    /**
     * @return list<object> the objects in an array, at any depth
     */
    private static function objects(mixed $data): array
    {
        $objects = [];
        $values = [$data];
        \array_walk_recursive($values, static function (mixed $value) use (&$objects): void {
            if (\is_object($value)) {
                $objects[] = $value;
            }
        });

        return $objects;
    }

    public function testAHookMaySerializeByItself(): void
    {
        Hooked::$then = static function (string $call): void {
            self::assertSame($call, Codec::unserialize(Codec::serialize($call)));
        };
        try {
            $back = self::again([new Hooked('a'), new Hooked('b')]);
        } finally {
            Hooked::$then = null;
        }
        self::assertSame('b', $back[1]->name);
    }

    /**
     * @param \Closure(): mixed $do
     */
    private static function thrown(\Closure $do): ?\Throwable
    {
        try {
            $do();
        } catch (\Throwable $thrown) {
            return $thrown;
        } finally {
            Hooked::$then = null;
        }

        return null;
    }

    private static function again(mixed $value): mixed
    {
        $bytes = Codec::serialize($value);
        $back = Codec::unserialize($bytes);
        self::assertSame(\serialize($value), \serialize($back));
        self::assertSame(\bin2hex($bytes), \bin2hex(Codec::serialize($back)));

        return $back;
    }
}

final class Sharing
{
    public mixed $a = null;
    public mixed $b = null;
    public static int $woken = 0;

    /**
     * @return array<string, mixed>
     */
    public function __serialize(): array
    {
        return ['a' => &$this->a, 'b' => &$this->b];
    }

    public function __wakeup(): void
    {
        ++self::$woken;
    }
}
