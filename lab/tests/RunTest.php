<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Polypack\Lab\Contestant\Entry;
use Polypack\Lab\Contestant\Foreign;
use Polypack\Lab\Contestant\Roster;
use Polypack\Lab\Measure\Cell;
use Polypack\Lab\Measure\Launch;
use Polypack\Lab\Measure\Runner;
use Polypack\Lab\Paths;
use Polypack\Lab\Payload\Scenario;
use Polypack\Lab\Report\Result;
use Random\Engine\Mt19937;
use Random\Randomizer;
use Symfony\Component\Process\Process;

/** Contestants of other languages, and comparing one run with another. */
final class RunTest extends TestCase
{
    /** Of 3 to 21 MB, in which nothing is that others don't have: to verify them would take half of the time. */
    private const LARGE = [Scenario::RealAtlas, Scenario::RealCities, Scenario::RealCompat, Scenario::JsStreamLarge];

    /**
     * All that pages of a browser are asked to verify here, each of which takes a second to start, and libraries that
     * are verified in their usual way or host, too.
     */
    private const FEW = [Scenario::JsEx1, Scenario::JsLogs, Scenario::GoSmall, Scenario::GoConfig];
    private const OTHER_WAY = '/, (append|Codec append|generated|generated append|zero-copy|compact|no addon|no eval|browser)$/';

    /** @return iterable<string, array{Entry}> */
    public static function foreign(): iterable
    {
        foreach ([...Foreign::javaScript(), ...Foreign::go()] as $entry) {
            yield $entry->name => [$entry];
        }
    }

    #[DataProvider('foreign')]
    public function testAContestantOfAnotherLanguageIsVerified(Entry $entry): void
    {
        if ($entry->missing !== null) {
            self::markTestSkipped("{$entry->name}: {$entry->missing}");
        }
        $cells = [];
        $isOther = self::isPage($entry) || \preg_match(self::OTHER_WAY, $entry->name) === 1;
        foreach ($entry->scenarios as $name) {
            $scenario = Scenario::from($name);
            $isWanted = $isOther ? \in_array($scenario, self::FEW, true) : !\in_array($scenario, self::LARGE, true);
            if ($scenario->missing() === null && $isWanted) {
                $count = $scenario->isStream() ? 60 : 4; // messages of several chunks
                foreach (\array_diff(['serialize', 'deserialize'], \array_keys($entry->cannot)) as $operation) {
                    $cells[] = new Cell($entry, $scenario, $operation, $count);
                }
            }
        }
        $cells[] = new Cell($entry, self::smallest($entry), isset($entry->cannot['deserialize']) ? 'serialize' : 'deserialize', 4);
        $memory = Lab::verify($cells);
        self::assertSame(self::isPage($entry), $memory['bytes'] === null);
        $least = \str_ends_with($entry->name, 'append') ? 0 : 1; // who appends has the memory already
        self::assertGreaterThanOrEqual($least, $memory['bytes'] ?? 1);
        self::assertLessThanOrEqual(60, \count((array) \file($entry->source)), $entry->source);
    }

    /** Returns a scenario whose calls are short. Everybody has one of three. */
    private static function smallest(Entry $entry): Scenario
    {
        $names = \array_values(\array_intersect(['rows', 'stream-rows', 'go-01Small'], $entry->scenarios));

        return Scenario::from($names[0]);
    }

    private static function named(string $name): ?Entry
    {
        $entry = \iterator_to_array(self::foreign())[$name][0] ?? null;

        return $entry?->missing === null ? $entry : null;
    }

    private static function isPage(Entry $entry): bool
    {
        return ($entry->prepare['page'] ?? false) === true;
    }

    /** A page, a library that is awaited, a stream in Go. Lab::verify() asks everybody for what a launch asks. */
    #[TestWith(['Polypack (JS), Chromium no eval'])]
    #[TestWith(['@msgpack/msgpack, stream'])]
    #[TestWith(['Polypack (Go), stream'])]
    public function testAContestantOfAnotherLanguageIsMeasured(string $name): void
    {
        $entry = self::named($name) ?? self::markTestSkipped("{$name} can't run here");
        $cell = new Cell($entry, self::smallest($entry), 'deserialize', 4);

        $launch = Launch::measure($cell, Lab::effort(), Lab::data($cell->scenario, 4), Paths::build('out/foreign'), Paths::build('cache/x'));

        self::assertNull($launch['fault'] ?? null, $cell->id());
        self::assertNotSame([], $launch['samples']);
        self::assertSame(self::isPage($entry), $launch['memory'] === null);
    }

    public function testWithoutEvalNoStringBecomesCode(): void
    {
        $entries = \array_filter(Foreign::javaScript(), static fn(Entry $entry): bool => \str_ends_with($entry->slug, 'no-eval') && !self::isPage($entry));
        self::assertNotSame([], $entries);
        foreach ($entries as $entry) {
            $process = new Process([...\array_slice($entry->command, 0, -1), '-e', 'new Function("")']);
            self::assertNotSame(0, $process->run(), $entry->name);
            self::assertStringContainsString('EvalError', $process->getErrorOutput(), $entry->name);
        }
    }

    public function testEveryLanguageReadsStreamsInChunksOfTheSameLength(): void
    {
        $code = 'import { chunkLength } from "./node-streams.mjs"; console.log(JSON.stringify(process.argv.slice(1).map(chunkLength)))';
        $streams = [...Scenario::STREAMS, 'js-stream-small', 'js-stream-large'];
        $lengths = \array_map(static fn(string $name): int => Scenario::from($name)->chunkLength(), $streams);

        $node = new Process(['node', '--input-type=module', '-e', $code, '--', ...$streams], Paths::lab('workers'));
        self::assertSame($lengths, \json_decode($node->mustRun()->getOutput()));
        $test = (string) \file_get_contents(Paths::lab('workers/go/difference_test.go'));
        foreach ($streams as $i => $name) {
            self::assertMatchesRegularExpression("/\"{$name}\": +{$lengths[$i]},/", $test);
        }
    }

    public function testDataThatWasChangedIsRefusedByEveryWorker(): void
    {
        $file = Paths::build('data/changed.json');
        Paths::write($file, '[]');
        $foreign = \array_map(self::named(...), ['JSON (JS)', 'JSON (JS), Chromium', 'encoding/json']);
        foreach ([Roster::load([])->find('json_encode()'), ...\array_filter($foreign)] as $entry) {
            $cell = new Cell($entry, Scenario::Rows, 'serialize', 1);
            $launch = Launch::measure($cell, Lab::effort(), ['file' => $file, 'digest' => \hash('sha256', '[1]'), 'seed' => 1], Paths::build('out/x'), Paths::build('cache/x'));
            self::assertSame('the data is not what the coordinator has hashed', $launch['fault'] ?? null, $entry->name);
        }
    }

    public function testCodeThatChangesWithinASecondIsNotTakenFromTheCache(): void
    {
        $command = \array_slice(Roster::load([])->find('serialize')->command, 0, -1);
        $file = Paths::build('changing.php');
        $said = [];
        foreach ([1, 2] as $version) {
            Paths::write($file, "<?php echo {$version};");
            \touch($file, $time ??= \time());
            $process = new Process([...$command, $file]);
            $process->mustRun();
            $said[] = $process->getOutput();
        }
        self::assertSame(['1', '2'], $said);
    }

    public function testCellsThatAreComparedRunOneAfterTheOther(): void
    {
        $cells = [];
        foreach ([1, 2, 3, 4, 5] as $count) {
            foreach (\array_slice(Roster::load([])->entries, -4) as $entry) {
                $cells[] = new Cell($entry, Scenario::Rows, 'serialize', $count);
            }
        }
        $runner = new Runner($cells, Lab::effort(), 5);
        $random = new Randomizer(new Mt19937(1));
        $orders = ['columns' => [], 'cells' => []];
        for ($round = 0; $round < 4; ++$round) {
            $order = $runner->order($random);
            self::assertEqualsCanonicalizing(\array_map(static fn(Cell $cell): string => $cell->id(), $cells), \array_map(static fn(Cell $cell): string => $cell->id(), $order));
            foreach (\array_chunk($order, 4) as $block) {
                self::assertCount(1, \array_unique(\array_map(static fn(Cell $cell): string => $cell->column(), $block)));
            }
            $orders['columns'][] = \implode(' ', \array_unique(\array_map(static fn(Cell $cell): int => $cell->count, $order)));
            $orders['cells'][] = \implode(' ', \array_map(static fn(Cell $cell): string => $cell->entry->slug, \array_slice($order, 0, 4)));
        }
        self::assertGreaterThan(1, \count(\array_unique($orders['columns'])));
        self::assertGreaterThan(1, \count(\array_unique($orders['cells'])));
    }

    public function testARunHasATableForEachScenarioAndOperation(): void
    {
        $run = Lab::run('run', ['--only' => ['serialize()', 'json_encode()'], '--scenario' => ['order', 'rows'], '--batch-count' => '5'] + Lab::QUICK);

        self::assertSame(0, $run['code'], $run['error']);
        foreach (['order, serialize', 'order, deserialize', 'rows, serialize', 'rows, deserialize'] as $title) {
            self::assertStringContainsString($title, $run['output']);
        }
        self::assertSame(4, \preg_match_all('/│ serialize\(\) +│ [\d.]+ +│$/m', $run['output']));
    }

    public function testEveryLanguageSaysWhatMemoryACallTakes(): void
    {
        $json = Paths::build('memory.json');
        $run = Lab::run('run', ['--only' => ['json_encode()', 'JSON (JS)', 'encoding/json'], '--scenario' => ['rows'], '--batch-count' => '1000', '--json' => $json] + Lab::QUICK);
        self::assertSame(0, $run['code'], $run['error']);
        $rows = Result::read($json)->rows();
        self::assertCount(6, $rows);
        foreach ($rows as $row) {
            $case = "{$row['contestant']}, {$row['operation']}";
            self::assertNull($row['fault'], $case);
            // The bytes are held when they are written, and everything that they say when they are read.
            $bytes = $row['bytes'] ?? 0;
            self::assertGreaterThan(0, $bytes, $case);
            self::assertGreaterThan($bytes, $row['memory'] ?? null, $case);
            self::assertLessThan(20 * $bytes, $row['memory'] ?? null, $case);
            // Go doesn't tell what a result keeps.
            self::assertSame($row['contestant'] !== 'encoding-json', isset($row['kept']), $case);
            self::assertGreaterThan(0.5 * $bytes, $row['kept'] ?? $bytes, $case);
            self::assertLessThanOrEqual($row['memory'] ?? 0, $row['kept'] ?? $bytes, $case);
        }
    }

    public function testContestantsOfEveryLanguageTakePartInOneRun(): void
    {
        $missing = Scenario::RealMime->missing();
        if ($missing !== null) {
            self::markTestSkipped($missing);
        }
        $json = Paths::build('documents.json');
        $contestants = ['json_encode()', 'JSON (JS)', '@msgpack/msgpack', 'encoding/json', 'Polypack (Go)'];
        $run = Lab::run('run', ['--only' => $contestants, '--scenario' => ['real-mime', 'small-event'], '--operation' => 'deserialize', '--rounds' => '1', '--json' => $json] + Lab::QUICK);
        self::assertSame(0, $run['code'], $run['error']);
        $rows = Result::read($json)->rows();
        self::assertCount(2 * \count($contestants), $rows);
        self::assertSame([null], \array_values(\array_unique(\array_column($rows, 'fault'))));
    }

    public function testAQuickRunLeavesOutOtherWaysToUseALibraryUnlessTheyAreNamed(): void
    {
        $slugs = \array_map(static fn(Entry $entry): string => $entry->slug, Roster::load([], languages: true)->entries);
        $few = ['serialize', 'json-encode', 'polypack-records', 'polypack-transformer'];
        foreach ([['--exclude' => \array_values(\array_diff($slugs, $few))], ['--only' => $few]] as $i => $chosen) {
            $json = Paths::build('quick.json');
            $run = Lab::run('run', ['--quick' => true, '--scenario' => ['person'], '--batch-count' => '1', '--operation' => 'serialize', '--rounds' => '1', '--json' => $json] + $chosen + Lab::QUICK);
            self::assertSame(0, $run['code'], $run['error']);
            self::assertEqualsCanonicalizing(\array_slice($few, 0, 2 + 2 * $i), \array_column(Result::read($json)->rows(), 'contestant'));
        }
    }

    public function testFewerThanFiveProcessesTellNoInterval(): void
    {
        $json = Paths::build('five.json');
        $enough = Lab::run('serialize', ['--only' => ['serialize()', 'json_encode()'], '--rounds' => '5', '--json' => $json] + Lab::QUICK);
        self::assertSame(0, $enough['code'], $enough['error']);
        self::assertMatchesRegularExpression('/│ 1=? +│ \S+ +│ [\d.]+ \([\d.]+–[\d.]+\) +│/', $enough['output']);
        self::assertStringNotContainsString('fewer than 5 processes', $enough['output']);
        self::assertStringNotContainsString('no interval is to be trusted', Lab::run('compare', ['old' => $json, 'new' => $json])['output']);

        $few = Paths::build('four.json');
        $belowFive = Lab::run('serialize', ['--only' => ['serialize()', 'json_encode()'], '--rounds' => '4', '--json' => $few] + Lab::QUICK);
        self::assertSame(0, $belowFive['code'], $belowFive['error']);
        self::assertMatchesRegularExpression('/│ ~1=? +│ \S+ +│ [\d.]+ \[1\] +│ [\d.]+ +│/', $belowFive['output']);
        self::assertStringContainsString('[1] fewer than 5 processes measured it or its baseline: there is no interval to trust', $belowFive['output']);
        self::assertStringContainsString('A cell had 4 processes only: below 5, no interval is to be trusted', Lab::run('compare', ['old' => $json, 'new' => $few])['output']);
    }

    public function testARegressionOfARatioIsAnExitCode(): void
    {
        $old = $this->changed(static fn(array $row): array => $row);
        $slower = $this->changed(static function (array $row): array {
            if ($row['contestant'] === 'serialize') {
                $row['ratio'] = \array_map(static fn(float $ratio): float => 2 * $ratio, $row['ratio']);
            }

            return $row;
        });
        $failing = $this->changed(static function (array $row): array {
            return $row['contestant'] === 'serialize' ? ['fault' => 'hangs: no answer'] + \array_diff_key($row, ['ratio' => 0, 'time' => 0]) : $row;
        });

        $same = Lab::run('compare', ['old' => $old, 'new' => $old]);
        self::assertSame(0, $same['code'], $same['error']);
        self::assertStringContainsString('2 cells are in both runs; 0 got worse.', $same['output']);

        $worse = Lab::run('compare', ['old' => $old, 'new' => $slower]);
        self::assertSame(1, $worse['code'], $worse['error']);
        self::assertMatchesRegularExpression('/│ serialize\(\) +│ person × 2 +│ serialize +│.*│ worse +│/', $worse['output']);
        self::assertStringContainsString('1 got worse', $worse['output']);

        $better = Lab::run('compare', ['old' => $slower, 'new' => $old]);
        self::assertSame(0, $better['code']);
        self::assertMatchesRegularExpression('/│ serialize\(\) .*│ better +│/', $better['output']);

        self::assertSame(1, Lab::run('compare', ['old' => $old, 'new' => $failing])['code']);
        self::assertSame(0, Lab::run('compare', ['old' => $old, 'new' => $slower, '--only' => ['json_encode()']])['code']);
    }

    public function testRunsThatCannotBeComparedAreRefused(): void
    {
        $result = $this->changed(static fn(array $row): array => $row);
        $run = Lab::run('compare', ['old' => __FILE__, 'new' => $result]);

        self::assertSame(2, $run['code']);
        self::assertStringStartsWith('lab: ' . __FILE__ . ' holds no result', $run['error']);
    }

    public function testAResultBecomesOnePage(): void
    {
        $result = $this->changed(static fn(array $row): array => $row);
        $page = Paths::build('page/report.html');
        $run = Lab::run('report', ['result' => $result, '--out' => $page]);

        self::assertSame(0, $run['code'], $run['error']);
        $html = (string) \file_get_contents($page);
        self::assertStringContainsString('"name":"serialize()"', $html);
        self::assertDoesNotMatchRegularExpression('/ (?:src|href)="/', $html, 'nothing beside the page is needed');

        $refused = Lab::run('report', ['result' => __FILE__]);
        self::assertSame(2, $refused['code']);
        self::assertStringStartsWith('lab: ' . __FILE__ . ' holds no result', $refused['error']);
    }

    public function testRatiosOfABenchBecomeAPage(): void
    {
        $rows = Paths::build('page/ratios.json');
        $row = ['workload' => 'rows', 'operation' => 'size', 'against' => 'igbinary', 'ratio' => 2.1, 'low' => 2.1, 'high' => 2.1, 'verified' => true];
        Paths::write($rows, \json_encode([$row], \JSON_THROW_ON_ERROR));
        $page = Paths::build('page/ratios.html');
        $run = Lab::run('report', ['result' => $rows, '--out' => $page]);

        self::assertSame(0, $run['code'], $run['error']);
        self::assertStringContainsString('{"name":"ratios","rows":[{"workload":"rows"', (string) \file_get_contents($page));

        foreach ([[[], 'holds no row'], [[['against' => 1] + $row], 'row 0 has no against, so']] as [$wrong, $why]) {
            Paths::write($rows, \json_encode($wrong, \JSON_THROW_ON_ERROR));
            $refused = Lab::run('report', ['result' => $rows]);
            self::assertSame(2, $refused['code']);
            self::assertStringContainsString($why, $refused['error']);
        }
    }

    public function testTheDoctorSaysWhatIsThere(): void
    {
        $run = Lab::run('doctor', []);

        self::assertSame(0, $run['code'], $run['error']);
        foreach (['cpu', 'php', 'xdebug', 'opcache', 'load', 'noise of processor time'] as $what) {
            self::assertMatchesRegularExpression("/│ {$what} +│ \\S/", $run['output']);
        }
    }

    /**
     * @param \Closure(array<string, mixed>): array<string, mixed> $change of each row
     *
     * @return string the file
     */
    private function changed(\Closure $change): string
    {
        static $measured = null;
        if ($measured === null) {
            $measured = Paths::build('measured.json');
            $run = Lab::run('serialize', ['--only' => ['serialize()', 'json_encode()'], '--batch-count' => '2', '--json' => $measured] + Lab::QUICK);
            self::assertSame(0, $run['code'], $run['error']);
        }
        $document = Result::read($measured)->document;
        // On a busy machine, an interval may be so wide that nothing is a regression; here all are narrow.
        $narrow = static fn(array $row): array => isset($row['ratio']) ? ['ratio' => ['median' => 1.0, 'low' => 0.9, 'high' => 1.1]] + $row : $row;
        $document['cells'] = \array_map($change, \array_map($narrow, (array) $document['cells']));
        $file = Paths::build('changed-' . \md5(\json_encode($document['cells'], \JSON_THROW_ON_ERROR)) . '.json');
        Paths::write($file, \json_encode($document, \JSON_THROW_ON_ERROR));

        return $file;
    }
}
