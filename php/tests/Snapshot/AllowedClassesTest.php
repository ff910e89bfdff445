<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Snapshot\AllowedClasses;
use Polypack\Snapshot\ClassFacts;
use Polypack\Snapshot\Learner;
use Polypack\Snapshot\LegacyData;
use Polypack\Snapshot\Migrating;
use Polypack\Snapshot\OldFormat;
use Polypack\Snapshot\Phase;
use Polypack\Tests\Support\Processor;
use Polypack\Tests\Support\Snapshot\Codec;
use Polypack\Tests\Support\Snapshot\Hiding;
use Polypack\Tests\Support\Snapshot\Keeping;
use Polypack\Tests\Support\Snapshot\Lagging;
use Polypack\Tests\Support\Snapshot\Nesting;
use Polypack\Tests\Support\Snapshot\Outcomes;
use Polypack\Tests\Support\Snapshot\Witness;

/**
 * The option `allowed_classes` holds for what classes of the old interface Serializable make of their data.
 */
final class AllowedClassesTest extends TestCase
{
    protected function setUp(): void
    {
        Witness::calls();
        \set_error_handler(static fn(int $severity, string $message): bool => $message === 'Class __PHP_Incomplete_Class has no unserializer', \E_WARNING);
    }

    protected function tearDown(): void
    {
        \restore_error_handler();
    }

    /**
     * @return iterable<string, array{class-string, string, object}> a class, its data, and an object in the data
     */
    public static function objects(): iterable
    {
        foreach (Witness::all() as $kind => $witness) {
            foreach (self::heirs() as $class) {
                if (!$witness instanceof \UnitEnum || !\is_subclass_of($class, \SplObjectStorage::class)) {
                    yield "{$class} {$kind}" => [$class, self::dataOf($class, $witness), $witness];
                }
            }
            yield "a class of the user {$kind}" => [Keeping::class, (new Keeping([$witness]))->serialize(), $witness];
            yield "a class of the user with text {$kind}" => [Hiding::class, (new Hiding([$witness]))->serialize(), $witness];
            $hiding = new Hiding([$witness]);
            yield "one in an ArrayObject {$kind}" => [self::heirOf(\ArrayObject::class), self::dataOf(\ArrayObject::class, $hiding), $witness];
            yield "one in another {$kind}" => [Keeping::class, \serialize($hiding), $witness];
        }
    }

    /**
     * @return iterable<string, array{class-string, string, object, string}> also how it is read
     */
    public static function readers(): iterable
    {
        foreach (self::objects() as $name => $object) {
            foreach (\function_exists('igbinary_unserialize') ? ['snapshot', 'V1', 'igbinary'] : ['snapshot', 'V1'] as $format) {
                yield "{$name} {$format}" => [...$object, $format];
            }
        }
    }

    /**
     * @param class-string $class
     */
    #[DataProvider('readers')]
    public function testNoObjectOfAClassThatIsNotAllowedIsMadeOfData(string $class, string $data, object $witness, string $format): void
    {
        $allowed = [$class, Hiding::class];
        $isHidden = $class === Hiding::class || \str_contains($data, Hiding::class);
        $shownName = $witness::class . ($witness instanceof \UnitEnum ? ' Enum' : ' Object');
        foreach ($format === 'igbinary' ? ['incomplete', 'throw'] : ['incomplete', 'stdclass', 'throw'] as $unknown) {
            $options = ['allowed_classes' => $allowed, 'unknown_class' => $unknown];
            if (!$isHidden) {
                self::assertStringStartsWith('class_not_allowed@', Outcomes::of(static fn(): mixed => self::read($format, $class, $data, $options)));
            } elseif (!$witness instanceof \UnitEnum) { // no list of unserialize() holds for enums
                $back = self::read($format, $class, $data, $options);
                self::assertInstanceOf($class, $back);
                self::assertStringContainsString('__PHP_Incomplete_Class Object', $shown = \print_r($back, true));
                self::assertStringNotContainsString($shownName, $shown);
                unset($back);
            }
            self::assertSame([], Witness::calls(), $unknown);
        }

        $all = self::read($format, $class, $data, ['allowed_classes' => [...$allowed, $witness::class], 'unknown_class' => 'throw']);
        self::assertStringContainsString($shownName, $shown = \print_r($all, true));
        if ($format !== 'igbinary') {
            self::assertSame($shown, \print_r(self::read($format, $class, $data, []), true));
        }
    }

    public function testCasesInTheFormatOfPhpAreMadeOnlyOfAllowedEnums(): void
    {
        $loaded = [];
        $loader = static function (string $class) use (&$loaded): void {
            $loaded[] = $class;
        };
        $case = Witness::all()['case'];
        \spl_autoload_register($loader, prepend: true);
        try {
            foreach ([\serialize([$case]), \serialize(new \ArrayObject([$case])), \serialize(new Keeping($case)), 'E:5:"A\B:C";'] as $bytes) {
                $read = static fn(string ...$more): mixed => (new Migrating(OldFormat::Php, Phase::NewBoth, ['allowed_classes' => ['ArrayObject', Keeping::class, ...$more]]))->unserialize($bytes);
                self::assertSame('class_not_allowed@0', Outcomes::of(static fn(): mixed => $read()));
                if (!\str_contains($bytes, 'A\B')) {
                    self::assertStringContainsString($case::class, \print_r($read($case::class), true));
                }
            }
        } finally {
            \spl_autoload_unregister($loader);
        }
        self::assertSame([], \array_values(\array_intersect($loaded, ['A\B'])));
    }

    public function testTheDataOfGmpMakeNothingElse(): void
    {
        if (!\function_exists('igbinary_unserialize') || !\class_exists(\GMP::class)) {
            self::markTestSkipped('needs igbinary and gmp');
        }
        foreach (Witness::all() as $kind => $witness) {
            $data = 's:1:"5";' . \serialize([$witness]);
            $bytes = self::igbinary('GMP', $data);
            self::assertSame('class_not_allowed@0', Outcomes::of(static fn(): mixed => (new Migrating(OldFormat::Igbinary, Phase::NewBoth, ['allowed_classes' => ['GMP']]))->unserialize($bytes)), $kind);
            $hidden = self::igbinary('GMP', 's:1:"5";' . \serialize([new Hiding($witness)]));
            (new Migrating(OldFormat::Igbinary, Phase::NewBoth, ['allowed_classes' => ['GMP', Hiding::class]]))->unserialize($hidden);
        }
        unset($witness);
        self::assertSame(['Polypack\Tests\Support\Snapshot\Dying::__destruct'], Witness::calls(), "the test's own");
    }

    public function testWhatDataNameIsFoundAtItsPath(): void
    {
        $heir = self::heirOf(\ArrayObject::class);
        $data = self::dataOf($heir, new \ArrayIterator([new \DateTimeZone('UTC')]));
        $bytes = "\xc1\x53\x01\x00\x82\x05" . \substr(self::snapshot($heir, $data), 4);
        $read = static fn(string ...$classes): string => Outcomes::of(static fn(): mixed => Codec::unserialize($bytes, ['allowed_classes' => $classes, 'unknown_class' => 'throw']));

        self::assertSame('class_not_allowed@6 /1', $read($heir));
        self::assertSame('class_not_allowed@6 /1', $read($heir, 'ArrayIterator'));
        self::assertSame('ok', $read($heir, 'ArrayIterator', '\datetimezone'));
        self::assertSame('ok', $read($heir, 'ArrayIterator', 'DateTimeZone', 'no name', '5', ''));
    }

    public function testIteratorsOfAnArrayObjectInDataAreClassesToo(): void
    {
        $loaded = [];
        $loader = static function (string $class) use (&$loaded): void {
            $loaded[] = $class;
        };
        \spl_autoload_register($loader, prepend: true);
        try {
            $start = 'O:11:"ArrayObject":4:{i:0;i:0;i:1;a:0:{}i:2;a:0:{}';
            $elements = ['i:3;s:4:"Away";', 's:1:"3";s:4:"Away";', 'i:+3;S:4:"\\41way";', 'S:1:"\\33";s:4:"Away";', 'i:3;S:6:"Far\\Face";'];
            // PHP reads this length as 11
            $wrapped = \str_replace('O:11:', \PHP_INT_SIZE === 8 ? 'O:18446744073709551627:' : 'O:4294967307:', $start);
            foreach ([...\array_map(static fn(string $element): string => "{$start}{$element}}", $elements), "{$wrapped}{$elements[0]}}"] as $data) {
                foreach (\function_exists('igbinary_unserialize') ? ['snapshot', 'V1', 'igbinary'] : ['snapshot', 'V1'] as $format) {
                    $outcome = Outcomes::of(static fn(): mixed => self::read($format, Keeping::class, $data, ['allowed_classes' => [Keeping::class, 'ArrayObject', 'Far\Face']]));
                    self::assertStringStartsWith('class_not_allowed@', $outcome, $data);
                }
                $php = \sprintf('C:%d:"%s":%d:{%s}', \strlen(Keeping::class), Keeping::class, \strlen($data), $data);
                $reader = new Migrating(OldFormat::Php, Phase::NewBoth, ['allowed_classes' => [Keeping::class, 'ArrayObject', 'Far\Face']]);
                self::assertSame('class_not_allowed@0', Outcomes::of(static fn(): mixed => $reader->unserialize($php)), $data);
            }
        } finally {
            \spl_autoload_unregister($loader);
        }
        self::assertSame([], \array_values(\array_filter($loaded, static fn(string $class): bool => \preg_match('/^Away$|^Far/', $class) === 1)));
        $kept = new Keeping(new \ArrayObject([1], 0, \ArrayIterator::class));
        self::assertEquals($kept, self::read('snapshot', Keeping::class, $kept->serialize(), ['allowed_classes' => [Keeping::class, 'ArrayObject', 'ArrayIterator']]));
        foreach ([3, 13, '3'] as $number) { // the text behind it is no class of iterators
            $kept = new Keeping(new \ArrayObject(['id' => $number, 'name' => 'x']));
            foreach (['snapshot', 'V1'] as $format) {
                self::assertEquals($kept, self::read($format, Keeping::class, $kept->serialize(), ['allowed_classes' => [Keeping::class, 'ArrayObject']]));
            }
        }
        $kept = new Keeping(new \ArrayObject([1], 0, \RecursiveArrayIterator::class));
        $all = ['allowed_classes' => [Keeping::class, 'ArrayObject', 'RecursiveArrayIterator']];
        self::assertEquals($kept, self::read('snapshot', Keeping::class, $kept->serialize(), $all));
    }

    /**
     * A class may unserialize its data, then the text that they are, and so on.
     */
    public function testEscapedTextsHideNothing(): void
    {
        $allowed = ['allowed_classes' => [Keeping::class, 'ArrayObject']];
        $hidden = [
            'an iterator' => 'O:11:"ArrayObject":4:{i:0;i:0;i:1;a:0:{}i:2;a:0:{}i:3;s:4:"Away";}', 'a case' => 'E:6:"Away:A";',
            'an object' => 'O:4:"Away":0:{}', 'a number' => 'a:2:{i:0;O:11:"ArrayObject":0:{}i:1;r:2;}', 'a text' => 's:15:"O:4:"Away":0:{}";',
        ];
        foreach ($hidden as $what => $data) {
            foreach (\range(1, 6) as $depth) {
                $data = self::escaped($data);
                foreach ([$data, "a:1:{i:0;{$data}}", "x{$data}", "a:2:{i:0;s:2:\"x;\";i:1;{$data}}"] as $place) {
                    foreach (\function_exists('igbinary_unserialize') ? ['snapshot', 'V1', 'igbinary', 'php'] : ['snapshot', 'V1', 'php'] as $format) {
                        if ($format === 'php' && !\in_array($what, ['an iterator', 'a case'], true)) {
                            continue; // PHP's list holds for these
                        }
                        $read = static fn(): mixed => $format === 'php'
                            ? (new Migrating(OldFormat::Php, Phase::NewBoth, $allowed))->unserialize(\sprintf('C:%d:"%s":%d:{%s}', \strlen(Keeping::class), Keeping::class, \strlen($place), $place))
                            : self::read($format, Keeping::class, $place, $allowed);
                        self::assertStringStartsWith('class_not_allowed@', Outcomes::of($read), "{$what}, {$depth} times, {$format}");
                        if (\strlen($data) > 10_000) {
                            break 3;
                        }
                    }
                }
            }
        }
        $harmless = self::escaped(self::escaped(self::escaped('s:1:"x";')));
        self::assertInstanceOf(Keeping::class, self::read('snapshot', Keeping::class, $harmless, $allowed));
        $learner = new Learner();
        self::read('snapshot', Keeping::class, self::escaped('E:9:"Missing:A";'), ['learn' => $learner]);
        self::assertContains('Missing', $learner->allowedClasses());
    }

    private static function escaped(string $text): string
    {
        return \sprintf('S:%d:"%s";', \strlen($text), \implode('', \array_map(static fn(string $byte): string => '\\' . \bin2hex($byte), \str_split($text))));
    }

    public function testALearnerSeesTheClassesInData(): void
    {
        $value = [new Keeping([new \DateTimeZone('UTC'), new Keeping([Witness::all()['case']]), new \ArrayObject([], 0, \RecursiveArrayIterator::class)])];
        $writer = new Learner();
        $bytes = Codec::serialize($value, ['learn' => $writer]);
        $reader = new Learner();
        Codec::unserialize($bytes, ['learn' => $reader]);
        self::assertSame($writer->allowedClasses(), $reader->allowedClasses());
        self::assertSame([], \array_diff(['DateTimeZone', 'ArrayObject', 'RecursiveArrayIterator'], $reader->allowedClasses()));
        self::assertEquals($value, Codec::unserialize($bytes, ['allowed_classes' => $reader->allowedClasses(), 'unknown_class' => 'throw']));
    }

    /**
     * @return iterable<string, array{string, list<string>}>
     */
    public static function data(): iterable
    {
        yield 'none' => ['text', []];
        yield 'an object' => ['O:1:"A":0:{}', ['A']];
        yield 'one in the other' => ['C:1:"A":14:{O:3:"B\C":0:{}}', ['A', 'B\C']];
        yield 'a case' => ['E:5:"Ä:Ace";', ['Ä']];
        yield 'with zeros' => ['O:0001:"A":0:{}', ['A']];
        yield 'a name of digits' => ['O:1:"5":0:{}', ['5']];
        yield 'in a text' => ['s:9:"O:1:"A":0";', ['A']];
        yield 'in a name' => ['O:1:"xO:1:"A":0', ['xO', 'A']];
        yield 'another length' => ['O:2:"A":0:{}O:0:"A":0:{}', []];
        yield 'a length that no int holds' => ['O:18446744073709551617:"A":0:{}', ['A']];
        yield 'truncated' => ['O:1:"A', []];
        yield 'behind an escape' => ['S:4:"\\4f:1:"A"', ['A']];
        yield 'an escape without such a text' => ['s:4:"\\4f:1:"A"', []];
    }

    /**
     * @param list<string> $classes
     */
    #[DataProvider('data')]
    public function testNamesAreFoundWhereverTheyStand(string $data, array $classes): void
    {
        self::assertSame($classes, LegacyData::classes($data, static fn(): bool => false));
    }

    public function testNamesAreFoundInTimeThatGrowsWithTheData(): void
    {
        \memory_reset_peak_usage();
        $before = \memory_get_usage();
        foreach (['O:1:"', 'O:99:"', 'O:500000:"', 'O:', 'O:1:"A"', 'E:9:"A:', 'O:1:"A"3;s:1:"B"', 'O:1:"A"3;S:1:"\\42"', 'S:1:"', 'S:1:"\\5c', '\\53:1:"\\5c5c5c5c5c', 'O:1:"A"S:1:"\\5c5c5c5c'] as $part) {
            $data = \str_repeat($part, \intdiv(1_000_000, \strlen($part)));
            $start = Processor::milliseconds();
            LegacyData::classes($data, static fn(): bool => true);
            self::assertLessThan(2_000, Processor::milliseconds() - $start, $part);
        }
        self::assertLessThan(12_000_000, \memory_get_peak_usage() - $before);
    }

    /**
     * The numbers would count from another call than when the data were written.
     */
    public function testDataWithNumbersOfValuesAreRefusedWithAList(): void
    {
        $shared = new \DateTimeZone('UTC');
        $value = new Keeping([$shared, $shared]);
        $allowed = ['allowed_classes' => [Keeping::class, 'DateTimeZone']];
        foreach ([[], ['version' => 1]] as $version) {
            $bytes = Codec::serialize($value, $version);
            self::assertEquals($value, Codec::unserialize($bytes, $version));
            self::assertMatchesRegularExpression('/^class_not_allowed@\d+$/', Outcomes::of(static fn(): mixed => Codec::unserialize($bytes, $allowed + $version)));
        }
        foreach (['r:2;', 'R:2;', 's:6:"x r:2;"'] as $data) {
            $outcome = Outcomes::of(static fn(): mixed => Codec::unserialize("\xc1\x53\x01\x00\x81" . \substr(self::snapshot(Keeping::class, $data), 4), $allowed));
            self::assertSame('class_not_allowed@5 /0', $outcome);
            if (\function_exists('igbinary_unserialize')) {
                self::assertSame('class_not_allowed@0', Outcomes::of(static fn(): mixed => (new Migrating(OldFormat::Igbinary, Phase::NewBoth, $allowed))->unserialize(self::igbinary(Keeping::class, $data))));
            }
        }
        self::assertEquals(new Keeping('r:2'), Codec::unserialize(self::snapshot(Keeping::class, 's:3:"r:2";'), $allowed));
    }

    /**
     * PHP doesn't hand down a list while it calls these hooks.
     */
    public function testInAHookThatPhpCallsNothingIsReadWithAList(): void
    {
        $outcomes = [];
        $value = new Hiding([Witness::all()['waking']]);
        Witness::calls();
        Lagging::$read = static function () use (&$outcomes, $value): void {
            foreach ([new Hiding([new \DateTimeZone('UTC')]), $value] as $value) {
                $bytes = self::snapshot(Hiding::class, $value->serialize());
                $outcomes[] = Outcomes::of(static fn(): mixed => Codec::unserialize($bytes, ['allowed_classes' => [Hiding::class]]));
                if (\function_exists('igbinary_unserialize')) {
                    $old = self::igbinary(Hiding::class, $value->serialize());
                    $outcomes[] = Outcomes::of(static fn(): mixed => (new Migrating(OldFormat::Igbinary, Phase::NewBoth, ['allowed_classes' => [Hiding::class]]))->unserialize($old));
                }
            }
        };
        try {
            \unserialize(\serialize(new Lagging()));
        } finally {
            Lagging::$read = null;
        }
        self::assertSame([], \array_diff($outcomes, ['class_not_allowed@0', 'class_not_allowed@4']));
        self::assertGreaterThan(1, \count($outcomes));
        self::assertSame([], Witness::calls());
    }

    public function testSnapshotsInDataAreReadAsEver(): void
    {
        $value = new Nesting([new \DateTimeImmutable('2026-01-01 UTC'), new \ArrayObject([1]), (object) ['a' => 1]]);
        $bytes = Codec::serialize($value);
        self::assertEquals($value, Codec::unserialize($bytes, ['allowed_classes' => [Nesting::class]]));
    }

    public function testWhatPhpRefusesIsKnownUnderAnyList(): void
    {
        foreach ([\Closure::class, \Generator::class, \WeakMap::class, \ReflectionClass::class] as $class) {
            $refusal = null;
            AllowedClasses::hold([], static function () use ($class, &$refusal): void {
                $refusal = (new ClassFacts($class))->refusal();
            });
            self::assertSame("PHP does not serialize {$class}", $refusal);
        }
        foreach ([\DateTimeImmutable::class, \ArrayObject::class, \stdClass::class] as $class) {
            self::assertTrue(AllowedClasses::hold([], static function () use ($class): void {
                self::assertNull((new ClassFacts($class))->refusal());
            }));
        }
    }

    public function testAnExceptionOfTheCodeComesThroughAndLeavesNothingBehind(): void
    {
        try {
            AllowedClasses::hold([], static fn() => throw new \RuntimeException('mine'));
            self::fail('no exception');
        } catch (\RuntimeException $error) {
            self::assertSame('mine', $error->getMessage());
        }
        $name = AllowedClasses::class;
        $length = \strlen($name);
        $made = \unserialize("C:{$length}:\"{$name}\":0:{}");
        self::assertInstanceOf(AllowedClasses::class, $made);
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
     * Returns a class for each class of PHP, to whose unserialize() it hands its data. PHP's own get no data.
     *
     * @return list<class-string>
     */
    private static function heirs(): array
    {
        $heirs = [];
        foreach (\get_declared_classes() as $class) {
            $reflection = new \ReflectionClass($class);
            if ($reflection->isInternal() && $reflection->implementsInterface(\Serializable::class)) {
                $heirs[] = self::heirOf($class);
            }
        }

        return $heirs;
    }

    /**
     * @param class-string $class
     *
     * @return class-string
     */
    private static function heirOf(string $class): string
    {
        $heir = "Polypack\\HeirOf{$class}";
        if (!\class_exists($heir, false)) {
            eval("namespace Polypack; final class HeirOf{$class} extends \\{$class} { public function unserialize(\$data): void { parent::unserialize(\$data); } }");
        }
        \assert(\class_exists($heir, false));

        return $heir;
    }

    /**
     * @param class-string $class
     */
    private static function dataOf(string $class, object $content): string
    {
        $object = new $class();
        match (true) {
            $object instanceof \ArrayObject, $object instanceof \ArrayIterator => $object->offsetSet(0, $content),
            $object instanceof \SplDoublyLinkedList => $object->push($content),
            $object instanceof \SplObjectStorage => $object->attach($content),
            default => self::fail("how does {$class} take an object?"),
        };

        return $object->serialize();
    }

    /**
     * @param class-string         $class
     * @param array<string, mixed> $options
     */
    private static function read(string $format, string $class, string $data, array $options): mixed
    {
        return match ($format) {
            'snapshot' => Codec::unserialize(self::snapshot($class, $data), $options),
            'V1' => Codec::unserialize("\x01\x01" . self::length(\strlen($class)) . "{$class}\x0f\x00" . self::length(\strlen($data)) . $data, ['version' => 1] + $options),
            default => (new Migrating(OldFormat::Igbinary, Phase::NewBoth, $options))->unserialize(self::igbinary($class, $data)),
        };
    }

    private static function snapshot(string $class, string $data): string
    {
        return "\xc1\x53\x01\x00\xd1\xca" . self::length(\strlen($class)) . "{$class}\xca" . self::length(\strlen($data)) . $data;
    }

    private static function igbinary(string $class, string $data): string
    {
        return "\0\0\0\x02\x17" . \chr(\strlen($class)) . "{$class}\x1e" . \pack('n', \strlen($data)) . $data;
    }

    private static function length(int $number): string
    {
        return $number < 0x80 ? \chr($number) : \chr($number & 0x7f | 0x80) . self::length($number >> 7);
    }
}
