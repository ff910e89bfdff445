<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests;

use PHPUnit\Framework\TestCase;
use Polypack\Lab\Contestant\Entry;
use Polypack\Lab\Contestant\Foreign;
use Polypack\Lab\Paths;
use Polypack\Lab\Payload\Scenario;
use Polypack\Lab\Report\Result;

/** The payloads of the benches as scenarios, and the ratios of a bench beside those of the lab. */
final class BesideTest extends TestCase
{
    private const BENCH = ['workload' => 'event', 'operation' => 'encode', 'against' => 'json', 'mode' => 'opcache', 'ratio' => 0.4, 'low' => 0.38, 'high' => 0.42, 'verified' => true];

    public function testPayloadsAreMeasuredOnceWhateverTheCount(): void
    {
        $run = self::measure(['--scenario' => ['small', 'event'], '--only' => ['polypack-static', 'json_encode()'], '--batch-count' => '1,10']);

        self::assertSame(0, $run['code'], $run['error']);
        self::assertStringContainsString('small-ack, serialize: four fields, 32 bytes of MessagePack', $run['output']);
        $rows = Result::read($run['json'])->rows();
        self::assertCount(2 * 2 * 4, $rows);
        self::assertSame([1], \array_values(\array_unique(\array_column($rows, 'count'))));
        self::assertSame([null], \array_values(\array_unique(\array_column($rows, 'fault'))));
    }

    public function testAnUnknownScenarioIsRefusedInOneLine(): void
    {
        $run = Lab::run('run', ['--scenario' => ['evnt']]);

        self::assertSame(2, $run['code']);
        self::assertStringStartsWith('lab: --scenario evnt: one of lists, streams, payloads, small, documents, shapes, values, objects, js, unfriendly, go, columns, person, order', $run['error']);
    }

    public function testRatiosAgreeOrDiffer(): void
    {
        $run = self::measure(['--scenario' => ['event'], '--only' => ['polypack', 'json_encode()'], '--baseline' => 'polypack']);
        self::assertSame(0, $run['code'], $run['error']);
        $result = Result::read($run['json']);
        $document = $result->document;
        $document['cells'] = \array_map(static fn(array $row): array => ['ratio' => ['median' => 0.5, 'low' => 0.43, 'high' => 0.6]] + $row, $result->rows());
        $lab = Paths::build('beside-lab.json');
        Paths::write($lab, \json_encode($document, \JSON_THROW_ON_ERROR));

        $same = self::compare([self::BENCH, ['mode' => 'jit', 'high' => 0.1, 'low' => 0.1] + self::BENCH], $lab);
        self::assertSame(0, $same['code'], $same['error']);
        self::assertMatchesRegularExpression('/│ event +│ encode +│ json_encode\(\) +│ 0.40 \(0.38–0.42\) +│ 0.50 \(0.43–0.60\) +│ 1.25 +│ same/', $same['output']);
        self::assertStringContainsString('1 ratios are in both; 0 differ.', $same['output']);

        $strict = self::compare([self::BENCH], $lab, ['--tolerance' => '1']);
        self::assertSame(1, $strict['code'], $strict['error']);
        self::assertStringContainsString('│ differs', $strict['output']);
        self::assertSame(1, self::compare([['low' => 0.7, 'high' => 0.8] + self::BENCH], $lab)['code']);

        $none = self::compare([['workload' => 'event-static'] + self::BENCH, ['verified' => false] + self::BENCH, ['against' => 'pecl'] + self::BENCH], $lab);
        self::assertSame(2, $none['code']);
        self::assertStringContainsString('have no payload and peer in common', $none['error']);

        Paths::write($lab, \json_encode(['baseline' => 'json-encode'] + $document, \JSON_THROW_ON_ERROR));
        $refused = self::compare([self::BENCH], $lab);
        self::assertSame(2, $refused['code']);
        self::assertStringContainsString('lab run --baseline polypack', $refused['error']);
    }

    public function testRatiosAreOfTheModeAndTheProvenanceOfTheRun(): void
    {
        $run = self::measure(['--scenario' => ['event'], '--only' => ['polypack', 'serialize()'], '--operation' => 'serialize', '--baseline' => 'polypack', '--mode' => 'jit-function']);
        self::assertSame(0, $run['code'], $run['error']);
        self::assertStringContainsString('PHP: mode jit-function, provenance json.', $run['output']);
        $row = ['against' => 'serialize', 'low' => 0.0001, 'high' => 1000] + self::BENCH;

        $same = self::compare([['mode' => 'jit-function', 'provenance' => 'json'] + $row, ['mode' => 'jit-function', 'provenance' => 'built'] + $row, $row], $run['json']);
        self::assertSame(0, $same['code'], $same['error']);
        self::assertStringContainsString('1 ratios are in both; 0 differ.', $same['output']);
    }

    public function testShapesOfSnapshotsAreFoundByTheirNames(): void
    {
        $run = self::measure(['--scenario' => ['snapshot-small', 'snapshot-dto_100'], '--only' => ['polypack-snapshot', 'serialize()'], '--baseline' => 'polypack-snapshot', '--mode' => 'plain']);
        self::assertSame(0, $run['code'], $run['error']);
        $row = ['against' => 'serialize', 'mode' => 'json', 'low' => 0.0001, 'high' => 1000] + self::BENCH;

        $same = self::compare([['workload' => 'small'] + $row, ['workload' => 'dto_100'] + $row, ['operation' => 'size'] + $row], $run['json']);
        self::assertSame(0, $same['code'], $same['error']);
        self::assertStringContainsString('2 ratios are in both; 0 differ.', $same['output']);
    }

    public function testSingleValuesAreFoundByTheirNames(): void
    {
        $run = self::measure(['--scenario' => ['value-nil', 'value-7-bit-uint-1', 'value-8-bit-binary-1'], '--only' => ['polypack', 'serialize()'], '--baseline' => 'polypack']);
        self::assertSame(0, $run['code'], $run['error']);
        $row = ['against' => 'serialize', 'low' => 0.0001, 'high' => 1000] + self::BENCH;

        $same = self::compare([['workload' => 'seed-nil'] + $row, ['workload' => 'seed-7-bit uint #1'] + $row, ['workload' => 'seed-7-bit uint #2'] + $row], $run['json']);
        self::assertSame(0, $same['code'], $same['error']);
        self::assertStringContainsString('2 ratios are in both; 0 differ.', $same['output']);

        $bin = ['workload' => 'seed-8-bit binary #1'] + $row;
        $onlyRead = self::compare([$bin, ['operation' => 'decode'] + $bin], $run['json']);
        self::assertStringContainsString('1 ratios are in both; 0 differ.', $onlyRead['output'], 'the bench packs it as str');
    }

    public function testObjectsOfUsersAreFoundByTheirNames(): void
    {
        $run = self::measure(['--scenario' => ['objects'], '--only' => ['polypack-own-objects', 'polypack-c-own-objects'], '--baseline' => 'polypack-own-objects']);
        self::assertSame(0, $run['code'], $run['error']);
        self::assertStringContainsString('Polypack, own objects takes no part: nothing makes such objects again', $run['output']);
        $rows = Result::read($run['json'])->rows();
        self::assertSame(['serialize'], \array_values(\array_unique(\array_column($rows, 'operation'))));
        $row = ['operation' => 'encode', 'against' => 'polypack', 'low' => 0.0001, 'high' => 1000] + self::BENCH;

        $same = self::compare([['workload' => 'objects-fields'] + $row, ['workload' => 'objects-transformer'] + $row, ['workload' => 'objects-second'] + $row], $run['json']);
        self::assertSame(0, $same['code'], $same['error']);
        self::assertStringContainsString('2 ratios are in both; 0 differ.', $same['output']);
    }

    public function testPayloadsOfTheBenchOfJavaScriptAreFoundByTheirNames(): void
    {
        $run = self::measure(['--scenario' => ['js-ex1'], '--only' => ['@msgpack/msgpack', 'JSON (JS)', 'Polypack (JS)', 'encoding/json'], '--baseline' => 'Polypack (JS)']);
        self::assertSame(0, $run['code'], $run['error']);
        $rows = Result::read($run['json'])->rows();
        self::assertCount(2 * 4, $rows);
        self::assertSame([null], \array_values(\array_unique(\array_column($rows, 'fault'))));
        $data = \glob(Paths::build('data/js-ex1-1-*.json')) ?: [];
        self::assertStringContainsString('"none":[],', (string) \file_get_contents($data[0]));
        self::assertStringContainsString('"nothing":{},', (string) \file_get_contents($data[0]));
        $row = ['workload' => 'ex1', 'operation' => 'pack', 'against' => 'JSON', 'ratio' => 1, 'low' => 0.0001, 'high' => 1000, 'verified' => true];

        $same = self::compare([$row, ['operation' => 'unpack', 'against' => '@msgpack/msgpack'] + $row, ['operation' => 'pack-records'] + $row], $run['json']);
        self::assertSame(0, $same['code'], $same['error']);
        self::assertStringContainsString('2 ratios are in both; 0 differ.', $same['output']);
        self::assertMatchesRegularExpression('/│ ex1 +│ unpack +│ @msgpack\/msgpack +│/', $same['output']);
    }

    public function testRecordsAndStreamsOfTheBenchOfJavaScriptAreFoundByTheirNames(): void
    {
        foreach (['records' => ['js-ex1', 'ex1', 'unpack-records'], 'node-stream' => ['js-stream-small', 'small', 'stream']] as $kind => [$scenario, $workload, $operation]) {
            $run = self::measure(['--scenario' => [$scenario], '--only' => ["polypack-js-{$kind}", "msgpackr-{$kind}"], '--operation' => 'deserialize', '--baseline' => "polypack-js-{$kind}"]);
            self::assertSame(0, $run['code'], $run['error']);
            $row = ['workload' => $workload, 'operation' => $operation, 'against' => 'msgpackr', 'ratio' => 1, 'low' => 0.0001, 'high' => 1000, 'verified' => true];

            $same = self::compare([$row, ['operation' => 'unpack'] + $row, ['against' => 'one-shot'] + $row], $run['json']);
            self::assertSame(0, $same['code'], $same['error']);
            self::assertStringContainsString('1 ratios are in both; 0 differ.', $same['output']);
        }
    }

    /** One result stands for all of them: only names matter here. */
    public function testOtherWaysAndHostsOfTheBenchOfJavaScriptAreFoundByTheirNames(): void
    {
        $run = self::measure(['--scenario' => ['js-ex5'], '--only' => ['polypack-js', 'json-js'], '--operation' => 'deserialize', '--baseline' => 'polypack-js']);
        self::assertSame(0, $run['code'], $run['error']);
        $json = (string) \file_get_contents($run['json']);
        $known = \array_map(static fn(Entry $entry): string => $entry->slug, Foreign::javaScript());
        foreach ([
            ['polypack-js', 'json-js', 'js-ex5', 'ex5: result kept', 'memory', 'JSON'],
            ['polypack-js', 'msgpackr-no-addon', 'js-unfriendly-deep', 'deep', 'unpack-unfriendly', 'msgpackr-noaddon'],
            ['polypack-js-compact', 'polypack-js', 'js-ex5', 'ex5', 'unpack-compact', 'polypack'],
            ['polypack-js-no-eval', 'msgpackr-no-eval', 'js-ex5', 'ex5', 'unpack-noeval', 'msgpackr-noeval'],
            ['polypack-js-browser', 'msgpack-msgpack', 'js-ex5', 'ex5', 'unpack-browser', '@msgpack/msgpack'],
            ['polypack-js-chromium', 'msgpackr-bundled-chromium', 'js-ex5', 'ex5', 'unpack-chromium', 'msgpackr-bundled'],
            ['polypack-js-chromium-no-eval', 'msgpackr-chromium', 'js-ex5', 'ex5', 'unpack-chromium-noeval', 'msgpackr'],
        ] as [$ours, $peer, $scenario, $workload, $operation, $against]) {
            self::assertSame([], \array_diff([$ours, $peer], $known));
            $lab = Paths::build('beside-renamed.json');
            Paths::write($lab, \strtr($json, ['"polypack-js"' => "\"{$ours}\"", '"json-js"' => "\"{$peer}\"", '"js-ex5"' => "\"{$scenario}\""]));
            $row = ['workload' => $workload, 'operation' => $operation, 'against' => $against, 'ratio' => 1, 'low' => 0.0001, 'high' => 1000, 'verified' => true];

            $same = self::compare([$row, ['workload' => 'ex4'] + $row], $lab);
            self::assertSame(0, $same['code'], "{$operation}: {$same['error']}");
            self::assertStringContainsString('1 ratios are in both; 0 differ.', $same['output']);
        }
    }

    public function testPayloadsOfTheBenchOfGoAreFoundByTheirNames(): void
    {
        $run = self::measure(['--scenario' => ['go-14Series', 'go-01Small'], '--only' => ['encoding/json', 'Polypack (Go)'], '--operation' => 'deserialize', '--baseline' => 'Polypack (Go)']);
        self::assertSame(0, $run['code'], $run['error']);
        $rows = Result::read($run['json'])->rows();
        self::assertCount(2 * 2, $rows);
        self::assertSame([null], \array_values(\array_unique(\array_column($rows, 'fault'))));
        $row = ['workload' => '14Series', 'operation' => 'decode', 'against' => 'json', 'ratio' => 1, 'low' => 0.0001, 'high' => 1000, 'verified' => true];

        $same = self::compare([$row, ['against' => 'msgp'] + $row, ['operation' => 'decode-gen'] + $row], $run['json']);
        self::assertSame(0, $same['code'], $same['error']);
        self::assertStringContainsString('1 ratios are in both; 0 differ.', $same['output']);
    }

    public function testColumnsOfAMillionValuesAreMeasuredOnlyIfTheyAreNamed(): void
    {
        self::assertSame([], \array_intersect(Scenario::COLUMNS, [...Scenario::LISTS, ...Scenario::groups()['go']]));
        self::assertSame(Scenario::COLUMNS, Scenario::groups()['columns']);
    }

    public function testOtherWaysOfTheBenchOfGoAreFoundByTheirNames(): void
    {
        $run = self::measure(['--scenario' => ['go-13Config', 'go-01Small'], '--only' => ['encoding/json', 'Polypack (Go), generated'], '--operation' => 'serialize', '--baseline' => 'Polypack (Go), generated']);
        self::assertSame(0, $run['code'], $run['error']);
        self::assertSame([null], \array_values(\array_unique(\array_column(Result::read($run['json'])->rows(), 'fault'))));
        $row = ['workload' => '13Config', 'operation' => 'encode-gen', 'against' => 'json', 'ratio' => 1, 'low' => 0.0001, 'high' => 1000, 'verified' => true];

        // A column takes seconds, and only its name matters here.
        $text = \str_replace('"go-01Small"', '"go-09Uint16x1M"', (string) \file_get_contents($run['json']));
        Paths::write($run['json'], $text);
        $same = self::compare([$row, ['workload' => '09Uint16x1M'] + $row, ['operation' => 'encode'] + $row], $run['json']);
        self::assertSame(0, $same['code'], $same['error']);
        self::assertStringContainsString('2 ratios are in both; 0 differ.', $same['output']);

        // With other names, since not every machine has the peers that append.
        $text = \strtr($text, ['polypack-go-generated' => 'polypack-go-codec-append', 'encoding-json' => 'msgp-append']);
        Paths::write($run['json'], $text);
        $append = ['operation' => 'encode-append', 'against' => 'msgp'] + $row;
        $same = self::compare([$append, $row, ['operation' => 'encode-append-gen'] + $append], $run['json']);
        self::assertSame(0, $same['code'], $same['error']);
        self::assertStringContainsString('1 ratios are in both; 0 differ.', $same['output']);
    }

    public function testWhoDoesOneOperationOnlyTakesNoPartInTheOther(): void
    {
        $run = self::measure(['--scenario' => ['go-01Small'], '--only' => ['Polypack (Go), append', 'Polypack (Go), zero-copy'], '--baseline' => 'Polypack (Go), append']);
        self::assertSame(0, $run['code'], $run['error']);
        $rows = Result::read($run['json'])->rows();
        self::assertEqualsCanonicalizing(['serialize/polypack-go-append', 'deserialize/polypack-go-zero-copy'], \array_map(static fn(array $row): string => "{$row['operation']}/{$row['contestant']}", $rows));
    }

    /**
     * @param array<string, mixed> $options
     *
     * @return array{code: int, output: string, error: string, json: string}
     */
    private static function measure(array $options): array
    {
        $json = Paths::build('beside-' . \md5(\json_encode($options, \JSON_THROW_ON_ERROR)) . '.json');

        return Lab::run('run', ['--json' => $json] + $options + ['--rounds' => '1', '--budget' => '0.01'] + Lab::QUICK) + ['json' => $json];
    }

    /**
     * @param list<array<string, mixed>> $ratios
     * @param array<string, string>      $options
     *
     * @return array{code: int, output: string, error: string}
     */
    private static function compare(array $ratios, string $lab, array $options = []): array
    {
        $bench = Paths::build('beside-bench.json');
        Paths::write($bench, \json_encode($ratios, \JSON_THROW_ON_ERROR));

        return Lab::run('compare', ['old' => $bench, 'new' => $lab] + $options);
    }
}
