<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Lab\Contestant\Entry;
use Polypack\Lab\Contestant\Roster;
use Polypack\Lab\Measure\Cell;
use Polypack\Lab\Measure\Journal;
use Polypack\Lab\Measure\Runner;
use Polypack\Lab\Paths;
use Polypack\Lab\Payload\Scenario;

/** Every contestant that can run here gives back all it was given, in every scenario and operation that it claims. */
final class ContestantTest extends TestCase
{
    /** @return iterable<string, array{Entry}> */
    public static function entries(): iterable
    {
        foreach (Roster::load([])->entries as $entry) {
            yield $entry->slug => [$entry];
        }
    }

    #[DataProvider('entries')]
    public function testItIsVerified(Entry $entry): void
    {
        if ($entry->missing !== null) {
            self::markTestSkipped("{$entry->name}: {$entry->missing}");
        }
        $cells = [];
        foreach ($entry->scenarios as $scenario) {
            foreach (['serialize', 'deserialize'] as $operation) {
                if ($entry->canDo($scenario, $operation) && Scenario::from($scenario)->missing() === null) {
                    $cells[] = new Cell($entry, Scenario::from($scenario), $operation, 3);
                }
            }
        }
        $runner = new Runner($cells, Lab::effort(), 11);
        $journal = Journal::start(Paths::build("runs/{$entry->slug}.jsonl"), $runner->subject());
        $runner->run($journal, static function (): void {}, static function (): void {});
        foreach ($cells as $cell) {
            $launches = $journal->of($cell);
            self::assertCount(1, $launches, $cell->id());
            self::assertNull($launches[0]['fault'] ?? null, $cell->id());
            self::assertGreaterThan(0, $launches[0]['bytes']);
        }
    }

    #[DataProvider('entries')]
    public function testItsFileIsShortEnoughToBeRead(Entry $entry): void
    {
        self::assertLessThanOrEqual(60, \count((array) \file($entry->source)), $entry->source);
    }
}
