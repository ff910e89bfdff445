<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Exception\InvalidOptionException;
use Polypack\Snapshot\Inspector;
use Polypack\Snapshot\KeyRing;
use Polypack\Snapshot\Migrating;
use Polypack\Snapshot\Migration\IgbinaryScan;
use Polypack\Snapshot\Migration\PhpScan;
use Polypack\Snapshot\OldFormat;
use Polypack\Snapshot\Phase;
use Polypack\Tests\Support\Snapshot\Codec;
use Polypack\Tests\Support\Snapshot\Collection;
use Polypack\Tests\Support\Snapshot\Hooked;
use Polypack\Tests\Support\Snapshot\Keeping;
use Polypack\Tests\Support\Snapshot\Outcomes;
use Polypack\Tests\Support\Snapshot\Person;
use Polypack\Tests\Support\Snapshot\Point;
use Polypack\Tests\Support\Snapshot\RandomGraphs;
use Polypack\Tests\Support\Snapshot\Suit;
use Polypack\Tests\Support\Snapshot\Watched;
use Polypack\Tests\Support\Snapshot\Witness;

/**
 * Changing the serializer of a cache, and looking into payloads.
 */
final class MigratingTest extends TestCase
{
    private const CLASSES = ['allowed_classes' => [Point::class]];

    /**
     * @return iterable<string, array{OldFormat, mixed}>
     */
    public static function formats(): iterable
    {
        $data = ['id' => 7, 'tags' => ['a', 'b'], 'price' => 2.0, 'none' => null];
        yield 'phpser' => [OldFormat::V1, [$data, new Point(3)]];
        yield 'php' => [OldFormat::Php, [$data, new Point(3)]];
        yield 'php false' => [OldFormat::Php, false];
        yield 'json' => [OldFormat::Json, $data];
        yield 'messagepack' => [OldFormat::MessagePack, $data];
        if (\function_exists('igbinary_serialize')) {
            yield 'igbinary' => [OldFormat::Igbinary, [$data, new Point(3)]];
            yield 'igbinary null' => [OldFormat::Igbinary, null];
        }
    }

    #[DataProvider('formats')]
    public function testEachPhaseReadsWhatItsNeighboursWrite(OldFormat $format, mixed $value): void
    {
        $events = [];
        $phases = \array_map(static function (Phase $phase) use ($format, &$events): Migrating {
            return new Migrating($format, $phase, self::CLASSES, [], static function (OldFormat $read) use (&$events): void {
                $events[] = $read;
            });
        }, Phase::cases());
        foreach ($phases as $i => $writer) {
            $bytes = $writer->serialize($value);
            self::assertSame($i > 0, \str_starts_with($bytes, "\xc1\x53"));
            foreach ([$i - 1, $i, $i + 1] as $reader) {
                if (isset($phases[$reader]) && ($i > 0 || $reader < 2)) {
                    self::assertEquals($value, $phases[$reader]->unserialize($bytes), "phase {$i} to {$reader}");
                }
            }
        }
        $old = $phases[0]->serialize($value);
        self::assertStringContainsString('@0', Outcomes::of(static fn(): mixed => $phases[2]->unserialize($old)));
        self::assertSame([$format, $format], $events);
        self::assertSame(['snapshot' => 1, $format->value => 1], self::sorted($phases[0]->counts(), $format));
        self::assertSame(['snapshot' => 2, $format->value => 1], self::sorted($phases[1]->counts(), $format));
        self::assertSame(['snapshot' => 2], $phases[2]->counts());
    }

    public function testOldBytesMakeNoClassThatIsNotAllowed(): void
    {
        Hooked::calls();
        $value = ['x' => new Hooked('h', new Point(1))];
        $reading = self::CLASSES + ['unknown_class' => 'throw'];
        foreach ([OldFormat::Php, OldFormat::V1, OldFormat::Igbinary] as $format) {
            if ($format === OldFormat::Igbinary && !\function_exists('igbinary_serialize')) {
                continue;
            }
            $bytes = (new Migrating($format, Phase::OldBoth, self::CLASSES))->serialize($value);
            Hooked::calls();
            $reader = new Migrating($format, Phase::NewBoth, $reading);
            self::assertStringStartsWith('class_not_allowed@', Outcomes::of(static fn(): mixed => $reader->unserialize($bytes)), $format->value);
            \gc_collect_cycles();
            self::assertSame([], Hooked::calls());
            self::assertSame([], $reader->counts());
        }
    }

    public function testAllowedClassesMustBeNamed(): void
    {
        $this->expectException(InvalidOptionException::class);
        new Migrating(OldFormat::Php, Phase::NewBoth);
    }

    /**
     * @return iterable<string, array{OldFormat|list<OldFormat>, array<string, mixed>, array<string, mixed>, string}>
     */
    public static function refusedOptions(): iterable
    {
        yield 'a misspelt option for reading' => [OldFormat::Php, ['unknown_clas' => 'throw'], [], '"unknown_clas"'];
        yield 'a wrong value for reading' => [OldFormat::Json, ['unknown_class' => 'thrown'], [], 'unknown_class'];
        yield 'a wrong limit' => [OldFormat::Php, ['max_depth' => '5'], [], 'max_depth'];
        yield 'a misspelt option for writing' => [OldFormat::Php, [], ['float' => 'raw'], '"float"'];
        yield 'an option of reading for writing' => [OldFormat::V1, [], ['allowed_classes' => []], '"allowed_classes"'];
        yield 'an empty list' => [[], [], [], 'old must be an OldFormat'];
        yield 'floats' => [OldFormat::Json, [], ['floats' => 'x'], 'floats'];
        yield 'unserializable' => [OldFormat::V1, [], ['unserializable' => 'x'], 'unserializable'];
        foreach (OldFormat::cases() as $format) {
            if ($format !== OldFormat::Igbinary || \function_exists('igbinary_serialize')) {
                foreach ([1, 5] as $version) {
                    yield "version {$version} for reading {$format->value}" => [$format, ['version' => $version], [], 'version must be left out'];
                    yield "version {$version} for writing {$format->value}" => [$format, [], ['version' => $version], 'version must be left out'];
                }
                if ($format !== OldFormat::V1) {
                    yield "null for {$format->value}" => [$format, [], ['unserializable' => 'null'], "unserializable must be throw while OldFormat::{$format->name} is written"];
                }
            }
        }
        yield 'aliases' => [OldFormat::Php, ['aliases' => ['Old' => Point::class]], [], 'aliases must be left out while OldFormat::Php'];
        yield 'stdclass' => [OldFormat::Php, ['unknown_class' => 'stdclass'], [], 'unknown_class must be incomplete or throw while OldFormat::Php'];
        yield 'aliases, and the second of two formats' => [[OldFormat::Json, OldFormat::Php], ['aliases' => ['Old' => Point::class]], [], 'aliases'];
        if (\function_exists('igbinary_serialize')) {
            yield 'aliases with igbinary' => [OldFormat::Igbinary, ['aliases' => ['Old' => Point::class]], [], 'OldFormat::Igbinary'];
            yield 'stdclass with igbinary' => [OldFormat::Igbinary, ['unknown_class' => 'stdclass'], [], 'OldFormat::Igbinary'];
        }
    }

    /**
     * @param OldFormat|list<OldFormat> $old
     * @param array<string, mixed>      $reading
     * @param array<string, mixed>      $writing
     */
    #[DataProvider('refusedOptions')]
    public function testOptionsThatWouldBeIgnoredAreRefused(OldFormat|array $old, array $reading, array $writing, string $message): void
    {
        $this->expectException(InvalidOptionException::class);
        $this->expectExceptionMessage($message);
        new Migrating($old, Phase::OldBoth, self::CLASSES + $reading, $writing);
    }

    public function testOptionsOfWritingHoldWhereTheyAreKnown(): void
    {
        $value = [static fn(): int => 1, 0.5];
        $writing = ['unserializable' => 'null', 'floats' => 'raw', 'version' => null];
        self::assertSame(Codec::serialize([null, 0.5], ['version' => 1]), (new Migrating(OldFormat::V1, Phase::OldBoth, self::CLASSES, $writing))->serialize($value));
        self::assertSame(Codec::serialize([null, 0.5]), (new Migrating(OldFormat::Php, Phase::NewBoth, self::CLASSES, $writing))->serialize($value));
    }

    public function testOptionsAboutNamesHoldWhereOldFormatsKnowThem(): void
    {
        $bytes = ClassesTest::renamed(Codec::serialize([new Point(3), new \stdClass()]), Point::class, 'Old');
        $v1 = Codec::serialize(Codec::unserialize($bytes), ['version' => 1]);
        $reading = self::CLASSES + ['aliases' => ['Old' => Point::class], 'unknown_class' => 'stdclass'];
        $expected = [new Point(3), new \stdClass()];

        self::assertEquals($expected, (new Migrating([OldFormat::V1, OldFormat::Json], Phase::NewBoth, $reading))->unserialize($v1));
        self::assertEquals($expected, (new Migrating(OldFormat::Php, Phase::NewNew, $reading))->unserialize($bytes));
    }

    public function testBytesChooseOnlyAmongTheNamedFormats(): void
    {
        $reader = new Migrating([OldFormat::Json, OldFormat::V1], Phase::NewBoth, self::CLASSES);

        self::assertSame([1], $reader->unserialize('[1]'));
        self::assertSame([1], $reader->unserialize("\x01\x00\x08\x01\x02"));
        foreach ([\serialize([1]), "\x00\x00\x00\x02\x14\x01\x06\x00\x06\x01", '', "\xc1\x53"] as $bytes) {
            self::assertNotSame('ok', Outcomes::of(static fn(): mixed => $reader->unserialize($bytes)), $bytes);
        }
        self::assertSame('invalid_snapshot@0', Outcomes::of(static fn(): mixed => $reader->unserialize("\x02\x00\x00")), 'a later phpser');
    }

    public function testBrokenOldBytesAreATypedError(): void
    {
        foreach ([[OldFormat::Php, 'a:1:{i:0;'], [OldFormat::Json, '{"a":'], [OldFormat::MessagePack, "\x92\x01"], [OldFormat::V1, "\x01"]] as [$format, $bytes]) {
            $reader = new Migrating($format, Phase::NewBoth, self::CLASSES);
            self::assertNotSame('ok', Outcomes::of(static fn(): mixed => $reader->unserialize($bytes)), $format->value);
        }
    }

    /**
     * @return iterable<string, array{OldFormat, mixed}>
     */
    public static function unserializable(): iterable
    {
        foreach (OldFormat::cases() as $format) {
            if ($format !== OldFormat::Igbinary || \function_exists('igbinary_serialize')) {
                yield "a closure as {$format->value}" => [$format, [1, static fn(): int => 1]];
                yield "an anonymous class as {$format->value}" => [$format, ['a' => new class {}]];
                yield "a reflection as {$format->value}" => [$format, new \ReflectionClass(self::class)];
            }
        }
    }

    #[DataProvider('unserializable')]
    public function testWhatHasNoFormIsATypedErrorInEachFormat(OldFormat $format, mixed $value): void
    {
        $writer = new Migrating($format, Phase::OldBoth, self::CLASSES);
        self::assertStringStartsWith('unsupported_value', Outcomes::of(static fn(): mixed => $writer->serialize($value)));
    }

    /**
     * @return iterable<string, array{OldFormat, string}>
     */
    public static function refusedByPhp(): iterable
    {
        Witness::calls(); // loads the file that has Keeping
        $bytes = [
            'a closure' => ['O:7:"Closure":0:{}', "\x17\x07Closure\x14\0"],
            'an enum as an object' => ['O:' . \strlen(Suit::class) . ':"' . Suit::class . '":0:{}', "\x17" . \chr(\strlen(Suit::class)) . Suit::class . "\x14\0"],
            'a date without its data' => ['O:8:"DateTime":0:{}', "\x17\x08DateTime\x14\0"],
            'another type' => ['O:38:"Polypack\Tests\Support\Snapshot\Point":1:{s:1:"x";s:1:"a";}', "\x17\x26Polypack\Tests\Support\Snapshot\Point\x14\x01\x11\x01x\x11\x01a"],
            'a date in the data of Serializable' => ['C:40:"Polypack\Tests\Support\Snapshot\Keeping":19:{O:8:"DateTime":0:{}}', "\x17\x28Polypack\\Tests\\Support\\Snapshot\\Keeping\x1d\x13O:8:\"DateTime\":0:{}"],
        ];
        foreach ($bytes as $what => [$php, $igbinary]) {
            yield "{$what} as php" => [OldFormat::Php, $php];
            if (\function_exists('igbinary_serialize')) {
                yield "{$what} as igbinary" => [OldFormat::Igbinary, "\0\0\0\x02{$igbinary}"];
            }
        }
    }

    #[DataProvider('refusedByPhp')]
    public function testWhatPhpRefusesToMakeIsATypedError(OldFormat $format, string $bytes): void
    {
        $reader = new Migrating($format, Phase::NewBoth, ['allowed_classes' => ['Closure', Suit::class, 'DateTime', Point::class, Keeping::class]]);
        self::assertSame('invalid_snapshot@0', Outcomes::of(static fn(): mixed => $reader->unserialize($bytes)));
    }

    public function testExceptionsOfHooksComeThrough(): void
    {
        foreach ([OldFormat::V1, OldFormat::Php, OldFormat::Igbinary] as $format) {
            if ($format === OldFormat::Igbinary && !\function_exists('igbinary_serialize')) {
                continue;
            }
            $migrating = new Migrating($format, Phase::OldBoth, ['allowed_classes' => [Throwing::class]]);
            Throwing::$throws = false;
            $bytes = $migrating->serialize(new Throwing());
            Throwing::$throws = true;
            foreach ([static fn(): mixed => $migrating->serialize(new Throwing()), static fn(): mixed => $migrating->unserialize($bytes)] as $call) {
                try {
                    $call();
                    self::fail('no exception');
                } catch (\Exception $error) {
                    self::assertSame('mine', $error->getMessage());
                }
            }
        }
    }

    public function testBytesThatIgbinaryDoesNotWrite(): void
    {
        if (!\function_exists('igbinary_serialize')) {
            self::markTestSkipped('needs igbinary');
        }
        $reader = new Migrating(OldFormat::Igbinary, Phase::NewBoth, self::CLASSES);
        $head = "\0\0\0\x02";
        $deep = \str_repeat("\x14\x01\x06\x00", 513);
        $broken = [
            'an unknown type' => '26', 'a count of more entries than bytes' => '1405', 'a string that was not there' => '0e00',
            'an object without its data' => '17055374616e64' . '05', 'too deep' => \bin2hex($deep . "\x00"), 'a byte too many' => '0000',
        ];
        foreach ($broken as $name => $hex) {
            $bytes = $head . \hex2bin($hex);
            self::assertNull((new IgbinaryScan($bytes))->classes(), $name);
            self::assertSame('invalid_snapshot@0', Outcomes::of(static fn(): mixed => $reader->unserialize($bytes)), $name);
        }
        self::assertSame([], (new IgbinaryScan($head . \substr($deep, 4) . "\x00"))->classes(), 'as deep as it may be');
        $unknown = "{$head}\x22\x05"; // an object that was not there
        self::assertSame([], (new IgbinaryScan($unknown))->classes());
        self::assertSame('invalid_snapshot@0', Outcomes::of(static fn(): mixed => $reader->unserialize($unknown)));
    }

    /**
     * With `unknown_class` = `throw`, an object of a class that isn't allowed is found wherever it is.
     */
    public function testIncompleteObjectsInOldBytesAreFound(): void
    {
        $reader = new Migrating(OldFormat::Php, Phase::NewBoth, ['allowed_classes' => [Point::class, 'stdClass', 'ArrayObject'], 'unknown_class' => 'throw']);
        $shared = [1];
        $point = new Point(1, new Point(2));
        $value = [$point, 5, 'text', $point, (object) ['p' => $point, 'r' => &$shared], &$shared];
        $value[4]->itself = $value[4];
        self::assertEquals($value, $reader->unserialize(\serialize($value)));

        $hidden = new Hooked('h');
        foreach ([[$point, [$hidden]], [(object) ['a' => [$point, (object) ['b' => $hidden]]]], [$point, &$shared, (object) ['r' => &$shared, 'h' => $hidden]]] as $value) {
            self::assertSame('class_not_allowed@0', Outcomes::of(static fn(): mixed => $reader->unserialize(\serialize($value))));
        }
    }

    /**
     * @return list<object> containers of PHP that have an object of a class in their storage
     */
    private static function containers(object $object): array
    {
        $storage = new \SplObjectStorage();
        $storage[$object] = 1;
        $data = new \SplObjectStorage();
        $data[new \stdClass()] = $object;
        $queue = new \SplQueue();
        $queue[] = $object;

        return [$storage, $data, $queue, new \ArrayObject([[$object]]), new \ArrayIterator([$object]), \SplFixedArray::fromArray([$object]), (object) ['p' => [$object]]];
    }

    public function testAClassThatIsNotAllowedIsFoundInContainersOfPhp(): void
    {
        $allowed = \array_map(static fn(object $it): string => $it::class, self::containers(new \stdClass()));
        foreach ([OldFormat::Php, OldFormat::Igbinary] as $format) {
            if ($format === OldFormat::Igbinary && !\function_exists('igbinary_serialize')) {
                continue;
            }
            $reader = static fn(string ...$more): Migrating => new Migrating($format, Phase::NewBoth, ['allowed_classes' => [...$allowed, ...$more], 'unknown_class' => 'throw']);
            foreach (self::containers(new Hooked('h', new Point(1))) as $container) {
                $bytes = $format === OldFormat::Php ? \serialize([$container]) : (string) \igbinary_serialize([$container]);
                Hooked::calls();
                self::assertSame('class_not_allowed@0', Outcomes::of(static fn(): mixed => $reader()->unserialize($bytes)), $container::class);
                self::assertSame('class_not_allowed@0', Outcomes::of(static fn(): mixed => $reader(Point::class)->unserialize($bytes)), $container::class);
                self::assertSame([], Hooked::calls());
                self::assertSame(\serialize([$container]), \serialize($reader(Point::class, Hooked::class)->unserialize($bytes)));
            }
        }
        $missing = \str_replace('Point', 'Plant', \serialize([new Point(1)]));
        $reader = new Migrating(OldFormat::Php, Phase::NewBoth, ['allowed_classes' => [\str_replace('Point', 'Plant', Point::class)], 'unknown_class' => 'throw']);
        self::assertSame('class_not_found@0', Outcomes::of(static fn(): mixed => $reader->unserialize($missing)));
    }

    /**
     * @return iterable<string, array{OldFormat, string, string}> bytes of an ArrayObject that name NAME as the class of
     *                                                            its iterators
     */
    public static function iterators(): iterable
    {
        foreach ([\ArrayObject::class, \ArrayIterator::class, \RecursiveArrayIterator::class, Collection::class] as $class) {
            $start = 'O:' . \strlen($class) . ":\"{$class}\":COUNT:{i:0;i:0;i:1;a:1:{i:0;i:5;}i:2;a:0:{}";
            foreach ([
                'as PHP writes it' => 'i:3;s:LENGTH:"NAME";', 'a key with a sign' => 'i:+3;s:LENGTH:"NAME";', 'a key that is a string' => 's:1:"3";s:LENGTH:"NAME";',
                'a key with an escape' => 'S:1:"\33";s:LENGTH:"NAME";', 'a name with escapes' => 'i:3;S:LENGTH:"ESCAPED";', 'the name twice' => 'i:3;s:LENGTH:"NAME";i:3;s:LENGTH:"NAME";',
            ] as $how => $end) {
                $object = \str_replace('COUNT', $how === 'the name twice' ? '5' : '4', $start) . "{$end}}";
                yield "PHP, {$class}, {$how}" => [OldFormat::Php, $class, $object];
                yield "PHP, {$class}, {$how}, in others" => [OldFormat::Php, $class, "a:2:{i:0;s:10:\"O:1:\"}i:3;\";i:3;O:8:\"stdClass\":1:{s:1:\"p\";{$object}}}"];
            }
            foreach (['06' => '03', '08' => '0003', '0a' => '00000003', '20' => '0000000000000003', '11' => '0133'] as $type => $key) {
                $hex = \bin2hex("\x17" . \chr(\strlen($class)) . $class) . '1404' . '06000600' . '0601140106000605' . '06021400' . $type . $key;
                yield "igbinary, {$class}, key {$type}" => [OldFormat::Igbinary, $class, "\0\0\0\2" . \hex2bin($hex) . "\x11NAME"];
            }
        }
    }

    public function testTheClassOfIteratorsIsNoReferenceInBytesOfIgbinary(): void
    {
        if (!\function_exists('igbinary_serialize')) {
            self::markTestSkipped('needs igbinary');
        }
        $reader = new Migrating(OldFormat::Igbinary, Phase::NewBoth, ['allowed_classes' => ['ArrayObject']]);
        foreach ([1 => ["\x01", "\x22"], 2 => ["\x02", "\x23"], 4 => ["\x03", "\x24"]] as $width => $types) {
            foreach ($types as $type) {
                $bytes = "\0\0\0\2\x14\2\6\0\x25\x11\x07Mislaid\6\1\x17\x0bArrayObject\x14\4\6\0\6\0\6\1\x14\0\6\2\x14\0\6\3{$type}" . \str_pad("\1", $width, "\0", \STR_PAD_LEFT);
                self::assertSame('class_not_allowed@0', Outcomes::of(static fn(): mixed => $reader->unserialize($bytes)), \bin2hex($type));
            }
        }
    }

    #[DataProvider('iterators')]
    public function testTheClassOfIteratorsMustBeAllowedInOldBytes(OldFormat $format, string $class, string $template): void
    {
        if ($format === OldFormat::Igbinary && !\function_exists('igbinary_serialize')) {
            self::markTestSkipped('needs igbinary');
        }
        $bytes = static fn(string $name): string => \str_replace(
            ['LENGTH', 'ESCAPED', 'NAME'],
            [(string) \strlen($name), \implode('', \array_map(static fn(string $byte): string => '\\' . \bin2hex($byte), \str_split($name))), ($format === OldFormat::Igbinary ? \chr(\strlen($name)) : '') . $name],
            $template,
        );
        $loaded = [];
        $autoload = static function (string $name) use (&$loaded): void {
            $loaded = \str_starts_with($name, 'Mislaid') ? [...$loaded, $name] : $loaded;
        };
        \class_exists(Watched::class);
        \spl_autoload_register($autoload, prepend: true);
        try {
            foreach (['incomplete', 'throw'] as $unknown) {
                $reader = static fn(string ...$more): Migrating => new Migrating($format, Phase::NewBoth, ['allowed_classes' => [$class, 'stdClass', ...$more], 'unknown_class' => $unknown]);
                foreach ([Watched::class, 'Mislaid'] as $name) {
                    self::assertSame('class_not_allowed@0', Outcomes::of(static fn(): mixed => $reader()->unserialize($bytes($name))), "{$unknown}, {$name}");
                }
                self::assertSame([], $loaded);
                self::assertSame('class_not_found@0', Outcomes::of(static fn(): mixed => $reader('Mislaid')->unserialize($bytes('Mislaid'))));
                self::assertSame(['Mislaid'], $loaded);
                $loaded = [];
                self::assertSame('ok', Outcomes::of(static fn(): mixed => $reader(Watched::class)->unserialize($bytes(Watched::class))));
            }
        } finally {
            \spl_autoload_unregister($autoload);
        }
    }

    public function testAnEnumMustBeAllowedInBytesOfPhp(): void
    {
        foreach (['incomplete', 'throw'] as $unknown) {
            $reader = static fn(array $allowed): Migrating => new Migrating(OldFormat::Php, Phase::NewBoth, ['allowed_classes' => $allowed, 'unknown_class' => $unknown]);
            foreach ([Suit::Hearts, [1, 'k' => [Suit::Hearts]], new \ArrayObject([Suit::Hearts]), (object) ['p' => Suit::Hearts]] as $value) {
                self::assertSame('class_not_allowed@0', Outcomes::of(static fn(): mixed => $reader(['stdClass', 'ArrayObject'])->unserialize(\serialize($value))));
                self::assertEquals($value, $reader(['stdClass', 'ArrayObject', Suit::class])->unserialize(\serialize($value)));
            }
            $text = 'x:i:0;a:1:{i:0;' . \serialize(Suit::Hearts) . '};m:a:0:{}';
            self::assertSame('class_not_allowed@0', Outcomes::of(static fn(): mixed => $reader(['ArrayObject'])->unserialize('C:11:"ArrayObject":' . \strlen($text) . ":{{$text}}")));
        }
    }

    public function testAClassIsFoundInTheOldFormOfAClassOfPhp(): void
    {
        $text = 'x:i:0;a:1:{i:0;' . \serialize(new Point(1)) . '};m:a:0:{}';
        $bytes = 'C:11:"ArrayObject":' . \strlen($text) . ":{{$text}}";
        $reader = static fn(array $allowed): Migrating => new Migrating(OldFormat::Php, Phase::NewBoth, ['allowed_classes' => $allowed, 'unknown_class' => 'throw']);
        self::assertEquals(new \ArrayObject([new Point(1)]), $reader(['ArrayObject', Point::class])->unserialize($bytes));
        self::assertSame('class_not_allowed@0', Outcomes::of(static fn(): mixed => $reader(['ArrayObject'])->unserialize($bytes)));
    }

    public function testTheOldFormOfAClassOfPhpIsAMismatchInBytesOfIgbinary(): void
    {
        if (!\function_exists('igbinary_serialize')) {
            self::markTestSkipped('needs igbinary');
        }
        $text = 'x:i:0;a:1:{i:0;' . \serialize(new Point(1)) . '};m:a:0:{}';
        foreach ([\ArrayObject::class, Collection::class] as $class) {
            $bytes = "\0\0\0\2\x17" . \chr(\strlen($class)) . "{$class}\x1d" . \chr(\strlen($text)) . $text;
            $reader = new Migrating(OldFormat::Igbinary, Phase::NewBoth, ['allowed_classes' => [$class]]);
            self::assertSame('class_mismatch@0', Outcomes::of(static fn(): mixed => $reader->unserialize($bytes)));
        }
    }

    public function testBytesBehindTheValueAreAnErrorInOldFormats(): void
    {
        $values = [null, true, false, 5, -1.5, 'O:3:"Foo":0:{}', '', [], ['a' => [1, [false]]], new Point(1), [new Hooked('h')], Suit::Hearts, new \ArrayObject([1]), new \DateTime('2026-01-01 UTC')];
        $reading = ['allowed_classes' => [Point::class, Hooked::class, Suit::class, 'ArrayObject', 'DateTime']];
        $formats = [[OldFormat::Php, \serialize(...)]];
        if (\function_exists('igbinary_serialize')) {
            $formats[] = [OldFormat::Igbinary, static fn(mixed $value): string => (string) \igbinary_serialize($value)];
        }
        foreach ($formats as [$format, $write]) {
            foreach ($values as $value) {
                foreach ([$reading, $reading + ['unknown_class' => 'throw']] as $options) {
                    $reader = new Migrating($format, Phase::NewBoth, $options);
                    $bytes = $write($value);
                    self::assertEquals($value, $reader->unserialize($bytes));
                    Hooked::calls();
                    foreach ([';', '}', "\0", ' ', 'garbage', 'i:5;', $bytes, 'E:1:"A:B";', 'O:1:"'] as $more) {
                        $expected = $format === OldFormat::Php ? 'trailing_data@' . \strlen($bytes) : 'invalid_snapshot@0';
                        self::assertSame($expected, Outcomes::of(static fn(): mixed => $reader->unserialize($bytes . $more)), $bytes . $more);
                    }
                    self::assertSame([], Hooked::calls());
                }
            }
        }
    }

    public function testTheScanFindsTheEndAndTheClassesOfWhatPhpWrites(): void
    {
        $value = [new Point(1), [Suit::Hearts, new Person('Ann', 1, [], Suit::Spades)], new \ArrayObject([new \DateTimeImmutable('2026-01-01')]), -5, 1e300, -\INF, \NAN, 'O:3:"Foo":0:{}'];
        $scan = new PhpScan($bytes = \serialize($value));
        self::assertSame(\strlen($bytes), $scan->end());
        self::assertEqualsCanonicalizing([Point::class, Person::class, 'ArrayObject', 'DateTimeImmutable'], $scan->classes());
        self::assertSame([Suit::class], $scan->enums());
        $random = new RandomGraphs(4);
        for ($i = 0; $i < 200; ++$i) {
            $bytes = \serialize($random->next());
            self::assertSame(\strlen($bytes), (new PhpScan("{$bytes}i:5;"))->end(), $bytes);
            self::assertNull((new PhpScan(\substr($bytes, 0, -1)))->end(), $bytes);
        }
        foreach (['', '}', 'i:5', 's:5:"abc";', 's:99999999999999999999:"";', 'S:1:"\3";', 'S:9:"a";', 'O:1:"A"', 'O:1:"A":0:', 'C:1:"A":5:{}', 'C:1:"A":0:{', 'x:5;', 'E:1:"A"', 'a:1:{i:0;', 'b:2;'] as $bytes) {
            self::assertNull((new PhpScan($bytes))->end(), $bytes);
        }
    }

    public function testWhatAnOldFormatWouldLoseIsAnError(): void
    {
        foreach ([OldFormat::Json, OldFormat::MessagePack] as $format) {
            $writer = new Migrating($format, Phase::OldBoth, self::CLASSES);
            self::assertSame('unsupported_value', Outcomes::of(static fn(): mixed => $writer->serialize(['x' => new Point(1)])));
        }
    }

    public function testTheScanFindsWhatIgbinaryWouldMake(): void
    {
        if (!\function_exists('igbinary_serialize')) {
            self::markTestSkipped('needs igbinary');
        }
        $value = [new Point(1), [Suit::Hearts, new Person('Ann', 1, [], Suit::Spades)], new \ArrayObject([new \DateTimeImmutable('2026-01-01')]), -5, 70_000, 1.5, \PHP_INT_MIN, '', 'text', 'text'];
        $classes = (new IgbinaryScan(\igbinary_serialize($value) ?? ''))->classes();
        self::assertEqualsCanonicalizing([Point::class, Suit::class, Person::class, 'ArrayObject', 'DateTimeImmutable'], $classes);
        $random = new RandomGraphs(4);
        for ($i = 0; $i < 200; ++$i) {
            $bytes = \igbinary_serialize($random->next()) ?? '';
            self::assertIsArray((new IgbinaryScan($bytes))->classes(), \bin2hex($bytes));
            self::assertNull((new IgbinaryScan(\substr($bytes, 0, -1)))->classes());
        }
    }

    public function testAnInspectorMakesNothing(): void
    {
        Hooked::calls();
        $signed = Codec::serializeSigned(['big' => \str_repeat('x', 100), 'h' => new Hooked('h'), 'n' => 1], new KeyRing(['k1' => \str_repeat('k', 32)]));
        Hooked::calls();
        $about = Inspector::describe($signed);
        self::assertSame([], Hooked::calls());
        self::assertSame('signed', $about['format']);
        self::assertSame('k1', $about['key']);
        $payload = $about['payload'];
        self::assertIsArray($payload);
        self::assertSame(['snapshot', 'array', 3, [Hooked::class]], [$payload['format'], $payload['kind'], $payload['count'], $payload['classes']]);
        self::assertIsArray($payload['parts']);
        self::assertSame(['big', 'h', 'n'], \array_keys($payload['parts']));
        self::assertSame(102, $payload['parts']['big']);
        self::assertSame("format: snapshot\nbytes: 13\nkind: array\ncount: 1\nparts:\n  a: 5\nclasses: none\n", Inspector::text(Codec::serialize(['a' => \PHP_INT_MAX >> 32])));
        self::assertStringContainsString('at byte 4', Inspector::text("\xc1\x53\x01\x00\x45"));
        foreach ([['igbinary', "\0\0\0\x02\0"], ['php', 'N;'], ['unknown', 'x'], ['MessagePack with a dictionary', "\xc1\x50"]] as [$format, $bytes]) {
            self::assertSame($format, Inspector::describe($bytes)['format']);
        }
    }

    public function testAnInspectorOpensOnlySoManyEnvelopes(): void
    {
        $envelope = "\xc1\x45" . \str_repeat("\0", 53);
        $bytes = \str_repeat($envelope, 50_000);
        \memory_reset_peak_usage();
        $before = \memory_get_usage();
        $about = Inspector::describe($bytes);
        self::assertLessThan(2 * \strlen($bytes), \memory_get_peak_usage() - $before);
        for ($i = 0; $i < 8; ++$i) {
            self::assertSame(['signed', 55 * (50_000 - $i), ''], [$about['format'], $about['bytes'], $about['key']]);
            self::assertIsArray($about = $about['payload']);
        }
        self::assertSame(['format' => 'signed', 'bytes' => 55 * 49_992, 'error' => 'more than 8 envelopes, one in the other'], $about);
        self::assertStringContainsString('error: more than 8 envelopes', Inspector::text($bytes));
        $text = Inspector::text(\str_repeat($envelope, 8) . Codec::serialize(true));
        self::assertStringEndsWith("kind: bool\n" . \str_repeat(' ', 16) . "classes: none\n", $text);

        foreach (["\xc1\x45", \substr($envelope, 0, 22) . "\xff", \substr($envelope, 0, 22) . "\x02ab" . \substr($envelope, 23)] as $i => $part) {
            $about = Inspector::describe($part);
            self::assertSame(['signed', \strlen($part), ['', '', 'ab'][$i]], [$about['format'], $about['bytes'], $about['key']]);
            self::assertSame(['format' => 'unknown', 'bytes' => 0], $about['payload']);
        }
    }

    public function testAnInspectorMeasuresOnlySoMuch(): void
    {
        $shared = (object) ['text' => \str_repeat('x', 100_000)];
        $about = Inspector::describe(Codec::serialize(\array_fill(0, 1000, $shared)));
        self::assertSame([1000, 824], [$about['count'], $about['unmeasured'] ?? null]);
        self::assertIsArray($about['parts']);
        self::assertSame(\array_fill(0, 20, \strlen(Codec::serialize($shared)) - 4), $about['parts']);

        $about = Inspector::describe(Codec::serialize(\array_fill(0, 100, $shared)));
        self::assertArrayNotHasKey('unmeasured', $about);
    }

    public function testThePayloadMakesUpNoLines(): void
    {
        $head = "\xc1\x45" . \str_repeat("\0", 20) . "\x09k\nkind: x" . \str_repeat("\0", 32);
        $named = ClassesTest::renamed(Codec::serialize(["\e[2J\u{9b}" => new \stdClass()]), 'stdClass', "A\nkind: x");
        $expected = "format: signed\nbytes: 92\nkey: k\\x0akind: x\npayload:\n  format: snapshot\n  bytes: 28\n  kind: array\n"
            . "  count: 1\n  parts:\n    \\x1b[2J\\xc2\\x9b: 15\n  classes: A\\x0akind: x\n";
        self::assertSame($expected, Inspector::text($head . $named));
    }

    /**
     * @param array<string, int> $counts
     *
     * @return array<string, int>
     */
    private static function sorted(array $counts, OldFormat $format): array
    {
        return ['snapshot' => $counts['snapshot'] ?? 0, $format->value => $counts[$format->value] ?? 0];
    }
}

final class Throwing
{
    public static bool $throws = false;

    /**
     * @return array<array-key, mixed>
     */
    public function __serialize(): array
    {
        return self::$throws ? throw new \Exception('mine') : [];
    }

    /**
     * @param array<array-key, mixed> $data
     */
    public function __unserialize(array $data): void
    {
        self::$throws && throw new \Exception('mine');
    }
}
