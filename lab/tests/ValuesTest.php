<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests;

use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Polypack\Lab\Contestant\About;
use Polypack\Lab\Contestant\OfValues;
use Polypack\Lab\Contestant\Polypack;
use Polypack\Lab\Contestant\Roster;
use Polypack\Lab\Contestant\Rybakit;
use Polypack\Lab\Contestant\Vendor;
use Polypack\Lab\Measure\Cell;
use Polypack\Lab\Measure\Effort;
use Polypack\Lab\Measure\Launch;
use Polypack\Lab\Measure\Statistics;
use Polypack\Lab\Paths;
use Polypack\Lab\Payload\Same;
use Polypack\Lab\Payload\Scenario;
use Polypack\Lab\Payload\Values;
use Polypack\Lab\Report\Tables;

/** Single values: they take nanoseconds, and most are no arrays. */
final class ValuesTest extends TestCase
{
    public function testWorkersGetTheValuesOfTheBench(): void
    {
        $values = \array_filter(Scenario::cases(), static fn(Scenario $scenario): bool => $scenario->isValue());
        self::assertSame(Values::NAMES, \array_column($values, 'value'));
        self::assertSame(Values::BIN, \array_column(\array_filter($values, static fn(Scenario $scenario): bool => $scenario->isBin()), 'value'));
        foreach ($values as $scenario) {
            self::assertNull(Same::fault(Values::of($scenario->value), $scenario->read($scenario->data(1, 1))), $scenario->value);
        }
        self::assertSame(0x80, Scenario::ValueUint8->plain(1, 1));
        self::assertSame('a single value, 8-bit uint #1: 128', Scenario::ValueUint8->describe());
        self::assertSame('a single value, 16-bit string #2: 65,535 bytes', Scenario::ValueString16->describe());
    }

    /** Reading the bytes tells the values, and not whether a string is str or bin. */
    public function testHeadsAreThoseThatTheNamesSay(): void
    {
        $heads = [
            'value-8-bit-binary-3' => 0xc4, 'value-16-bit-binary' => 0xc5, 'value-32-bit-binary' => 0xc6,
            'value-32-bit-string' => 0xdb, 'value-32-bit-array' => 0xdd, 'value-32-bit-map' => 0xdf,
        ];
        foreach (\array_filter([Polypack::class, Rybakit::class], self::isInstalled(...)) as $class) {
            foreach ($heads as $name => $head) {
                self::assertSame($head, \ord((new $class(Scenario::from($name), ''))->serializeValue(Values::of($name))), "{$class}, {$name}");
            }
        }
    }

    #[TestWith(['serialize'])]
    #[TestWith(['deserialize'])]
    public function testWhoDoesNothingTakesNoTime(string $operation): void
    {
        $launch = self::measure('Constant', Scenario::ValueNil, $operation);

        self::assertNull($launch['fault'] ?? null);
        self::assertLessThan($launch['empty'] / 2, Statistics::median($launch['samples']));
    }

    #[TestWith(['Constant', 'serialize', 'returns other data: its bytes say the whole: bool true expected, got null NULL'])]
    #[TestWith(['Constant', 'deserialize', 'returns other data: the whole: bool true expected, got null NULL'])]
    #[TestWith(['Throws', 'serialize', 'takes no single values: it lacks the interface OfValues'])]
    public function testAFaultCostsTheNumber(string $name, string $operation, string $fault): void
    {
        self::assertSame($fault, self::measure($name, Scenario::ValueTrue, $operation)['fault'] ?? null);
    }

    public function testNanosecondsHaveThreeDigitsInATable(): void
    {
        self::assertSame(['0.0000234', '0.000567', '0.00789'], \array_map(Tables::milliseconds(...), [23.4, 567.0, 7890.0]));
    }

    /** @param class-string<OfValues> $class */
    private static function isInstalled(string $class): bool
    {
        $vendor = new Vendor((string) About::of($class)->vendor);
        if ($vendor->missing() === null) {
            require_once $vendor->autoload();
        }

        return $vendor->missing() === null;
    }

    /** @return array<string, mixed> */
    private static function measure(string $name, Scenario $scenario, string $operation): array
    {
        $entry = Roster::load([Lab::contestant($name)])->find($name);
        $effort = new Effort(samples: 20, rounds: 1, budget: 0.2, patience: 120.0);

        return Launch::measure(new Cell($entry, $scenario, $operation, 1), $effort, Lab::data($scenario, 1), Paths::build('out/values'), '');
    }
}
