<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Polypack\Native\Engine;
use Polypack\Snapshot\Format;
use Polypack\Snapshot\Serializer;
use Polypack\Tests\Support\Snapshot\Evolution;
use Polypack\Tests\Support\Snapshot\Hooked;
use Polypack\Tests\Support\Snapshot\Legacy;
use Polypack\Tests\Support\Snapshot\Loose;
use Polypack\Tests\Support\Snapshot\Outcomes;
use Polypack\Tests\Support\Snapshot\Person;
use Polypack\Tests\Support\Snapshot\Point;
use Polypack\Tests\Support\Snapshot\RandomGraphs;
use Polypack\Tests\Support\Snapshot\Sleeper;
use Polypack\Tests\Support\Snapshot\Sleepless;
use Polypack\Tests\Support\Snapshot\Suit;

/**
 * The extension and the PHP code give the same snapshots, values and errors. Run by `make test-ext`.
 */
#[RequiresPhpExtension('polypack')]
final class ExtensionTest extends TestCase
{
    private const VALUES = 400;
    private const MUTATIONS = 1500;

    /** Options of writing, and those of reading with the same limits. */
    private const OPTIONS = [[], ['floats' => 'raw'], ['floats' => 'decimal'], ['max_elements' => 60], ['max_elements' => 0], ['max_depth' => 3]];

    private ?bool $before;

    protected function setUp(): void
    {
        $this->before = Engine::$isActive;
    }

    protected function tearDown(): void
    {
        Engine::$isActive = $this->before;
    }

    public function testTheConstantsInCAreThoseOfTheFormat(): void
    {
        \preg_match_all('/^#define SNAPSHOT_(\w+) ((?:0x)?[0-9a-f]+)$/m', (string) \file_get_contents(__DIR__ . '/../../../ext/src/snapshot/format.h'), $found, \PREG_SET_ORDER);
        $constants = [];
        foreach ($found as [, $name, $number]) {
            $constants[$name] = \intval($number, 0);
        }
        $compared = 0;
        foreach ((new \ReflectionClass(Format::class))->getConstants() as $name => $number) {
            if (isset($constants[$name])) {
                self::assertSame($number, $constants[$name], $name);
                ++$compared;
            }
        }
        self::assertGreaterThan(55, $compared);
    }

    public function testVectors(): void
    {
        $random = new RandomGraphs(1);
        foreach (VectorsTest::cases() as $name => [$room, $case]) {
            if ($room !== 'v1' && $room !== 'signed') {
                $bytes = (string) \hex2bin($case['bytes']);
                self::read($bytes, $room === 'invalid' ? $case['options'] ?? [] : [], $name);
                self::read($bytes, ['allowed_classes' => false], $name);
                self::read($bytes, ['allowed_classes' => ['stdclass', Suit::class], 'unknown_class' => 'stdclass'], $name);
                if ($room === 'values' || $room === 'accepted') {
                    self::read($random->changed($bytes), [], $name);
                    self::write(Serializer::unserialize($bytes), [], $name);
                }
            }
        }
        $this->addToAssertionCount(1); // the others are within outcomes
    }

    public function testEvolution(): void
    {
        $before = \polypack_stats()['snapshotsRead'];
        foreach (VectorsTest::cases() as $name => [$room, $case]) {
            if ($room !== 'evolution') {
                continue;
            }
            $space = $case['space'] ?? '';
            Evolution::run("Polypack\\New\\{$space}", ($case['new'] ?? '') . ' return null;');
            Engine::$isActive = false;
            $expected = Evolution::outcomes($space, (string) \hex2bin($case['bytes']));
            Engine::$isActive = true;
            self::assertSame($expected, Evolution::outcomes($space, (string) \hex2bin($case['bytes'])), $name);
        }
        self::assertGreaterThan(90, \polypack_stats()['snapshotsRead'] - $before, 'what is no mismatch is read in C');
    }

    public function testRandomData(): void
    {
        $before = \polypack_stats();
        $random = new RandomGraphs(21, false);
        for ($i = 0; $i < self::VALUES; ++$i) {
            $value = $random->next();
            $options = self::OPTIONS[$i % \count(self::OPTIONS)];
            $bytes = self::write($value, $options, "value {$i}");
            if ($bytes !== null) {
                unset($options['floats']);
                self::read($bytes, $options, "value {$i}");
            }
        }
        $after = \polypack_stats();
        self::assertGreaterThan(self::VALUES * 3 / 4, $after['snapshotsWritten'] - $before['snapshotsWritten']);
        self::assertSame($after['snapshotsWritten'] - $before['snapshotsWritten'], $after['snapshotsRead'] - $before['snapshotsRead'], 'data are never declined');
    }

    public function testRandomGraphs(): void
    {
        $before = \polypack_stats();
        $random = new RandomGraphs(22, hasHooks: true);
        for ($i = 0; $i < self::VALUES / 2; ++$i) {
            $bytes = self::write($random->next(), [], "value {$i}");
            self::assertNotNull($bytes);
            self::read($bytes, [], "value {$i}");
        }
        self::assertSame(\intdiv(self::VALUES, 2), \polypack_stats()['snapshotsWritten'] - $before['snapshotsWritten'], 'all are written in C');
        self::assertGreaterThan(self::VALUES / 4, \polypack_stats()['snapshotsRead'] - $before['snapshotsRead'], 'most objects are read in C');
    }

    public function testObjectsAreReadInC(): void
    {
        $point = new Point(1);
        $point->next = $point;
        $late = (new Person('late', 5))->remember([$point]);
        $late->late = 'there';
        $typed = new Point(2);
        unset($typed->next);
        $legacy = new Legacy();
        $legacy->text = 'old';
        $referring = [new Person('a'), new Person('b')];
        $referring[0]->anything = &$referring[1]->tags;
        $rows = \array_map(static fn(int $i): Hooked => new Hooked("row {$i}", $i), \range(1, 9));
        $pointing = \array_map(static fn(int $i): Point => new Point(1000 * $i), \range(1, 9));
        $pointing[0]->next = $pointing[8];
        $pointing[8]->next = $pointing[3];
        $cases = [
            'a cycle' => $point, 'no value' => [$typed, new Person('p')], 'private ones of ancestors' => $late, 'Serializable' => $legacy,
            'chosen by __sleep' => [(new Sleeper())->set(7), new Sleeper()], 'a hook' => new Hooked('h', [new Hooked('i')]), 'rows with hooks' => $rows,
            'a reference to a typed property' => $referring, 'rows that point at others' => $pointing, 'a case' => [Suit::Hearts, [Suit::Spades]],
            'dates' => [new \DateTimeImmutable('2024-02-29'), new \DateTime('@5'), new \DateInterval('P1D'), new \DateTimeZone('Europe/Paris')],
            'of PHP' => [new \ArrayObject(['a' => 1]), new \SplObjectStorage(), new \SplStack()], 'a stdClass' => (object) ['a' => new \stdClass(), '5' => 1],
        ];
        $read = \polypack_stats()['snapshotsRead'];
        foreach ($cases as $name => $value) {
            $bytes = self::write($value, [], $name);
            self::assertNotNull($bytes);
            self::assertSame('ok', self::read($bytes, [], $name));
            self::assertSame('ok', self::read($bytes, ['allowed_classes' => true, 'on_mismatch' => 'default'], $name));
        }
        self::assertSame(2 * \count($cases), \polypack_stats()['snapshotsRead'] - $read);
    }

    public function testWhatHasNoValueIsAskedOfMagicOnlyIfItWasUnset(): void
    {
        $name = self::withMagic();
        $unset = new $name();
        unset($unset->untyped, $unset->withDefault);
        $bytes = Serializer::serialize($unset);
        $answers = [];
        foreach ([false, true] as $isActive) {
            Engine::$isActive = $isActive;
            $back = Serializer::unserialize($bytes);
            self::assertInstanceOf($name, $back);
            $answers[] = \array_map(static function (string $property) use ($back): mixed {
                try {
                    return $back->{$property}; // @phpstan-ignore property.notFound, property.notFound, property.notFound
                } catch (\Error $error) { // @phpstan-ignore catch.neverThrown
                    return $error->getMessage();
                }
            }, ['untyped', 'withDefault', 'typed']);
        }
        self::assertSame(['magic', 7], \array_slice($answers[0], 0, 2));
        self::assertSame($answers[0], $answers[1]);
    }

    /**
     * @return class-string
     */
    private static function withMagic(): string
    {
        $name = Evolution::run('Polypack\Tests\Magic', 'class Magic { public $untyped = 1; public int $typed; public int $withDefault = 1;'
            . ' public function __get(string $name): mixed { return $name === "untyped" ? "magic" : 7; } } return Magic::class;');
        self::assertIsString($name);
        self::assertTrue(\class_exists($name));

        return $name;
    }

    public function testAutoloadersAreAskedOnce(): void
    {
        $asked = [];
        $loader = static function (string $class) use (&$asked): void {
            $asked[] = $class;
        };
        \spl_autoload_register($loader);
        try {
            $gone = "\xcf\x44Gone\x00\x00\x00\x00";
            $there = \substr(Serializer::serialize(new Point(1)), 4);
            foreach (["\x82{$gone}\x60", "\x82{$there}{$gone}", "\x83{$there}{$gone}", "\x81{$gone}\x00"] as $body) {
                $asked = [];
                Engine::$isActive = true;
                Outcomes::of(static fn(): mixed => Serializer::unserialize("\xc1\x53\x01\x00{$body}"));
                self::assertSame(['Gone'], $asked, \bin2hex($body));
            }
        } finally {
            \spl_autoload_unregister($loader);
        }
    }

    public function testAnErrorOfAnAutoloaderComesThrough(): void
    {
        $calls = 0;
        $loader = static function () use (&$calls): void {
            ++$calls;
            throw new \DomainException('no');
        };
        \spl_autoload_register($loader);
        try {
            Engine::$isActive = true;
            Serializer::unserialize("\xc1\x53\x01\x00\x82" . \substr(Serializer::serialize(new Hooked('h')), 4) . "\xd2\x44Gone\x41A");
            self::fail('no error');
        } catch (\DomainException) {
            self::assertSame(1, $calls);
        } finally {
            \spl_autoload_unregister($loader);
        }
    }

    public function testChangedGraphs(): void
    {
        $random = new RandomGraphs(24, hasHooks: true);
        $failures = 0;
        $modes = [[], ['on_mismatch' => 'default'], ['on_mismatch' => 'miss'], ['allowed_classes' => [Point::class, 'stdClass']], ['unknown_class' => 'throw']];
        for ($i = 0; $i < self::MUTATIONS; ++$i) {
            $bytes = $random->changed(Serializer::serialize($random->next()));
            $failures += self::read($bytes, $modes[$i % \count($modes)] + ['max_elements' => 5000], \bin2hex($bytes)) === 'ok' ? 0 : 1;
        }
        self::assertGreaterThan(self::MUTATIONS / 3, $failures);
    }

    public function testPlainObjectsAreWrittenInC(): void
    {
        $before = \polypack_stats();
        $point = new Point(1);
        $point->next = $point;
        $number = 5;
        $holes = (object) ['a' => 1, 'b' => 2, 'c' => 3];
        unset($holes->b);
        $rows = \array_map(static fn(int $i): object => (object) ['id' => 100 * $i, 'name' => "name {$i}", '5' => null], \range(1, 20));
        $referring = \array_map(static fn(int $i): object => (object) ['id' => 100 * $i, 'to' => $i], \range(1, 8));
        $referring[3]->to = &$referring[5]->to;
        $points = \array_map(static fn(int $i): Point => new Point($i), \range(1, 9));
        $cases = [
            'a cycle' => $point, 'none' => new \stdClass(), 'holes' => [$holes, (object) ['a' => 1, 'c' => 3], $holes], 'rows' => $rows,
            'a row before' => [$rows[7], $rows], 'rows twice' => [$rows, $rows], 'one row' => \array_fill(0, 6, $rows[0]),
            'references' => $referring, 'rows that cost nothing' => \array_map(static fn(): object => (object) ['a' => 1], \range(1, 9)),
            'dates' => [new \DateTimeImmutable('2024-02-29'), new \DateTimeImmutable('2024-03-01'), [new \DateTimeZone('UTC')], new \DateInterval('P1D')],
            'of PHP' => [new \ArrayObject(['a' => $point]), new \ArrayObject([&$number, 1]), &$number, new \SplObjectStorage(), new \SplStack()],
            'a class' => $points, 'two classes' => [...$points, ...$rows], 'in a map' => ['x' => $points[0], 7 => $rows, 9 => $points],
        ];
        foreach ($cases as $name => $value) {
            $bytes = self::write($value, [], $name);
            self::assertNotNull($bytes);
            self::read($bytes, [], $name);
        }
        self::assertSame(\count($cases), \polypack_stats()['snapshotsWritten'] - $before['snapshotsWritten']);
    }

    public function testObjectsWithHooksAreWrittenInC(): void
    {
        $before = \polypack_stats();
        $number = 1;
        $typed = new Point(2);
        unset($typed->next);
        $legacy = new Legacy();
        $legacy->text = 'bytes';
        $shared = new Hooked('shared', [&$number]);
        $sleeper = (new Sleeper())->set(7);
        $late = (new Person('late', 5))->remember([$shared, &$number]);
        $late->late = 'there';
        $cases = [
            'dynamic' => [Loose::with('more', 1), Loose::with('more', [2]), Loose::with('5', [&$number, &$number]), new Loose()], 'no value' => [$typed, new Point(1), clone $typed],
            'a hook' => new Hooked('h', ['a' => [1, 2]]), 'again' => [$shared, [$shared], 'x' => new Hooked('i', $shared), &$number],
            'old hooks' => [$legacy, new Legacy(), $legacy], '__sleep' => [$sleeper, new Sleeper(), $sleeper],
            'rows' => \array_map(static fn(int $i): object => $i % 2 === 0 ? new Person("p{$i}", $i) : new Person('q', $i), \range(1, 9)),
            'rows of __sleep' => \array_map(static fn(int $i): object => (new Sleeper())->set(100 * $i), \range(1, 9)),
            'rows with dynamic ones' => \array_map(static fn(int $i): object => Loose::with('more', 300 * $i), \range(1, 9)),
            'rows of two kinds' => \array_map(static fn(int $i): object => Loose::with($i < 5 ? 'more' : 'less', 300 * $i), \range(1, 9)),
            'private ones of ancestors' => [$late, [new Person('x')]], 'a typed reference' => [&$late->tags, $late],
        ];
        foreach ($cases as $name => $value) {
            $bytes = self::write($value, [], $name);
            self::assertNotNull($bytes);
            self::read($bytes, [], $name);
        }
        self::assertSame(\count($cases), \polypack_stats()['snapshotsWritten'] - $before['snapshotsWritten']);
    }

    public function testOtherObjectsAreLeftToThePhpCode(): void
    {
        $before = \polypack_stats();
        foreach ([new \RuntimeException('r'), new class {}, static fn(): int => 1, [new Point(1), new Hooked('h', static fn(): int => 1)]] as $i => $value) {
            self::write($value, [], "value {$i}");
        }
        self::assertSame($before['snapshotsWritten'], \polypack_stats()['snapshotsWritten']);
    }

    public function testHooksOfWritingAreCalledOnceWhateverTheEngineLeaves(): void
    {
        $values = [
            'all is well' => [new Hooked('a'), new Hooked('b')], 'a closure behind' => [new Hooked('a'), [new Hooked('b', static fn(): int => 1)]],
            'uncommon behind' => [new Hooked('a'), new \ErrorException('e'), new Hooked('b')], 'too deep' => [new Hooked('a'), [[[[new Hooked('b')]]]]],
        ];
        foreach ($values as $name => $value) {
            $calls = [];
            foreach ([false, true] as $isActive) {
                Engine::$isActive = $isActive;
                Hooked::calls();
                $outcome = Outcomes::of(static fn(): mixed => Serializer::serialize($value, ['max_depth' => 5]));
                $calls[] = [...Hooked::calls(), $outcome];
            }
            self::assertSame($calls[0], $calls[1], $name);
            self::assertSame(\count(\array_unique($calls[1])), \count($calls[1]), $name);
        }
    }

    public function testAnswersOfSleepThatAreWrong(): void
    {
        foreach ([null, 5, [], ['a'], ['a', 'a'], ['gone'], [5], ['a', "\0*\0a"], ["\0" . Sleepless::class . "\0a"]] as $i => $answer) {
            Sleepless::$answer = $answer;
            $warnings = [[], []];
            $bytes = [];
            foreach ([false, true] as $isActive) {
                Engine::$isActive = $isActive;
                \set_error_handler(static function (int $level, string $text) use (&$warnings, $isActive): bool {
                    $warnings[(int) $isActive][] = $text;

                    return true;
                });
                try {
                    $bytes[] = \bin2hex(Serializer::serialize([new Sleepless(), new Sleepless()]));
                } finally {
                    \restore_error_handler();
                }
            }
            self::assertSame($warnings[0], $warnings[1], "answer {$i}");
            self::assertSame($bytes[0], $bytes[1], "answer {$i}");
        }
    }

    /**
     * What hooks may do to the value that they are part of.
     *
     * @return iterable<string, array{\Closure(array<array-key, mixed>): void}>
     */
    public static function meddling(): iterable
    {
        yield 'grows' => [static function (array &$value): void {
            $value[] = 'more';
            $value['list'][] = 'more';
        }];
        yield 'grows by an object' => [static function (array &$value): void {
            $value['list'][] = new Point(7);
        }];
        yield 'grows by a hook' => [static function (array &$value): void {
            $value['list'][] = new Hooked('late');
        }];
        yield 'empties' => [static function (array &$value): void {
            $value['list'] = null;
            $value = [];
        }];
        yield 'unsets objects' => [static function (array &$value): void {
            unset($value['list'][0], $value['a'], $value['object']->next);
        }];
        yield 'changes properties' => [static function (array &$value): void {
            \assert(isset($value['object'], $value['dynamic']) && $value['object'] instanceof Point && $value['dynamic'] instanceof Loose);
            $value['object']->x += 1;
            $value['dynamic']->declared = 7;
            $value['object']->next = new Point(8);
        }];
        yield 'refers to itself' => [static function (array &$value): void {
            $value['list']['self'] = &$value['list'];
        }];
        yield 'refers to what was there' => [static function (array &$value): void {
            $value['list'][] = &$value['name'];
            $value['more'] = &$value['name'];
        }];
        yield 'replaces references' => [static function (array &$value): void {
            $new = ['new'];
            $value['list'] = &$new;
            \gc_collect_cycles();
            $other = \range(1, 20);
            $value['name'] = &$other;
        }];
        yield 'throws' => [static fn(array &$value) => throw new \DomainException('no')];
        yield 'serializes it' => [static function (array &$value): void {
            Serializer::serialize($value['object'] ?? null);
        }];
    }

    /**
     * @param \Closure(array<array-key, mixed>): void $meddle
     */
    #[DataProvider('meddling')]
    public function testHooksThatChangeWhatIsBeingWritten(\Closure $meddle): void
    {
        $outcomes = [];
        foreach ([false, true] as $isActive) {
            Engine::$isActive = $isActive;
            $name = \str_repeat('name', 3);
            $list = [new Point(1), [new Hooked('inner')], $name];
            $value = ['name' => &$name, 'before' => &$name, 'list' => &$list, 'object' => new Point(5, new Point(6)), 'dynamic' => Loose::with('more', [1]), 'a' => new Hooked('a'), 'b' => new Hooked('b', [&$list]), 'std' => (object) ['x' => &$name, 'y' => 1], 'end' => &$list];
            $value['self'] = &$value;
            Hooked::$then = static function (string $call) use (&$value, $meddle): void {
                if (\str_starts_with($call, 'write')) {
                    $meddle($value);
                }
            };
            $bytes = '';
            try {
                $outcomes[] = Outcomes::of(static function () use (&$bytes, &$value): void {
                    $bytes = \bin2hex(Serializer::serialize($value));
                }) . " {$bytes}";
            } catch (\DomainException $error) {
                $outcomes[] = $error->getMessage();
            } finally {
                Hooked::$then = null;
            }
            unset($value, $list, $name);
            \gc_collect_cycles();
        }
        self::assertSame($outcomes[0], $outcomes[1]);
    }

    public function testMoreNamesThanAShapeHas(): void
    {
        $names = \array_map(static fn(int $i): string => "p{$i}", \range(1, 300));
        $made = Evolution::run('Polypack\Tests', 'class Wide { public $' . \implode(', $', $names) . ';'
            . ' public static function few() { $few = new static(); foreach (get_class_vars(self::class) as $name => $_) { if ($name !== "p5") { unset($few->{$name}); } else { $few->{$name} = 5; } } return $few; } }'
            . ' class WideSleeper extends Wide { public function __sleep(): array { return array_keys(get_object_vars($this)); } }'
            . ' return [[new Wide(), Wide::few()], [new WideSleeper(), WideSleeper::few()]];');
        self::assertIsArray($made);
        foreach ($made as $value) {
            self::assertIsArray($value);
            $bytes = self::write($value, [], 'wide');
            self::assertNotNull($bytes);
            self::assertSame('ok', self::read($bytes, [], 'wide'));
            $back = Serializer::unserialize($bytes);
            self::assertIsArray($back);
            self::assertEquals($value[0], $back[0]);
            self::assertSame(5, ((array) $back[1])['p5'] ?? null);
        }
    }

    public function testChangedBytes(): void
    {
        $random = new RandomGraphs(23, false);
        $failures = 0;
        for ($i = 0; $i < self::MUTATIONS; ++$i) {
            $bytes = $random->changed(Serializer::serialize($random->next()));
            $failures += self::read($bytes, ['max_elements' => 5000, 'max_depth' => 20], \bin2hex($bytes)) === 'ok' ? 0 : 1;
        }
        self::assertGreaterThan(self::MUTATIONS / 3, $failures);
        self::assertLessThan(self::MUTATIONS, $failures);
    }

    public function testEachPrefixOfAValue(): void
    {
        $rows = \array_map(static fn(int $i): array => ['id' => $i, 'name' => "name {$i}", 'tags' => ['a', 'b'], 'more' => [$i => [1.5, null]]], \range(1, 20));
        $bytes = Serializer::serialize(['rows' => $rows, 'map' => [5 => &$rows, 7 => &$rows, 'x' => \range(1, 40)]]);
        for ($i = 0, $length = \strlen($bytes); $i < $length; ++$i) {
            self::assertStringStartsWith('unexpected_end@', self::read(\substr($bytes, 0, $i), [], "{$i} bytes"));
        }
    }

    public function testKeysThatCollideCountTheSame(): void
    {
        $keys = [];
        for ($i = 0; $i < 300; ++$i) {
            $keys[] = $i << 20; // all in one bucket
        }
        $bytes = Serializer::serialize(\array_fill_keys($keys, 'x'));
        $comparisons = 300 * 299 / 2;
        self::assertSame('ok', self::read($bytes, ['max_collisions' => $comparisons], 'enough'));
        self::assertSame('limit_exceeded@4', self::read($bytes, ['max_collisions' => $comparisons - 1], 'too few'));
        self::assertSame('ok', self::read(Serializer::serialize(\array_fill_keys(\range(1, 5001, 2), 'x')), ['max_collisions' => 0], 'none'));
    }

    public function testHashesOfKeysAreFoundByContentWhenTheyCollide(): void
    {
        $value = [];
        for ($i = 0; $i < 2 ** 10; ++$i) {
            $key = \strtr(\sprintf('%010b', $i), ['0' => 'Ez', '1' => 'FY']); // both have the same hash in PHP
            $value[] = [[$key => $key], [$key => $i]];
        }
        self::write($value, [], 'colliding keys');
        $this->addToAssertionCount(1);
    }

    public function testArraysWithHolesAndReferencesOfOne(): void
    {
        $list = \range(0, 20);
        unset($list[3]);
        $rows = \array_map(static fn(int $i): array => ['gone' => 1, 'a' => $i, 'b' => 'x'], \range(1, 9));
        foreach ($rows as &$row) {
            unset($row['gone']);
            foreach ($row as &$cell) {
            }
        }
        unset($row, $cell);
        $again = [$rows, $list, $rows];
        $end = &$again[1][20];
        self::write($again, [], 'holes');
        $same = [['t' => ['a', &$end]], ['t' => ['a', &$end]], ['t' => ['a', $end]], ['t' => ['a', $end]]];
        self::write($same, [], 'references where arrays are the same');
        $this->addToAssertionCount(1);
    }

    /**
     * @param array<string, mixed> $options
     */
    private static function write(mixed $value, array $options, string $message): ?string
    {
        $bytes = $outcomes = [];
        foreach ([false, true] as $isActive) {
            Engine::$isActive = $isActive;
            $outcomes[] = Outcomes::of(static function () use (&$bytes, $value, $options): void {
                $bytes[] = Serializer::serialize($value, $options);
            });
        }
        self::assertSame($outcomes[0], $outcomes[1], $message);
        self::assertSame(\bin2hex($bytes[0] ?? ''), \bin2hex($bytes[1] ?? ''), $message);

        return $bytes[0] ?? null;
    }

    /**
     * @param array<string, mixed> $options
     */
    private static function read(string $bytes, array $options, string $message): string
    {
        $values = $outcomes = [];
        \set_error_handler(static fn(): bool => true); // what hooks of PHP itself warn of
        foreach ([false, true] as $isActive) {
            Engine::$isActive = $isActive;
            try {
                $outcomes[] = Outcomes::of(static function () use (&$values, $bytes, $options): void {
                    $values[] = \serialize(Serializer::unserialize($bytes, $options));
                });
            } catch (\Throwable $error) { // of a hook
                $outcomes[] = $error::class . ': ' . $error->getMessage();
            }
        }
        \restore_error_handler();
        self::assertSame($outcomes[0], $outcomes[1], $message);
        self::assertSame($values[0] ?? null, $values[1] ?? null, $message);

        return $outcomes[0];
    }
}
