<?php

declare(strict_types=1);

namespace Polypack\Tests\Snapshot;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Tests\Support\Snapshot\Codec;
use Polypack\Tests\Support\Snapshot\Legacy;
use Polypack\Tests\Support\Snapshot\Loose;
use Polypack\Tests\Support\Snapshot\Person;
use Polypack\Tests\Support\Snapshot\Point;
use Polypack\Tests\Support\Snapshot\Sleeper;
use Polypack\Tests\Support\Snapshot\Sleepless;
use Polypack\Tests\Support\Snapshot\Suit;

/**
 * A value comes back as it was: as native serialize() sees it, and in bytes that are the same when it is written again.
 */
final class RoundTripTest extends TestCase
{
    /**
     * @return iterable<string, array{mixed}>
     */
    public static function values(): iterable
    {
        foreach ([null, true, false, 0.0, -0.0, 1.5, \INF, -\INF, \NAN, \PHP_FLOAT_MIN, '', 'a', "\0\xff", [], [[]]] as $i => $value) {
            yield "scalar {$i}" => [$value];
        }
        foreach ([0, 63, 64, -32, -33, 127, 128, -128, -129, 32767, 32768, -32769, 2 ** 31 - 1, 2 ** 31, -2 ** 31, -2 ** 31 - 1, \PHP_INT_MAX, \PHP_INT_MIN] as $int) {
            yield "int {$int}" => [$int];
        }
        foreach ([1, 2, 31, 32, 255, 256, 70_000] as $length) {
            yield "string of {$length}" => [[\str_repeat('x', $length), \str_repeat('x', $length)]];
        }
        yield 'many strings' => [\array_map(static fn(int $i): array => ["k{$i}" => "v{$i}", 'again' => 'v' . $i % 400], \range(0, 700))];
        yield 'many shapes' => [\array_map(static fn(int $i): array => ['k' . $i % 50 => $i], \range(0, 120))];
        foreach ([1, 2, 3, 7, 8, 15, 16, 100] as $count) {
            yield "{$count} ints" => [\range(5, 4 + $count)];
            yield "{$count} random ints" => [\array_map(static fn(int $i): int => $i * 7919 % 1009, \range(1, $count))];
            yield "{$count} bools" => [\array_map(static fn(int $i): bool => $i % 3 === 0, \range(1, $count))];
            yield "{$count} floats" => [\array_map(static fn(int $i): float => \sqrt($i), \range(1, $count))];
            yield "{$count} prices" => [\array_map(static fn(int $i): float => $i + 0.25, \range(1, $count))];
            yield "{$count} strings" => [\array_map(static fn(int $i): string => "text {$i}", \range(1, $count))];
            yield "{$count} words" => [\array_map(static fn(int $i): string => 'word' . $i % 5, \range(1, $count))];
            yield "{$count} digits" => [\array_map(static fn(int $i): string => (string) ($i % 5), \range(1, $count))];
            yield "{$count} nullable" => [\array_map(static fn(int $i): ?int => $i % 4 === 1 ? null : $i, \range(1, $count))];
            yield "{$count} equal" => [\array_fill(0, $count, ['a', 1, null, true])];
            yield "{$count} cases" => [\array_fill(0, $count, Suit::Hearts)];
            yield "{$count} int keys" => [\array_combine(\range(10, 9 + $count), \range(1, $count))];
            yield "{$count} string keys" => [\array_combine(\array_map(static fn(int $i): string => "key {$i}", \range(1, $count)), \range(1, $count))];
            yield "{$count} rows" => [self::rows($count)];
            yield "{$count} rows by key" => [\array_combine(\array_map(static fn(int $i): int => $i * 3, \range(1, $count)), self::rows($count))];
            yield "{$count} objects" => [\array_map(static fn(int $i): Person => (new Person("n{$i}", $i, ['x'], $i % 2 === 0 ? Suit::Hearts : null))->remember([$i]), \range(1, $count))];
        }
        foreach ([1, 3, 8, 9, 16, 20, 31, 32, 33, 55, 56, 57, 62] as $bits) {
            yield "ints of {$bits} bits" => [\array_map(static fn(int $i): int => $i === 5 ? (1 << $bits) - 1 : $i % 2, \range(1, 20))];
            yield "negative ints of {$bits} bits" => [\array_map(static fn(int $i): int => $i === 5 ? -(1 << $bits) : $i % 2, \range(1, 20))];
        }
        yield 'extreme ints' => [[\PHP_INT_MIN, \PHP_INT_MAX, 0, 1, 2, 3, 4, 5, 6]];
        yield 'a great stride' => [\array_map(static fn(int $i): int => $i << 50, \range(-9, 9))];
        yield 'mixed keys' => [[5 => 1, 'x' => 2, -1 => 3, '05' => 4, '' => 5]];
        yield 'wide map' => [\array_fill_keys(\array_map(static fn(int $i): string => "k{$i}", \range(1, 65)), 1)];
        yield 'no list' => [[1 => 'a', 0 => 'b']];
        yield 'hash list' => [\array_filter([1, null, 2, 3], \is_int(...))];
        yield 'plain object' => [new Point(3, new Point(4))];
        yield 'every kind of property' => [(new Person('Ann', 7, ['a'], Suit::Spades))->height(1.7)->remember([1, [2]])];
        yield 'no value' => [self::without(new Person('Ann'), 'anything', 'tags')];
        yield 'dynamic' => [Loose::with('more', [1])];
        yield 'stdClass' => [(object) ['a' => 1, '5' => 2, 'b c' => (object) []]];
        yield 'many properties' => [(object) \array_fill_keys(\array_map(static fn(int $i): string => "k{$i}", \range(1, 300)), 1)];
        yield 'cases' => [[Suit::Hearts, Suit::Spades, Suit::Hearts]];
        yield 'ArrayObject' => [new \ArrayObject(['a' => new Point(1)], \ArrayObject::ARRAY_AS_PROPS)];
        yield 'ArrayIterator' => [new \ArrayIterator([1, 2])];
        yield 'SplObjectStorage' => [(static function (): \SplObjectStorage {
            $storage = new \SplObjectStorage();
            $storage[$point = new Point(1)] = $point;

            return $storage;
        })()];
        yield 'SplDoublyLinkedList' => [(static function (): \SplStack {
            $stack = new \SplStack();
            $stack->push(1);
            $stack->push([2]);

            return $stack;
        })()];
        yield 'SplFixedArray' => [\SplFixedArray::fromArray([1, 'a', null])];
        yield 'DateTime' => [[new \DateTime('2026-01-02 03:04:05.678 Europe/Berlin'), new \DateTimeImmutable('2026-01-02 UTC'), new \DateTimeZone('+02:00')]];
        yield 'DateInterval' => [[new \DateInterval('P1Y2M3DT4H5M6S'), (new \DateTime('2020-01-01'))->diff(new \DateTime('2021-02-03'))]];
        yield 'DatePeriod' => [new \DatePeriod(new \DateTimeImmutable('2020-01-01 UTC'), new \DateInterval('P1D'), 3)];
        yield 'GMP' => [[\gmp_init('123456789012345678901234567890'), \gmp_init(-5)]];
        yield 'random engines' => [[new \Random\Engine\Mt19937(1), new \Random\Engine\PcgOneseq128XslRr64(2), new \Random\Engine\Xoshiro256StarStar(3)]];
        yield 'a Randomizer' => [[$engine = new \Random\Engine\Mt19937(4), new \Random\Randomizer($engine)]];
        if (\class_exists('BcMath\Number')) {
            yield 'BcMath\Number' => [[$number = new \BcMath\Number('1.50'), $number, new \BcMath\Number('-7')]];
        }
        yield 'an exception' => [self::withoutTrace(new \DomainException('no', 3, new \LogicException('why')))];
        yield 'Serializable' => [self::legacy()];
        yield 'a protected property that a subclass made public' => [new Opened()];
        yield 'a property of no class that __sleep names' => [Asleep::with('more', [1])];
        yield '__serialize alone' => [new Handing()];
        yield 'a table with __wakeup' => [\array_map(static fn(int $n): Waking => new Waking($n * $n, "row {$n}"), \range(1, 20))];
        yield 'a class that extends one of DOM' => [[Page::of('<p>text</p>'), 1]];
        if (\class_exists('Dom\Element')) {
            yield 'a class that extends one of Dom' => [[self::paragraph(), 1]];
        }
        yield 'long names' => [[\str_repeat('k', 300) => 1, 'o' => (object) [\str_repeat('p', 70_000) => [\str_repeat('k', 300) => 2]]]];
    }

    /** Makes an element of a class of its own, which PHP 8.2 couldn't declare. */
    private static function paragraph(): object
    {
        if (!\class_exists('Paragraph')) {
            eval('final class Paragraph extends Dom\Element { public array $kept = [1]; '
                . 'public function __serialize(): array { return $this->kept; } '
                . 'public function __unserialize(array $data): void { $this->kept = $data; } }');
        }
        /** @var \DOMDocument $document has the same methods, but is known to PHP 8.2 */
        $document = (new \ReflectionMethod('Dom\XMLDocument', 'createFromString'))->invoke(null, '<p/>');
        $document->registerNodeClass('Dom\Element', 'Paragraph');

        return $document->documentElement ?? throw new \LogicException('the document is empty');
    }

    #[DataProvider('values')]
    public function testValue(mixed $value): void
    {
        $bytes = Codec::serialize($value);
        $back = Codec::unserialize($bytes);

        self::assertSame(\serialize($value), \serialize($back));
        self::assertSame(\bin2hex($bytes), \bin2hex(Codec::serialize($back)));
    }

    #[DataProvider('values')]
    public function testValueInV1(mixed $value): void
    {
        $bytes = Codec::serialize($value, ['version' => 1]);
        $back = Codec::unserialize($bytes, ['version' => 1]);

        self::assertSame(\serialize($value), \serialize($back));
        self::assertSame(\bin2hex($bytes), \bin2hex(Codec::serialize($back, ['version' => 1])));
    }

    public function testIntermediateClassesKeepTheirPrivateProperties(): void
    {
        $person = (new Person('Ann', 7))->remember([1, 2]);
        $back = Codec::unserialize(Codec::serialize([$person]));

        self::assertEquals([$person], $back);
        self::assertInstanceOf(Person::class, $back[0] ?? null);
        self::assertSame(7, $back[0]->own());
        self::assertSame([2, [1, 2]], $back[0]->inner());
    }

    public function testSleepChoosesPropertiesAndTheOthersKeepTheirDefaults(): void
    {
        $back = Codec::unserialize(Codec::serialize((new Sleeper())->set(9)));

        self::assertInstanceOf(Sleeper::class, $back);
        self::assertSame([9, 2, 9, 9], $back->all());
        self::assertTrue($back->woke);
    }

    public function testEachRowOfATableWakesUp(): void
    {
        $bytes = Codec::serialize(\array_map(static fn(int $n): Waking => new Waking($n * $n, "row {$n}"), \range(1, 20)));
        self::assertSame("\xd5", $bytes[4]); // a table in a list
        Waking::$woken = [];
        Codec::unserialize($bytes);

        self::assertSame(\array_map(static fn(int $n): int => $n * $n, \range(1, 20)), Waking::$woken);
    }

    public function testASleepThatIsNoArrayMakesNullWithAWarning(): void
    {
        $warnings = [];
        \set_error_handler(static function (int $severity, string $message) use (&$warnings): bool {
            $warnings[] = $message;

            return true;
        });
        try {
            Sleepless::$answer = 5;
            self::assertSame([null, 1], Codec::unserialize(Codec::serialize([new Sleepless(), 1])));
            Sleepless::$answer = ['a', 'b'];
            self::assertEquals(new Sleepless(), Codec::unserialize(Codec::serialize(new Sleepless())));
        } finally {
            \restore_error_handler();
        }
        self::assertCount(2, $warnings);
        self::assertStringContainsString('should return an array', $warnings[0]);
        self::assertStringContainsString('"b" returned as member variable', $warnings[1]);
    }

    public function testASleepThatNamesNoStringsMakesAWarningForEach(): void
    {
        $warnings = [];
        \set_error_handler(static function (int $severity, string $message) use (&$warnings): bool {
            $warnings[] = $message;

            return true;
        });
        try {
            Sleepless::$answer = ['a', 5, []];
            self::assertEquals(new Sleepless(), Codec::unserialize(Codec::serialize(new Sleepless())));
        } finally {
            \restore_error_handler();
        }
        self::assertStringContainsString('should return an array only containing the names', $warnings[0] ?? '');
        self::assertStringContainsString('"5" returned as member variable', $warnings[1] ?? '');
    }

    public function testInV1ASleepThatIsNoArrayMakesNullToo(): void
    {
        \set_error_handler(static fn(): bool => true);
        try {
            Sleepless::$answer = 5;
            self::assertSame([null, 1], Codec::unserialize(Codec::serialize([new Sleepless(), 1], ['version' => 1]), ['version' => 1]));
        } finally {
            \restore_error_handler();
        }
        $value = [static fn(): int => 1, 'a', \STDOUT];
        self::assertSame([null, 'a', null], Codec::unserialize(Codec::serialize($value, ['version' => 1, 'unserializable' => 'null']), ['version' => 1]));
    }

    public function testHooksThatReturnTheWrongTypeFailAsInPhp(): void
    {
        foreach ([new Answering(), new OldAnswering()] as $object) {
            foreach ([5, 'text', 1.5, new \stdClass()] as $answer) {
                Answering::$answer = $answer;
                if ($object instanceof OldAnswering && \is_string($answer)) {
                    continue;
                }
                $messages = [];
                foreach ([\serialize(...), Codec::serialize(...)] as $serialize) {
                    try {
                        $serialize($object);
                        self::fail('no exception');
                    } catch (\TypeError | \Exception $error) {
                        $messages[] = [$error::class, $error->getMessage()];
                    }
                }
                self::assertSame($messages[0], $messages[1]);
            }
        }
    }

    public function testAStringDoesNotDependOnWhereItCameFrom(): void
    {
        $literal = [['name' => 'first', 'tags' => ['a', 'b'], 'n' => 1], ['name' => 'first', 'tags' => ['a', 'b'], 'n' => 2], ['tags' => ['a', 'b'], 'name' => 'first']];
        $json = \json_decode((string) \json_encode($literal), true);
        $native = \unserialize(\serialize($literal));
        $filtered = \array_filter([...$literal, null]);

        $bytes = Codec::serialize($literal);
        self::assertSame($bytes, Codec::serialize($json));
        self::assertSame($bytes, Codec::serialize($native));
        self::assertSame($bytes, Codec::serialize($filtered));
        self::assertSame($bytes, Codec::serialize(Codec::unserialize($bytes)));
    }

    /**
     * @return list<array<string, mixed>>
     */
    private static function rows(int $count): array
    {
        return \array_map(static fn(int $i): array => [
            'id' => $i,
            'name' => "user {$i}",
            'email' => $i % 5 === 0 ? null : "u{$i}@example.com",
            'active' => $i % 2 === 0,
            'score' => $i * 1.5,
            'ratio' => 1 / $i,
            'tags' => ['a', 'b', 'c'],
            'other' => [$i, ['x' => 'y']],
            'role' => 'role' . $i % 3,
            'suit' => Suit::Hearts,
            'created_at' => '2026-01-01',
        ], \range(1, $count));
    }

    private static function without(object $object, string ...$names): object
    {
        foreach ($names as $name) {
            unset($object->{$name}); // @phpstan-ignore property.dynamicName
        }

        return $object;
    }

    private static function withoutTrace(\Exception $exception): \Exception
    {
        for ($one = $exception; $one !== null; $one = $one->getPrevious()) {
            (new \ReflectionProperty($one instanceof \Exception ? \Exception::class : \Error::class, 'trace'))->setValue($one, []);
        }

        return $exception;
    }

    private static function legacy(): Legacy
    {
        $legacy = new Legacy();
        $legacy->text = 'some text';

        return $legacy;
    }
}

class Closed
{
    protected int $a = 1;
    public int $b = 2;
}

/**
 * Its properties keep the order that they have in the parent.
 */
final class Opened extends Closed
{
    public int $c = 3;
    public int $a = 4;
}

#[\AllowDynamicProperties]
final class Asleep
{
    public int $a = 1;
    public int $dropped = 0;

    public static function with(string $name, mixed $value): self
    {
        $object = new self();
        $object->{$name} = $value; // @phpstan-ignore property.dynamicName

        return $object;
    }

    /**
     * @return list<string>
     */
    public function __sleep(): array
    {
        return ['more', 'a'];
    }
}

/**
 * Has no __unserialize: its data becomes its properties.
 */
final class Handing
{
    public int $a = 1;
    protected ?string $b = 'text';

    /**
     * @return array<string, mixed>
     */
    public function __serialize(): array
    {
        return ['a' => $this->a, "\0*\0b" => $this->b];
    }
}

final class Waking
{
    /** @var list<int> the numbers of the objects that have woken up */
    public static array $woken = [];

    public function __construct(public int $n, public string $name) {}

    public function __wakeup(): void
    {
        self::$woken[] = $this->n;
    }
}

final class Page extends \DOMDocument
{
    public static function of(string $xml): self
    {
        $page = new self();
        $page->loadXML($xml);

        return $page;
    }

    /**
     * @return array{string}
     */
    public function __serialize(): array
    {
        return [(string) $this->saveXML($this->documentElement)];
    }

    /**
     * @param array{string} $data
     */
    public function __unserialize(array $data): void
    {
        $this->loadXML($data[0]);
    }
}

/**
 * Has a `__serialize` that returns what a test wants.
 */
final class Answering
{
    public static mixed $answer = null;

    public function __serialize()
    {
        return self::$answer; // @phpstan-ignore return.type
    }
}

\set_error_handler(static fn(): bool => true, \E_DEPRECATED);

/**
 * The same, with the old hooks.
 */
final class OldAnswering implements \Serializable // @phpstan-ignore class.serializable, class.serializable
{
    public function serialize()
    {
        return Answering::$answer; // @phpstan-ignore return.type
    }

    public function unserialize(string $data): void {}
}

\restore_error_handler();
