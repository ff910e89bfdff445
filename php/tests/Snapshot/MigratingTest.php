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
use Polypack\Snapshot\OldFormat;
use Polypack\Snapshot\Phase;
use Polypack\Tests\Support\Snapshot\Codec;
use Polypack\Tests\Support\Snapshot\Hooked;
use Polypack\Tests\Support\Snapshot\Outcomes;
use Polypack\Tests\Support\Snapshot\Person;
use Polypack\Tests\Support\Snapshot\Point;
use Polypack\Tests\Support\Snapshot\RandomGraphs;
use Polypack\Tests\Support\Snapshot\Suit;

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
     * @return iterable<string, array{OldFormat|non-empty-list<OldFormat>, array<string, mixed>, array<string, mixed>,
     *     string}>
     */
    public static function refusedOptions(): iterable
    {
        yield 'a misspelt option for reading' => [OldFormat::Php, ['unknown_clas' => 'throw'], [], '"unknown_clas"'];
        yield 'a wrong value for reading' => [OldFormat::Json, ['unknown_class' => 'thrown'], [], 'unknown_class'];
        yield 'a wrong limit' => [OldFormat::Php, ['max_depth' => '5'], [], 'max_depth'];
        yield 'a misspelt option for writing' => [OldFormat::Php, [], ['float' => 'raw'], '"float"'];
        yield 'an option of reading for writing' => [OldFormat::V1, [], ['allowed_classes' => []], '"allowed_classes"'];
        yield 'aliases' => [OldFormat::Php, ['aliases' => ['Old' => Point::class]], [], 'aliases must be left out while OldFormat::Php'];
        yield 'stdclass' => [OldFormat::Php, ['unknown_class' => 'stdclass'], [], 'unknown_class must be incomplete or throw while OldFormat::Php'];
        yield 'aliases, and the second of two formats' => [[OldFormat::Json, OldFormat::Php], ['aliases' => ['Old' => Point::class]], [], 'aliases'];
        if (\function_exists('igbinary_serialize')) {
            yield 'aliases with igbinary' => [OldFormat::Igbinary, ['aliases' => ['Old' => Point::class]], [], 'OldFormat::Igbinary'];
            yield 'stdclass with igbinary' => [OldFormat::Igbinary, ['unknown_class' => 'stdclass'], [], 'OldFormat::Igbinary'];
        }
    }

    /**
     * @param OldFormat|non-empty-list<OldFormat> $old
     * @param array<string, mixed>                $reading
     * @param array<string, mixed>                $writing
     */
    #[DataProvider('refusedOptions')]
    public function testOptionsThatWouldBeIgnoredAreRefused(OldFormat|array $old, array $reading, array $writing, string $message): void
    {
        $this->expectException(InvalidOptionException::class);
        $this->expectExceptionMessage($message);
        new Migrating($old, Phase::OldBoth, self::CLASSES + $reading, $writing);
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
