<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Tests\Support\Snapshot\Codec;
use Polypack\Tests\Support\Snapshot\Extended;
use Polypack\Tests\Support\Snapshot\Filtering;
use Polypack\Tests\Support\Snapshot\Getting;
use Polypack\Tests\Support\Snapshot\Outcomes;
use Polypack\Tests\Support\Snapshot\Point;
use Polypack\Tests\Support\Snapshot\Setting;

/**
 * What other serializers got wrong.
 */
final class BugsTest extends TestCase
{
    public function testAllowedClassesMayHoldReferences(): void
    {
        $bytes = Codec::serialize(new Point(1));
        $allowed = [\strtolower(Point::class)];
        foreach ($allowed as &$name) {
            $name = \ucfirst($name);
        }
        self::assertEquals(new Point(1), Codec::unserialize($bytes, ['allowed_classes' => $allowed]));
        unset($name);
    }

    public function testAnUnknownPropertyIsRefusedBeforeItsValueIsRead(): void
    {
        $inner = Codec::serialize([(object) ['y' => (object) ['z' => 1]]]);
        // the object becomes a Point, and the class of the one in it can't be loaded
        $bytes = \str_replace("\x48stdClass", \chr(0xc9) . \chr(\strlen(Point::class)) . Point::class, $inner);
        $bytes = \str_replace("\x41y", "\x41y\xcf\x47NoSuch1", $bytes);
        $loaded = [];
        $loader = static function (string $class) use (&$loaded): void {
            $loaded[] = $class;
        };
        \spl_autoload_register($loader);
        try {
            self::assertStringStartsWith('class_mismatch@5', Outcomes::of(static fn(): mixed => Codec::unserialize($bytes)));
        } finally {
            \spl_autoload_unregister($loader);
        }
        self::assertSame([], $loaded);
    }

    public function testNamesThatNoClassCanHaveAreMissingAndNotLookedFor(): void
    {
        $loaded = [];
        $loader = static function (string $class) use (&$loaded): void {
            $loaded[] = $class;
        };
        \spl_autoload_register($loader);
        try {
            foreach (['\\stdClass', 'a b', '5x', "a\0b", '../x', ''] as $name) {
                $bytes = ClassesTest::renamed(Codec::serialize([new \stdClass()]), 'stdClass', $name);
                self::assertSame('class_not_found@5 /0', Outcomes::of(static fn(): mixed => Codec::unserialize($bytes, ['unknown_class' => 'throw'])), $name);
                self::assertSame($bytes, Codec::serialize(Codec::unserialize($bytes)), $name);
            }
        } finally {
            \spl_autoload_unregister($loader);
        }
        self::assertSame([], $loaded);
    }

    public function testClassesWhoseNamesContainNulAreWrittenBackAsTheyWere(): void
    {
        $snapshots = [
            'a class without properties, and one whose properties look like its name' => '82cf454200322c7000000000cf414200020000417042302c0102',
            'two enums with a case' => '82d24341004241 43d2414143420043',
            'four rows, two of each class' => '84cf454200322c7000000000cf414200020000417042302c0102606103 04',
        ];
        foreach ($snapshots as $what => $hex) {
            $bytes = 'c1530100' . \str_replace(' ', '', $hex);
            $back = Codec::unserialize((string) \hex2bin($bytes), ['allowed_classes' => false]);
            self::assertSame($bytes, \bin2hex(Codec::serialize($back)), $what);
        }
    }

    public function testKeysThatShareABucketAreBounded(): void
    {
        $keys = [];
        for ($i = 0; $i < 8192; ++$i) {
            $keys[] = $i << 20;
        }
        $bytes = "\xc1\x53\x01\x00\xd6\x80\x40\x00";
        foreach ($keys as $key) {
            $bytes .= "\xc7" . \pack('P', $key);
        }
        $bytes .= \str_repeat("\xc0", 8192);
        self::assertSame('ok', Outcomes::of(static fn(): mixed => Codec::unserialize($bytes, ['max_collisions' => 100_000_000])));
        self::assertSame('limit_exceeded@4', Outcomes::of(static fn(): mixed => Codec::unserialize($bytes, ['max_collisions' => 1000])));
    }

    public function testAnObjectOfAnotherClassDoesNotGetIntoATypedProperty(): void
    {
        $bytes = Codec::serialize(new Point(1, new Point(2)));
        $bytes = \str_replace("\x60\x02\xc0", "\xcf\x48stdClass\0\0\0\0", $bytes);

        self::assertStringStartsWith('class_mismatch@', Outcomes::of(static fn(): mixed => Codec::unserialize($bytes)));
        self::assertStringEndsWith('/next', Outcomes::of(static fn(): mixed => Codec::unserialize($bytes)));
        self::assertEquals(new Point(1), Codec::unserialize($bytes, ['on_mismatch' => 'default']));
    }

    public function testReferencesInPropertiesThatPhpDeclaresStay(): void
    {
        $filter = new Filtering();
        $filter->filtername = 'name';
        $other = new \php_user_filter();
        $filter->params = &$filter->mine;
        $other->params = &$filter->filtername;
        $other->filtername = &$filter->filtername;
        $bytes = Codec::serialize([$filter, $other]);
        $back = Codec::unserialize($bytes);

        self::assertIsArray($back);
        self::assertSame(\bin2hex($bytes), \bin2hex(Codec::serialize($back)));
        [$first, $second] = $back;
        self::assertInstanceOf(Filtering::class, $first);
        self::assertInstanceOf(\php_user_filter::class, $second);
        $first->mine = 'changed';
        $first->filtername = 'another';
        self::assertSame(['changed', 'another', 'another'], [$first->params, $second->params, $second->filtername]);
        $this->expectException(\TypeError::class);
        $second->params = 5; // the type of the property holds for the reference
    }

    public function testPropertiesThatPhpDeclaresAreUnsetIfTheyHaveNoValue(): void
    {
        $filter = new Filtering();
        unset($filter->params);
        $bytes = Codec::serialize($filter);

        self::assertSame(\bin2hex($bytes), \bin2hex(Codec::serialize(Codec::unserialize($bytes))));
    }

    /**
     * @return iterable<string, array{class-string, string, string}>
     */
    public static function wrongValues(): iterable
    {
        yield 'an int for a string' => [\php_user_filter::class, 'filtername', '05'];
        yield 'an int for a string in a subclass' => [Filtering::class, 'filtername', '05'];
        yield 'an int for a protected string' => [\Exception::class, 'file', '05'];
        yield 'a string for an int' => [\Exception::class, 'line', '4137'];
        yield 'a bool for an int' => [\ErrorException::class, 'severity', 'c3'];
        yield 'a float for an int' => [\Error::class, 'line', 'c80000000000000840'];
        yield 'null for an array' => [\Exception::class, 'trace', 'c0'];
        yield 'an object with __toString for a string' => [\Exception::class, 'string', 'cf49457863657074696f6e01000000'];
        yield 'another object' => [\Exception::class, 'previous', 'cf48737464436c61737300000000'];
        yield 'a reference for a private property' => [\Exception::class, 'previous', 'dac0'];
    }

    /**
     * @param class-string $class
     */
    #[DataProvider('wrongValues')]
    public function testPropertiesThatPhpDeclaresTakeOnlyValuesOfTheirType(string $class, string $property, string $value): void
    {
        $text = static fn(string $name): string => "\xc9" . \chr(\strlen($name)) . $name;
        $bytes = "\xc1\x53\x01\x00\xcf" . $text($class) . "\x01\x01\x01\x00" . $text($property) . \hex2bin($value);

        self::assertSame("class_mismatch@4 /{$property}", Outcomes::of(static fn(): mixed => Codec::unserialize($bytes)));
        self::assertInstanceOf($class, Codec::unserialize($bytes, ['on_mismatch' => 'default']));
    }

    public function testPropertiesThatPhpDeclaresTakeValuesOfTheirType(): void
    {
        $previous = new \ErrorException('inner', 3, \E_WARNING, 'file', 7);
        foreach ([new \Exception('outer', 5, $previous), new \JsonException('text'), new \PhpToken(1, 'x', 2, 3)] as $value) {
            $bytes = Codec::serialize($value, ['unserializable' => 'null']);
            self::assertSame(\bin2hex($bytes), \bin2hex(Codec::serialize(Codec::unserialize($bytes))));
        }
    }

    public function testHooksOfPropertiesAreNotCalled(): void
    {
        if (\PHP_VERSION_ID < 80400) {
            self::markTestSkipped('PHP has hooks of properties from 8.4 on');
        }
        $value = eval('
            class Halving {
                public int|string|null $set = null { set { $this->set = $value * 2; } }
                public private(set) ?self $both { get => throw new \Exception(); set => throw new \Exception(); }
                protected float $got = 0.5 { get => $this->got * 2; }
            }
            class Quartering extends Halving {
                public int|parent|null $parent = null { set { $this->parent = $value; } }
                public self|false $itself = false { set { $this->itself = $value; } }
            }
            $value = new Quartering(); $value->set = 3; $value->itself = $value; $value->parent = new Halving(); return $value;
        ');
        $bytes = Codec::serialize($value);
        self::assertSame(\bin2hex($bytes), \bin2hex(Codec::serialize(Codec::unserialize($bytes))));

        $wrong = \str_replace("\x06", "\xc3", $bytes);
        self::assertSame('class_mismatch@4 /set', Outcomes::of(static fn(): mixed => Codec::unserialize($wrong)));
    }

    public function testTheNameOfAnIncompleteObjectCannotBeOverwritten(): void
    {
        $bytes = ClassesTest::renamed(Codec::serialize((object) ['__PHP_Incomplete_Class_Name' => 'Other', 'a' => 1]), 'stdClass', 'Gone');
        $back = Codec::unserialize($bytes);

        self::assertIsObject($back);
        self::assertStringContainsString('O:4:"Gone"', \serialize($back));
    }

    public function testAnIncompleteObjectKeepsPropertiesOfAnyName(): void
    {
        [$name, $form] = ['5b5f5f5048505f496e636f6d706c6574655f436c6173735f4e616d65', '4e00706f6c797061636b00666f726d'];
        $snapshots = [
            'the property that holds the facts' => 'cf4141000101004e00706f6c797061636b00666f726d01',
            'the name of the class' => "cf414100010100{$name}4142",
            'both among others, the first declared' => "cf414100040100{$form}4162{$name}416301020304",
            'one of them without a value' => "cf414100010101{$form}{$name}01",
            'in data' => "d0414100ce034162{$form}{$name}010203",
            'references' => "83cf414100030300{$form}4162{$name}da0105db00db0005",
            'rows' => "84cf414100020200{$form}{$name}010260030460050660 0708",
            'an array that looks like the facts' => "cf414100010100{$form}ce0144636173654141",
        ];
        foreach ($snapshots as $what => $hex) {
            $bytes = 'c1530100' . \str_replace(' ', '', $hex);
            $back = Codec::unserialize((string) \hex2bin($bytes), ['allowed_classes' => false]);
            $copies = ['itself' => $back, 'cloned' => \is_object($back) ? clone $back : $back, 'from unserialize()' => \unserialize(\serialize($back))];
            foreach ($copies as $copy => $value) {
                self::assertSame($bytes, \bin2hex(Codec::serialize($value)), "{$what}, {$copy}");
            }
        }
    }

    /**
     * @return iterable<string, array{string}> what serialize() makes of incomplete objects that name no class
     */
    public static function nameless(): iterable
    {
        foreach ([
            'nothing' => '0:{}', 'a property' => '1:{s:1:"a";i:5;}', 'an int as its class' => '2:{s:27:"__PHP_Incomplete_Class_Name";i:5;s:1:"b";i:6;}',
            'properties of any name' => "3:{s:0:\"\";i:1;i:5;i:2;s:4:\"\0*\0p\";i:3;}", 'references' => "2:{s:5:\"\0A\0pr\";a:0:{}s:1:\"b\";R:2;}",
            'facts' => "2:{s:14:\"\0polypack\0form\";a:2:{s:4:\"case\";s:1:\"A\";s:8:\"declared\";i:1;}s:1:\"b\";i:2;}",
        ] as $what => $content) {
            yield $what => ["O:22:\"__PHP_Incomplete_Class\":{$content}"];
        }
        yield 'many properties' => [\str_replace('O:8:"stdClass"', 'O:22:"__PHP_Incomplete_Class"', \serialize((object) \range(1, 300)))];
    }

    #[DataProvider('nameless')]
    public function testAnIncompleteObjectWithoutANameIsReadByEveryReader(string $text): void
    {
        $one = \unserialize($text);
        foreach ([$one, [$one, [$one]], \array_map(static fn(): mixed => \unserialize($text), \range(1, 5))] as $value) {
            $bytes = Codec::serialize($value);
            foreach ([[], ['allowed_classes' => false], ['allowed_classes' => ['__PHP_Incomplete_Class'], 'unknown_class' => 'throw']] as $options) {
                self::assertSame(\bin2hex($bytes), \bin2hex(Codec::serialize(Codec::unserialize($bytes, $options))), (string) \json_encode($options));
            }
        }
    }

    public function testASnapshotOfIncompleteObjectsWithoutANameIsWrittenBackAsItWas(): void
    {
        [$class, $name, $form] = ['cf565f5f5048505f496e636f6d706c6574655f436c617373', '5b5f5f5048505f496e636f6d706c6574655f436c6173735f4e616d65', '4e00706f6c797061636b00666f726d'];
        foreach ([
            'a property' => "{$class}00010000416105", 'the name of a class' => "{$class}00010000{$name}4141", 'facts' => "{$class}00010000{$form}05",
            'references' => "82{$class}00020000416141 6bda05db00db00", 'references to a name' => "82{$class}000200004161{$name}da05db00db00",
        ] as $what => $hex) {
            $bytes = 'c1530100' . \str_replace(' ', '', $hex);
            self::assertSame($bytes, \bin2hex(Codec::serialize(Codec::unserialize((string) \hex2bin($bytes)))), $what);
        }
    }

    /**
     * unserialize() gives a __PHP_Incomplete_Class any properties.
     */
    public function testForgedFactsOfAnIncompleteObjectGiveNoBrokenSnapshot(): void
    {
        $forged = [
            ['data' => 7], ['declared' => -1], ['declared' => 3], ['absent' => ['a', 'b', 'b']], ['absent' => \range('a', 'e')], ['case' => 5],
            ['absent' => \array_map(\strval(...), \range(1000, 1300))], ['own' => 5], ['own' => [[0], ['0', 'x', 1], [0, 'x', 1], [-9, "\0polypack\0form", 1]]],
        ];
        foreach ($forged as $i => $form) {
            $text = \str_replace('O:8:"stdClass"', 'O:4:"Gone"', \serialize((object) ["\0polypack\0form" => $form, 'a' => 1]));
            $one = \unserialize($text);
            $bytes = Codec::serialize([$one, [$one], \array_fill(0, 9, [$one, 5])]);
            self::assertSame(\bin2hex($bytes), \bin2hex(Codec::serialize(Codec::unserialize($bytes))), "{$i}");
        }
    }

    public function testAWriterNeedsAboutTheMemoryOfItsOutput(): void
    {
        $value = ['text' => \str_repeat('x', 4 << 20)];
        \memory_reset_peak_usage();
        $before = \memory_get_usage();
        Codec::serialize($value);

        self::assertLessThan(13 << 20, \memory_get_peak_usage() - $before);
    }

    public function testReferencesOfAnIncompleteObjectStay(): void
    {
        $shared = ['x'];
        $gone = ClassesTest::renamed(Codec::serialize([&$shared, (object) ['a' => &$shared, '5' => &$shared, 'b' => 1], &$shared]), 'stdClass', 'Gone');
        $back = Codec::unserialize($gone);

        self::assertIsArray($back);
        $back[0][] = 'y'; // @phpstan-ignore offsetAccess.nonOffsetAccessible
        self::assertSame(['x', 'y'], ((array) $back[1])['a']);
        self::assertSame(['x', 'y'], ((array) $back[1])['5']);
        self::assertSame(['x', 'y'], $back[2]);
        self::assertSame($gone, Codec::serialize(Codec::unserialize($gone)));

        $data = ClassesTest::renamed(Codec::serialize([&$shared, new \ArrayObject([&$shared])]), 'ArrayObject', 'Missing');
        self::assertSame($data, Codec::serialize(Codec::unserialize($data)));
    }

    public function testSetIsNotCalledForDynamicPropertiesEvenIfTheClassExtendsStdClass(): void
    {
        $bytes = ClassesTest::renamed(Codec::serialize([(object) ['a' => 1, '5' => [2], '' => 3]]), 'stdClass', Setting::class);

        self::assertSame([['a' => 1, 5 => [2], '' => 3]], \array_map(static fn(mixed $it): array => (array) $it, (array) Codec::unserialize($bytes)));
    }

    public function testDynamicPropertiesStayReferencesWithoutACallOfGetOrSet(): void
    {
        $shared = [1];
        foreach ([Getting::class, Setting::class] as $class) {
            $bytes = ClassesTest::renamed(Codec::serialize([(object) ['a' => &$shared, 'b' => 2], &$shared]), 'stdClass', $class);
            $back = Codec::unserialize($bytes);
            self::assertIsArray($back);
            $back[1][] = 2; // @phpstan-ignore offsetAccess.nonOffsetAccessible
            self::assertSame(['a' => [1, 2], 'b' => 2], (array) $back[0]);
        }
    }

    public function testABrokenSnapshotWithAnObjectThatExtendsAClassOfPhpFailsWithItsOwnError(): void
    {
        $bytes = Codec::serialize([new Extended([1, 2]), 'a text that is cut off']);

        self::assertStringStartsWith('unexpected_end@', Outcomes::of(static fn(): mixed => Codec::unserialize(\substr($bytes, 0, -1))));
    }

    public function testTheInitializerOfALazyObjectMayChangeTheValue(): void
    {
        $class = new \ReflectionClass(Point::class);
        if (!\method_exists($class, 'newLazyGhost')) {
            self::markTestSkipped('PHP has lazy objects from 8.4 on');
        }
        $value = ['first' => null, 'lazy' => null];
        $value['lazy'] = $class->newLazyGhost(static function (Point $point) use (&$value): void {
            [$point->x, $point->next] = [7, null];
            $value['first'] = new Point(8);
        });
        $whole = [&$value];

        self::assertEquals([['first' => new Point(8), 'lazy' => new Point(7)]], Codec::unserialize(Codec::serialize($whole)));
    }
}
