<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\TestCase;
use Polypack\Exception\PolypackException;
use Polypack\Tests\Support\Snapshot\Codec;

/**
 * Arrays of one shape. The extension makes the first of them without a copy, and it may not be complete when the second
 * begins.
 */
final class ShapesTest extends TestCase
{
    public function testArraysWithTheSameCountAreToldApartWhateverBytesTheirKeysContain(): void
    {
        $keys = ["a\0b", 'c'];
        [$begin, $end] = \explode("\0", \serialize($keys), 2);
        $joined = \implode("\0", $keys);
        $value = [];
        foreach ([$keys, [$begin, $end], ['a', "b\0c"], ["2,{$joined}", ''], ['', "\0"], ["\0", '']] as $names) {
            $value[] = \array_combine($names, [1, 2]);
            $value[] = \array_combine($names, [3, 4]);
        }

        self::assertSame($value, Codec::unserialize(Codec::serialize($value)));
        $objects = \array_map(static fn(array $row): object => (object) $row, $value);
        self::assertEquals($objects, Codec::unserialize(Codec::serialize($objects)));
    }

    public function testAShapeMayOccurInsideItsFirstArray(): void
    {
        $chain = ['name' => 'last', 'next' => null];
        foreach (['c', 'b', 'a'] as $name) {
            $chain = ['name' => $name, 'next' => $chain];
        }
        $wide = ['name' => \range(1, 3), 'next' => [['name' => 'x', 'next' => 2.5], ['name' => null, 'next' => [$chain, $chain]]]];
        foreach ([$chain, $wide, [$wide, $chain], ['k' => $chain, 'name' => 'k', 'next' => 'name']] as $value) {
            self::assertSame($value, Codec::unserialize(Codec::serialize($value)));
        }
        $objects = (object) ['name' => 'a', 'next' => (object) ['name' => 'b', 'next' => (object) ['name' => 'c', 'next' => null]]];
        self::assertEquals($objects, Codec::unserialize(Codec::serialize($objects)));
    }

    public function testArraysOfOneShapeAreSeparate(): void
    {
        $value = [['id' => 1, 'tags' => ['a']], 'x', ['id' => 2, 'tags' => ['b']], ['id' => 3, 'tags' => ['c']]];
        $back = Codec::unserialize(Codec::serialize($value));
        self::assertIsArray($back);
        $back[0]['id'] = 'changed';
        $back[0]['tags'][] = 'more';
        $back[0]['new'] = true;
        unset($back[2]['id']);
        self::assertSame(
            [['id' => 'changed', 'tags' => ['a', 'more'], 'new' => true], 'x', ['tags' => ['b']], ['id' => 3, 'tags' => ['c']]],
            $back,
        );
        $again = Codec::unserialize(Codec::serialize($value));
        self::assertSame($value, $again);
    }

    public function testTheFirstArrayMayBeAPossibleRootOfACycle(): void
    {
        // The constant of a column becomes one as soon as the table is read.
        $rows = \array_map(
            static fn(int $i): array => ['same' => ['a' => 1, 'b' => 2], 'text' => \str_repeat(\chr(65 + $i), 40)],
            \range(0, 20),
        );
        $value = [$rows, ['a' => 3, 'b' => [4]], ['a' => 5, 'b' => [6]], ['a' => 7, 'b' => [8]]];
        $bytes = Codec::serialize($value);
        for ($times = 0; $times < 100; ++$times) {
            self::assertSame($value, Codec::unserialize($bytes));
        }
        \gc_collect_cycles(); // walks the list of possible roots
    }

    public function testElementsOfTheFirstArrayMayBeReferences(): void
    {
        $shared = 1;
        $value = [['a' => &$shared, 'b' => 2], ['a' => &$shared, 'b' => 3], ['a' => 4, 'b' => &$shared]];
        $back = Codec::unserialize(Codec::serialize($value));
        self::assertIsArray($back);
        $back[0]['a'] = 'all';
        self::assertSame([['a' => 'all', 'b' => 2], ['a' => 'all', 'b' => 3], ['a' => 4, 'b' => 'all']], $back);
    }

    public function testAHookMayChangeTheFirstArray(): void
    {
        $value = [];
        for ($i = 0; $i < 3; ++$i) {
            $value[] = $changing = new Changing();
            $changing->row = ['id' => $i, 'by' => null];
            $value[] = ['id' => -$i, 'by' => 'none'];
        }
        $back = Codec::unserialize(Codec::serialize($value));
        self::assertIsArray($back);
        foreach ([0, 1, 2] as $i) {
            self::assertInstanceOf(Changing::class, $back[2 * $i]);
            self::assertSame(['id' => $i, 'by' => 'hook', 'new' => 1], $back[2 * $i]->row);
            self::assertSame(['id' => -$i, 'by' => 'none'], $back[2 * $i + 1]);
        }
    }

    /**
     * A name may be a value first, and a name that has been read may be a value later.
     */
    public function testNamesMayBeValuesToo(): void
    {
        foreach ([
            ['first', ['first' => 1, 'second' => 2], ['first' => 'second', 'x' => 'first']],
            [['first' => 'second'], ['second' => 'first'], ['first', 'second', ['second' => 1, 'first' => 2]]],
            ['x', ['x' => 'y', '' => 'x'], ['y' => ['x' => '', '' => 'y']]],
        ] as $value) {
            self::assertSame($value, Codec::unserialize(Codec::serialize($value)));
        }
        $many = [];
        for ($i = 0; $i < 2000; ++$i) { // more names than are kept
            $many[] = ["name_{$i}" => $i, 'name_' . $i % 700 . '_again' => "name_{$i}"];
        }
        $bytes = Codec::serialize($many);
        for ($time = 0; $time < 2; ++$time) { // the second time with the names that are kept from the first
            self::assertSame($many, Codec::unserialize($bytes));
        }
    }

    public function testFaultsFreeTheFirstArray(): void
    {
        $value = [['id' => 'one text', 'rest' => [1, 'x']], ['id' => 'another text', 'rest' => ['id' => ['id' => 1, 'rest' => 2]]], new \stdClass()];
        $bytes = Codec::serialize($value);
        $damage = static function () use ($bytes): void {
            for ($at = 4; $at < \strlen($bytes); ++$at) {
                foreach ([\substr($bytes, 0, $at), \substr_replace($bytes, "\xff", $at, 1), \substr_replace($bytes, "\xcd", $at, 1)] as $damaged) {
                    try {
                        Codec::unserialize($damaged);
                    } catch (PolypackException) {
                        continue;
                    }
                }
            }
        };
        $damage();
        $before = \memory_get_usage();
        $damage();
        self::assertLessThanOrEqual($before, \memory_get_usage());
    }
}

final class Changing
{
    /** @var array<string, mixed> */
    public array $row = [];

    public function __wakeup(): void
    {
        $this->row['by'] = 'hook';
        $this->row['new'] = 1;
    }
}
