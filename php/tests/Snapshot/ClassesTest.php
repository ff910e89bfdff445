<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Snapshot\Inspector;
use Polypack\Snapshot\Learner;
use Polypack\Snapshot\Mismatches;
use Polypack\Tests\Support\Snapshot\Codec;
use Polypack\Tests\Support\Snapshot\Collection;
use Polypack\Tests\Support\Snapshot\Hooked;
use Polypack\Tests\Support\Snapshot\Legacy;
use Polypack\Tests\Support\Snapshot\Loose;
use Polypack\Tests\Support\Snapshot\Outcomes;
use Polypack\Tests\Support\Snapshot\Person;
use Polypack\Tests\Support\Snapshot\Point;
use Polypack\Tests\Support\Snapshot\Sleeper;
use Polypack\Tests\Support\Snapshot\Suit;
use Polypack\Tests\Support\Snapshot\Watched;

/**
 * spec/10-snapshot.md#classes: what becomes of classes that are missing or not allowed, and that none of
 * their code runs.
 */
final class ClassesTest extends TestCase
{
    /**
     * @return iterable<string, array{mixed}> values with objects of every form, at every depth
     */
    public static function graphs(): iterable
    {
        $point = new Point(1, new Point(2));
        $a = [$point];
        $referred = [&$a, 'x' => &$a];
        $legacy = new Legacy();
        $legacy->text = 'bytes';
        $leaves = [
            'object' => $point,
            'person' => (new Person('Ann', 3, ['t'], Suit::Hearts))->remember([new Point(9)]),
            'hooked' => new Hooked('h', new Point(1)),
            'sleeper' => new Sleeper(),
            'legacy' => $legacy,
            'case' => Suit::Spades,
            'loose' => Loose::with('more', new Point(5)),
            'storage' => new \ArrayObject([new Point(3)]),
            'iterators' => new \ArrayObject([new Point(3)], 0, Watched::class),
            'collection' => new Collection([1], 0, Watched::class),
            'reference' => $referred,
            'many' => \array_map(static fn(int $i): Point => new Point($i * 999), \range(1, 12)),
            'dates' => new \DateTimeImmutable('2026-01-01 UTC'),
        ];
        foreach ($leaves as $name => $leaf) {
            yield "{$name} alone" => [$leaf];
            yield "{$name} in a list" => [[1, $leaf]];
            yield "{$name} in a map" => [['k' => [5 => $leaf]]];
            yield "{$name} in stdClass" => [(object) ['p' => $leaf, 'q' => [$leaf]]];
        }
    }

    #[DataProvider('graphs')]
    public function testNothingOfAClassThatIsNotAllowedRuns(mixed $value): void
    {
        $bytes = Codec::serialize($value);
        \gc_collect_cycles();
        Hooked::calls();
        Loose::$calls = [];
        $loaded = [];
        $autoload = static function (string $class) use (&$loaded): void {
            if (\str_contains($class, 'Missing_')) {
                $loaded[] = $class;
            }
        };
        \spl_autoload_register($autoload, prepend: true);
        try {
            $missing = \str_replace('Tests\\Support\\Snapshot\\', 'Tests\\Support\\Missing_\\', $bytes);
            self::assertSame(\bin2hex($missing), \bin2hex(Codec::serialize(Codec::unserialize($missing, ['allowed_classes' => false]))));
            $back = Codec::unserialize($bytes, ['allowed_classes' => false]);
            self::assertSame(\bin2hex($bytes), \bin2hex(Codec::serialize($back)), 'nothing is lost');
            $standard = Codec::unserialize($bytes, ['allowed_classes' => false, 'unknown_class' => 'stdclass']);
            $thrown = Outcomes::of(static fn(): mixed => Codec::unserialize($bytes, ['allowed_classes' => [], 'unknown_class' => 'throw']));
            $v1 = \str_replace('Tests\\Support\\Snapshot\\', 'Tests\\Support\\Missing_\\', Codec::serialize(Codec::unserialize($bytes, ['allowed_classes' => false]), ['version' => 1]));
            self::assertSame([], \array_values(\array_diff(self::classes(Codec::unserialize($v1, ['allowed_classes' => false, 'version' => 1])), ['__PHP_Incomplete_Class'])));
        } finally {
            \spl_autoload_unregister($autoload);
        }
        self::assertStringStartsWith('class_not_allowed@', $thrown);
        self::assertSame([], \array_values(\array_diff(self::classes($back), ['__PHP_Incomplete_Class'])));
        self::assertSame([], \array_values(\array_diff(self::classes($standard), ['stdClass'])));
        unset($back, $standard);
        \gc_collect_cycles();
        self::assertSame([], $loaded);
        self::assertSame([], Hooked::calls());
        self::assertSame([], Loose::$calls);
        self::assertSame(0, Watched::$calls);
    }

    /**
     * @return iterable<string, array{string, string, string, array<string, mixed>}> a class that is an ArrayObject, the
     *         bytes of an object whose data name ITERATOR as the class of its iterators, what becomes of it (`made` if
     *         it can't become another object, `same` if it is also written back as it was), and options
     */
    public static function iterators(): iterable
    {
        $forms = [
            'a list' => ['same', "\xd0CLASS\0\x84\0\x81\x05\x80ITERATOR"],
            'the name again' => ['same', "\x82ITERATOR\xd0CLASS\0\x84\0\x81\x05\x80\x90"],
            'one in the other' => ['same', "\xd0CLASS\0\x84\0\x81\x60\x84\0\x81\x05\x80ITERATOR\x80\x91"],
            'a map' => ['', "\xd0CLASS\0\xd6\x04\0\3\2\1\0ITERATOR\x80\x81\x05\0"],
            'a reference' => ['same', "\x82\xdaITERATOR\xd0CLASS\0\x84\0\x81\x05\x80\xdb\0"],
            'the flag of properties' => ['same', "\xd0CLASS\1\x84\0\x81\x05\x80ITERATOR"],
            'a long list' => ['', "\xd0CLASS\0\xd3\x04\0\x81\x05\x80ITERATOR"],
            'itself' => ['made', "\xd0CLASS\0\x84\0\x81\xdc\0\x80ITERATOR"],
            'itself in a reference' => ['made', "\xd0CLASS\0\x84\0\x81\xda\xdc\0\x80ITERATOR"],
            'properties' => ['made', "\xcfCLASS\0\4\4\0\x410\x411\x412\x413\0\x81\x05\x80ITERATOR"],
            'rows' => ['made', "\xd5\4\xcfCLASS\0\4\4\0\x410\x411\x412\x413\1\0\1\x80\1\x80\0ITERATORITERATORITERATORITERATOR"],
        ];
        foreach ([\ArrayObject::class, \ArrayIterator::class, \RecursiveArrayIterator::class, Collection::class] as $class) {
            foreach ($forms as $form => [$outcome, $bytes]) {
                yield "{$class}, {$form}" => [$class, "\xc1S\1\0{$bytes}", $outcome, []];
            }
            foreach ([
                'V1' => ['same', "\1\1CLASS\x0e\0\x07\4\3\0\x07\0\x07\0\x0cITERATOR"],
                'V1, a map' => ['', "\1\2CLASSITERATOR\x0e\0\x06\4\0\6\5\1\0\0\3\0\0\2\x07\0\0\4\x07\0"],
                'V1, itself' => ['made', "\1\2CLASSITERATOR\x0e\0\x07\4\3\0\x07\1\x10\0\x07\0\5\1"],
                'V1, properties' => ['made', "\1\6CLASSITERATOR\0010\0011\0012\0013\x0a\0\4\2\3\0\3\x07\0\4\x07\0\5\5\1"],
            ] as $form => [$outcome, $bytes]) {
                yield "{$class}, {$form}" => [$class, $bytes, $outcome, ['version' => 1]];
            }
        }
    }

    /**
     * @param array<string, mixed> $options
     */
    #[DataProvider('iterators')]
    public function testTheClassOfIteratorsIsAClassAsAnyOther(string $class, string $template, string $outcome, array $options): void
    {
        $head = $options === [] ? 0x40 : 0;
        $text = static fn(string $name): string => (\strlen($name) < 32 || $head === 0 ? \chr($head + \strlen($name)) : "\xc9" . \chr(\strlen($name))) . $name;
        $bytes = static fn(string $iterator): string => \str_replace(['CLASS', 'ITERATOR'], [$text($class), $text($iterator)], $template);
        \class_exists($class) && \class_exists(Watched::class);
        Watched::$calls = 0;
        $only = $options + ['allowed_classes' => [$class]];
        $loaded = [];
        $autoload = static function (string $class) use (&$loaded): void {
            if (\in_array($class, ['Mislaid\\Watched', 'no class'], true)) { // PHPUnit loads others
                $loaded[] = $class;
            }
        };
        \spl_autoload_register($autoload, prepend: true);
        try {
            foreach ([Watched::class, 'Mislaid\\Watched', 'no class'] as $name) {
                $one = $bytes($name);
                self::assertStringStartsWith('class_not_allowed@', Outcomes::of(static fn(): mixed => Codec::unserialize($one, $only + ['unknown_class' => 'throw'])));
                if ($outcome === 'made') {
                    self::assertStringStartsWith('class_not_allowed@', Outcomes::of(static fn(): mixed => Codec::unserialize($one, $only)));
                    self::assertStringStartsWith('class_not_allowed@', Outcomes::of(static fn(): mixed => Codec::unserialize($one, $only + ['unknown_class' => 'stdclass'])));
                    continue;
                }
                $back = Codec::unserialize($one, $only);
                self::assertSame(['__PHP_Incomplete_Class'], self::classes($back));
                self::assertSame(['stdClass'], self::classes(Codec::unserialize($one, $only + ['unknown_class' => 'stdclass'])));
                if ($outcome === 'same' && $name === Watched::class) {
                    self::assertSame(\bin2hex($one), \bin2hex(Codec::serialize($back, $options)));
                }
            }
            self::assertSame([], $loaded);
            self::assertMatchesRegularExpression('/^class_not_(found|allowed)@/', Outcomes::of(static fn(): mixed => Codec::unserialize($bytes('Mislaid\\Watched'), $options + ['unknown_class' => 'throw'])));
            self::assertContains('Mislaid\\Watched', $loaded);
        } finally {
            \spl_autoload_unregister($autoload);
        }
        $both = $options + ['allowed_classes' => [$class, Watched::class]];
        foreach ([[$options, Watched::class], [$both, Watched::class], [$both, \strtolower(Watched::class)], [$both + ['aliases' => ['Old\\It' => Watched::class]], 'Old\\It']] as [$allowing, $name]) {
            $back = Codec::unserialize($bytes($name), $allowing + ['unknown_class' => 'throw']);
            $back = \is_array($back) ? \end($back) : $back;
            self::assertSame($class, \get_debug_type($back));
            if ($back instanceof \ArrayObject) {
                self::assertSame(\strtolower(Watched::class), \strtolower($back->getIteratorClass()));
            }
        }
        self::assertSame(0, Watched::$calls);
    }

    /**
     * PHP's own `unserialize` makes objects of all classes that the bytes name.
     */
    public function testTheOldFormOfAClassOfPhpIsAMismatch(): void
    {
        foreach ([
            \ArrayObject::class => 'x:i:0;a:1:{i:0;%s};m:a:0:{}', \ArrayIterator::class => 'x:i:0;a:1:{i:0;%s};m:a:0:{}', Collection::class => 'x:i:0;a:1:{i:0;%s};m:a:0:{}',
            \SplObjectStorage::class => 'x:i:1;%s,i:1;;m:a:0:{}', \SplDoublyLinkedList::class => 'i:0;:%s', \SplQueue::class => 'i:4;:%s',
        ] as $class => $text) {
            $text = \sprintf($text, \serialize(new Point(7)));
            $name = \chr(\strlen($class)) . $class;
            $length = \chr(\strlen($text) & 0x7f | 0x80) . \chr(\strlen($text) >> 7);
            $snapshot = "\xc1S\1\0\xd1\xc9{$name}\xca{$length}{$text}";
            foreach ([[$snapshot, []], ["\1\1{$name}\x0f\0{$length}{$text}", ['version' => 1]]] as [$bytes, $options]) {
                foreach ([true, [$class], [$class, Point::class]] as $allowed) {
                    $read = static fn(string $mode): mixed => Codec::unserialize($bytes, $options + ['allowed_classes' => $allowed, 'unknown_class' => 'throw', 'on_mismatch' => $mode]);
                    self::assertStringStartsWith('class_mismatch@', Outcomes::of(static fn(): mixed => $read('throw')));
                    self::assertStringStartsWith('miss class_mismatch@', Outcomes::of(static fn(): mixed => $read('miss')));
                    self::assertSame(['__PHP_Incomplete_Class'], self::classes($read('default')));
                    self::assertStringContainsString($text, Codec::serialize($read('default'), $options));
                }
            }
        }
    }

    #[DataProvider('graphs')]
    public function testTheClassesThatALearnerListsAreEnough(mixed $value): void
    {
        $writer = new Learner();
        $bytes = Codec::serialize($value, ['learn' => $writer]);
        $reader = new Learner();
        Codec::unserialize($bytes, ['learn' => $reader]);
        self::assertSame($writer->allowedClasses(), $reader->allowedClasses());
        $data = new Learner();
        Codec::unserialize($bytes, ['learn' => $data, 'allowed_classes' => false]);
        self::assertSame($writer->allowedClasses(), $data->allowedClasses());
        self::assertSame($writer->allowedClasses(), Inspector::describe($bytes)['classes']);
        self::assertSame('ok', Outcomes::of(static fn(): mixed => Codec::unserialize($bytes, ['allowed_classes' => $reader->allowedClasses(), 'unknown_class' => 'throw'])));
        foreach ($reader->allowedClasses() as $class) {
            self::assertStringContainsString("\\{$class}::class,", (string) $reader);
        }
    }

    /**
     * @return iterable<string, array{string, bool}> a name, and whether the learner writes it as code
     */
    public static function namesForLearners(): iterable
    {
        foreach (['Foo', 'A\\B', 'Ünï\\Cødé', '_1', 'list', 'A\\class', 'namespace\\X', 'exit', 'A\\self', 'int'] as $name) {
            yield $name => [$name, true];
        }
        $others = ['', 'self', 'Static', '\\A', 'A\\', 'A\\\\B', '1x', 'A B', "A\n", "A\0", "A\r\n, \\B", 'A::class, \\B', '?><?php exit;', '*/ exit; /*'];
        $others = [...$others, "A\u{9b}1m", "A\u{202e}B", "A\u{a0}B", "Latin\xe9", \str_repeat('x', 2000) . ' ', "X::class]; exit; //\n"];
        foreach ($others as $name) {
            yield \bin2hex(\substr($name, 0, 30)) => [$name, false];
        }
    }

    #[DataProvider('namesForLearners')]
    public function testALearnerWritesNothingAsCodeButNamesOfClasses(string $name, bool $isCode): void
    {
        $learner = new Learner();
        $bytes = "\xc1S\1\0\x83\xcf\x46Before\0\0\0\0\xcf\xca" . \chr(\strlen($name) & 0x7f | 0x80) . \chr(\strlen($name) >> 7) . "{$name}\0\0\0\0\xcf\x45After\0\0\0\0";
        Codec::unserialize($bytes, ['learn' => $learner, 'allowed_classes' => false]);
        $text = (string) $learner;

        self::assertContains($name, $learner->allowedClasses());
        self::assertSame(['allowed_classes' => $isCode ? $learner->allowedClasses() : ['After', 'Before']], eval("return [{$text}];"));
        self::assertSame(5, \substr_count($text, "\n"));
        self::assertDoesNotMatchRegularExpression('/[^\P{C}\n]|.{150}/u', $text);
    }

    public function testAllowedClassesIsCaseInsensitiveAndHoldsForNestedClasses(): void
    {
        $bytes = Codec::serialize([new Point(1), [Suit::Hearts, new Person('Ann')]]);
        $back = Codec::unserialize($bytes, ['allowed_classes' => ['\\' . \strtoupper(Point::class), Suit::class]]);

        self::assertIsArray($back);
        self::assertInstanceOf(Point::class, $back[0]);
        self::assertSame(Suit::Hearts, $back[1][0]);
        self::assertInstanceOf(\__PHP_Incomplete_Class::class, $back[1][1]);
    }

    public function testAMissingClassKeepsItsName(): void
    {
        $bytes = self::renamed(Codec::serialize([new Point(1), 2]), Point::class, 'Gone\\Away');
        $back = Codec::unserialize($bytes);

        self::assertIsArray($back);
        self::assertStringContainsString('Gone\\Away', \serialize($back[0]));
        self::assertSame($bytes, Codec::serialize($back));
        self::assertEquals((object) ['x' => 1, 'next' => null], ((array) Codec::unserialize($bytes, ['unknown_class' => 'stdclass']))[0]);
        self::assertSame('class_not_found@5 /0', Outcomes::of(static fn(): mixed => Codec::unserialize($bytes, ['unknown_class' => 'throw'])));
    }

    public function testAnAutoloaderMayDefineTheClass(): void
    {
        $bytes = self::renamed(Codec::serialize([new Point(3)]), Point::class, 'Polypack\\Late');
        $loader = static function (string $class): void {
            if ($class === 'Polypack\\Late') {
                \class_alias(Point::class, $class);
            }
        };
        \spl_autoload_register($loader);
        try {
            self::assertEquals([new Point(3)], Codec::unserialize($bytes));
        } finally {
            \spl_autoload_unregister($loader);
        }
    }

    public function testAnAliasComesBeforeWhatIsAllowed(): void
    {
        $bytes = self::renamed(Codec::serialize(new Point(3)), Point::class, 'Old\\Point');
        $options = ['aliases' => ['old\\point' => Point::class], 'unknown_class' => 'throw'];

        self::assertEquals(new Point(3), Codec::unserialize($bytes, $options + ['allowed_classes' => [Point::class]]));
        self::assertSame('class_not_allowed@4', Outcomes::of(static fn(): mixed => Codec::unserialize($bytes, $options + ['allowed_classes' => ['Old\\Point']])));
    }

    /**
     * @return iterable<string, array{string}>
     */
    public static function unserializable(): iterable
    {
        foreach (['Closure', 'Generator', 'WeakMap', 'ReflectionClass', 'SplFileInfo', 'Iterator', 'SplHeap', 'UnitEnum', Suit::class, 'PDO'] as $class) {
            if (\class_exists($class) || \interface_exists($class)) {
                yield $class => [$class];
            }
        }
    }

    #[DataProvider('unserializable')]
    public function testClassesThatCannotBeMadeAreAMismatch(string $class): void
    {
        $bytes = self::renamed(Codec::serialize([new \stdClass()]), 'stdClass', $class);

        self::assertSame('class_mismatch@5 /0', Outcomes::of(static fn(): mixed => Codec::unserialize($bytes)));
        self::assertSame('miss class_mismatch@5 /0', Outcomes::of(static fn(): mixed => Codec::unserialize($bytes, ['on_mismatch' => 'miss'])));
        $back = Codec::unserialize($bytes, ['on_mismatch' => 'default']);
        self::assertSame($bytes, Codec::serialize($back));
    }

    /**
     * @return iterable<string, array{\Closure(): mixed, string}>
     */
    public static function refused(): iterable
    {
        yield 'a closure' => [static fn(): mixed => ['a' => [1, static fn(): int => 1]], 'unsupported_value /a/1'];
        yield 'a resource' => [static fn(): mixed => [5 => \STDOUT], 'unsupported_value /5'];
        yield 'an anonymous class' => [static fn(): mixed => (object) ['p' => new class {}], 'unsupported_value /p'];
        yield 'a generator' => [self::generator(...), 'unsupported_value'];
        yield 'a reflection' => [static fn(): mixed => new \ReflectionClass(self::class), 'unsupported_value'];
        yield 'in what a hook returns' => [static fn(): mixed => [new Hooked('h', [\STDOUT])], 'unsupported_value /0/value/0'];
    }

    /**
     * @return \Generator<int>
     */
    private static function generator(): \Generator
    {
        yield 1;
    }

    /**
     * @param \Closure(): mixed $value
     */
    #[DataProvider('refused')]
    public function testWhatHasNoSerializedFormIsAnErrorWithItsPath(\Closure $value, string $outcome): void
    {
        self::assertSame($outcome, Outcomes::of(static fn(): mixed => Codec::serialize($value())));
        self::assertSame('ok', Outcomes::of(static fn(): mixed => Codec::unserialize(Codec::serialize($value(), ['unserializable' => 'null']))));
    }

    public function testAValueThatHasNoSerializedForm(): void
    {
        foreach ([\STDOUT, static fn(): int => 1] as $value) {
            self::assertSame('unsupported_value', Outcomes::of(static fn(): mixed => Codec::serialize($value)));
            self::assertNull(Codec::unserialize(Codec::serialize($value, ['unserializable' => 'null'])));
        }
    }

    public function testMismatchesAreCountedByWhatHappened(): void
    {
        $mismatches = new Mismatches();
        $bytes = self::renamed(Codec::serialize([(object) ['x' => 'a', 'next' => null], (object) ['x' => 'b', 'next' => 5]]), 'stdClass', Point::class);
        $back = Codec::unserialize($bytes, ['on_mismatch' => 'default', 'mismatches' => $mismatches]);
        self::assertEquals([new Point(), new Point()], $back);
        self::assertSame([2, 1], \array_values($mismatches->all()));
        foreach (['x', 'next'] as $i => $name) {
            self::assertStringStartsWith(Point::class . "::\${$name}: ", \array_keys($mismatches->all())[$i]);
        }
        self::assertCount(3, $mismatches);
    }

    public function testDynamicPropertiesAreSetWithoutMagic(): void
    {
        $bytes = Codec::serialize(Loose::with('more', 5));
        Loose::$calls = [];
        $back = Codec::unserialize($bytes);

        self::assertIsObject($back);
        self::assertSame(['declared' => 1, 'more' => 5], \get_mangled_object_vars($back));
        self::assertSame([], Loose::$calls);
    }

    public static function renamed(string $bytes, string $old, string $new): string
    {
        $text = static fn(string $name): string => (\strlen($name) < 32 ? \chr(0x40 + \strlen($name)) : "\xc9" . \chr(\strlen($name))) . $name;

        return \str_replace($text($old), $text($new), $bytes);
    }

    /**
     * @return list<string> the classes of all objects in a value
     */
    private static function classes(mixed $value): array
    {
        $classes = [];
        $todo = [$value];
        $seen = [];
        while ($todo !== []) {
            $one = \array_pop($todo);
            if (\is_object($one)) {
                if (isset($seen[\spl_object_id($one)])) {
                    continue;
                }
                $seen[\spl_object_id($one)] = true;
                $classes[] = $one::class;
                $one = \get_mangled_object_vars($one);
            }
            foreach (\is_array($one) ? $one : [] as $child) {
                $todo[] = $child;
            }
        }

        return \array_values(\array_unique($classes));
    }
}
