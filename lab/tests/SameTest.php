<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Lab\Payload\Order\Status;
use Polypack\Lab\Payload\Person;
use Polypack\Lab\Payload\Same;
use Polypack\Lab\Payload\Scenario;

final class SameTest extends TestCase
{
    /** @return iterable<string, array{mixed, mixed, string}> */
    public static function differences(): iterable
    {
        yield 'a type' => [1, 1.0, 'the whole: int 1 expected, got float 1.0'];
        yield 'the sign of zero' => [[0.0], [-0.0], '/0: float 0.0 expected, got float -0.0'];
        yield 'NaN' => [1.0, \NAN, 'the whole: float 1.0 expected, got float NAN'];
        yield 'a text' => ['a', 'b', 'the whole: "a" expected, got "b"'];
        yield 'the last element' => [[1, [2, 3]], [1, [2, 4]], '/1/1: int 3 expected, got int 4'];
        yield 'a missing element' => [[1, 2], [1], '/1: missing'];
        yield 'one too many' => [[1], [1, 2], '/1: nothing expected here'];
        yield 'a key that needs escaping' => [['a/b' => 1], ['a/b' => 2], '/a~1b: int 1 expected, got int 2'];
        yield 'an object that stayed an array' => [new Person(1), ['id' => 1], 'the whole: Person expected, got array of 1'];
        yield 'another class' => [new Person(1), (object) ['id' => 1], 'the whole: Person expected, got stdClass'];
        yield 'a private property deep inside' => [
            [new Person(1, 'a', mother: new Person(2, 'b'))],
            [new Person(1, 'a', mother: new Person(2, 'c'))],
            '/0/mother/name: "b" expected, got "c"',
        ];
        yield 'a property that was never set' => [
            new Person(1),
            self::unset(new Person(1)),
            '/favoriteColors: missing',
        ];
        yield 'an enum' => [Status::Open, Status::Paid, 'the whole: Polypack\Lab\Payload\Order\Status::Open expected, got Polypack\Lab\Payload\Order\Status::Paid'];
        yield 'a date of the same moment elsewhere' => [
            new \DateTimeImmutable('2024-01-01T00:00:00+00:00'),
            new \DateTimeImmutable('2024-01-01T01:00:00+01:00'),
            'the whole: "2024-01-01T00:00:00.000000+00:00" expected, got "2024-01-01T01:00:00.000000+01:00"',
        ];
    }

    #[DataProvider('differences')]
    public function testADifferenceIsSaidWithItsPlace(mixed $expected, mixed $actual, string $fault): void
    {
        self::assertSame($fault, Same::fault($expected, $actual));
    }

    public function testWhatIsMadeTwiceIsTheSame(): void
    {
        foreach (Scenario::cases() as $scenario) {
            $isLong = \in_array($scenario->value, Scenario::DOCUMENTS, true) && $scenario !== Scenario::RealMime;
            if ($scenario->missing() === null && !$isLong && !$scenario->isValue()) {
                $plain = $scenario->plain(12, 5);
                self::assertNull(Same::fault($scenario->fromPlain($plain), $scenario->fromPlain($scenario->plain(12, 5))), $scenario->value);
                // No contestant needs the objects of shapes as data.
                $isMapped = !\in_array($scenario->value, Scenario::SHAPES_OF_OBJECTS, true);
                self::assertNull(!$isMapped ? null : Same::fault($plain, $scenario->toPlain($scenario->fromPlain($plain))), $scenario->value);
                self::assertNull(Same::fault($plain, $scenario->read($scenario->write($plain))), "{$scenario->value} reaches workers");
            }
        }
    }

    public function testAnotherSeedGivesOtherData(): void
    {
        self::assertNotNull(Same::fault(Scenario::Order->plain(3, 1), Scenario::Order->plain(3, 2)));
    }

    public function testEqualFloatsAreTheSame(): void
    {
        self::assertNull(Same::fault([\NAN, -0.0, 1.5, \INF], [\NAN, -0.0, 1.5, \INF]));
    }

    public function testTheOrderOfKeysIsFree(): void
    {
        self::assertNull(Same::fault(['a' => 1, 'b' => [1, 2]], ['b' => [1, 2], 'a' => 1]));
    }

    private static function unset(Person $person): Person
    {
        (function (): void {
            unset($this->favoriteColors);
        })->call($person);

        return $person;
    }
}
