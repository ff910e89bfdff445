<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Polypack\Lab\Contestant\About;
use Polypack\Lab\Contestant\Contestant;
use Polypack\Lab\Contestant\Entry;
use Polypack\Lab\Contestant\Igbinary;
use Polypack\Lab\Contestant\Json;
use Polypack\Lab\Contestant\JsonLines;
use Polypack\Lab\Contestant\Msgpack;
use Polypack\Lab\Contestant\MsgpackStream;
use Polypack\Lab\Contestant\PhpSerialize;
use Polypack\Lab\Contestant\PhpSettings;
use Polypack\Lab\Contestant\Polypack;
use Polypack\Lab\Contestant\PolypackRecords;
use Polypack\Lab\Contestant\PolypackSnapshot;
use Polypack\Lab\Contestant\PolypackStatic;
use Polypack\Lab\Contestant\PolypackStream;
use Polypack\Lab\Contestant\Roster;
use Polypack\Lab\Measure\Cell;
use Polypack\Lab\Measure\Journal;
use Polypack\Lab\Measure\Runner;
use Polypack\Lab\Paths;
use Polypack\Lab\Payload\Same;
use Polypack\Lab\Payload\Scenario;
use Polypack\Lab\Payload\Values;

/** Every contestant that can run here gives back all it was given, in every scenario and operation that it claims. */
final class ContestantTest extends TestCase
{
    /** So many messages are several chunks long, which end anywhere in a message. */
    private const MESSAGES = 100;

    /** @return iterable<string, array{Entry}> */
    public static function entries(): iterable
    {
        foreach (Roster::load([])->entries as $entry) {
            yield $entry->slug => [$entry];
        }
    }

    /** In some scenarios, and measured in one. */
    #[DataProvider('entries')]
    public function testItIsVerified(Entry $entry): void
    {
        if ($entry->missing !== null) {
            self::markTestSkipped("{$entry->name}: {$entry->missing}");
        }
        $cells = [];
        $some = [...Scenario::LISTS, 'stream-order', 'stream-rows', 'event', 'blobs100x1k', 'snapshot-dto_mixed', ...Scenario::OWN_OBJECTS, ...Values::NAMES];
        foreach (\array_intersect($entry->scenarios, $some) as $scenario) {
            foreach (['serialize', 'deserialize'] as $operation) {
                if ($entry->canDo($scenario, $operation) && Scenario::from($scenario)->missing() === null) {
                    $cells[] = new Cell($entry, Scenario::from($scenario), $operation, Scenario::from($scenario)->isStream() ? self::MESSAGES : 3);
                }
            }
        }
        Lab::verify($cells);

        $runner = new Runner([$cells[0]], Lab::effort(), 11);
        $journal = Journal::start(Paths::build("runs/{$entry->slug}.jsonl"), $runner->subject());
        $runner->run($journal, static function (): void {}, static function (): void {});
        $launches = $journal->of($cells[0]);
        self::assertCount(1, $launches);
        self::assertNull($launches[0]['fault'] ?? null, $cells[0]->id());
        self::assertGreaterThan(0, $launches[0]['bytes']);
    }

    #[TestWith(['built'])]
    #[TestWith(['unserialize'])]
    public function testTheDataIsTheSameWhateverMakesIt(string $provenance): void
    {
        $entry = Roster::load([], new PhpSettings(provenance: $provenance))->find('polypack');
        $some = ['person', 'countries', 'event', 'blobs100x1k', 'small-event', 'floats10k', 'value-32-bit-array', 'value-32-bit-binary'];
        $scenarios = \array_filter(\array_map(Scenario::from(...), $some), static fn(Scenario $scenario): bool => $scenario->missing() === null);
        Lab::verify(\array_map(static fn(Scenario $scenario): Cell => new Cell($entry, $scenario, 'serialize', 3), \array_values($scenarios)));
    }

    /**
     * What is no list is long, and streams have many messages, so they're tried here,
     * without a process for each.
     *
     * @param class-string<Contestant> $class
     */
    #[DataProvider('binary')]
    public function testItGivesBackEveryPayloadOfTheBenches(string $class): void
    {
        require_once Paths::lab('vendors/polypack/autoload.php');
        $about = About::of($class);
        if ($about->extension !== null && !\extension_loaded($about->extension)) {
            self::markTestSkipped("PHP lacks the extension {$about->extension}");
        }
        $tried = 0;
        foreach (\array_diff($about->scenarios, Scenario::LISTS, Values::NAMES, \array_diff(Scenario::DOCUMENTS, ['real-mime'])) as $name) {
            $scenario = Scenario::from($name);
            if ($scenario->missing() === null) {
                $plain = $scenario->plain(self::MESSAGES, 1);
                $contestant = new $class($scenario, '');
                $values = $scenario->fromPlain($plain);
                self::assertNull(Same::fault($values, $contestant->deserialize($contestant->serialize($values))), $name);
                ++$tried;
            }
        }
        self::assertGreaterThanOrEqual(4, $tried);
    }

    /** @return iterable<string, array{class-string<Contestant>}> */
    public static function binary(): iterable
    {
        foreach ([Polypack::class, PolypackStatic::class, PolypackSnapshot::class, Msgpack::class, Igbinary::class, PhpSerialize::class, Json::class, PolypackStream::class, MsgpackStream::class, JsonLines::class, PolypackRecords::class] as $class) {
            yield $class => [$class];
        }
    }

    #[DataProvider('files')]
    public function testItsFileIsShortEnoughToBeRead(string $file): void
    {
        self::assertLessThanOrEqual(60, \count((array) \file($file)), $file);
    }

    /**
     * Every language's, also those that can't run here.
     *
     * @return iterable<string, array{string}>
     */
    public static function files(): iterable
    {
        foreach (Roster::load([])->entries as $entry) {
            yield \basename($entry->source) => [$entry->source];
        }
        $found = [];
        foreach (\glob(Paths::lab('workers/{node/*.mjs,go/*.go}'), \GLOB_BRACE) ?: [] as $file) {
            $isContestant = \str_ends_with($file, '.mjs') || \preg_match('/\benter(?:Stream\(|\(Contestant\{)\n/', (string) \file_get_contents($file)) === 1;
            if ($isContestant) {
                $found[] = \basename($file);
                yield \basename($file) => [$file];
            }
        }
        foreach (['json.mjs', 'polypack.mjs', 'json.go', 'polypack.go', 'peer_msgp.go', 'peer_vmihailenco.go', 'stream_peer_msgp.go'] as $expected) {
            \in_array($expected, $found, true) || throw new \LogicException("{$expected} is not among the contestants");
        }
    }
}
