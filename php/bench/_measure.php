<?php

declare(strict_types=1);

namespace Polypack\Bench;

// One process of the bench: measures every workload in alternating rounds and prints the ratios as JSON. quick.php starts
// it several times, because what a JIT compiles, and where memory lies, is decided once for each process.
//
// usage: php bench/_measure.php PROCESS

require __DIR__ . '/../vendor/autoload.php';
require __DIR__ . '/_contestants.php';
require __DIR__ . '/_payloads.php';

const ROUNDS = 9;
const ROUND_NS = 8_000_000;
const WARM_UP_NS = 25_000_000;

/**
 * One operation of one contestant, with the result that is right.
 */
final class Run
{
    /**
     * @param \Closure(int): mixed $repeat takes how often, returns the last result
     */
    public function __construct(private readonly \Closure $repeat, private readonly mixed $expected) {}

    /**
     * @return array{int, bool} nanoseconds, and whether the last result was right
     */
    public function time(int $calls): array
    {
        $started = \hrtime(true);
        $result = ($this->repeat)($calls);
        $time = \hrtime(true) - $started;

        return [$time, $result === $this->expected];
    }
}

/**
 * Measures one operation of all contestants; ours is the first. The order turns by one each round, and both times of a
 * ratio are of one round, so that a slow phase of the machine hits both.
 *
 * @param non-empty-array<string, Run> $runs
 *
 * @return array<string, list<float>> of each peer its time divided by ours, round by round; empty after a wrong result
 */
function measure(array $runs): array
{
    $names = \array_keys($runs);
    $wrong = [];
    $calls = [];
    foreach ($runs as $name => $run) {
        [$done, $spent] = [0, 0];
        for ($batch = 1; $spent < WARM_UP_NS; $batch *= 2) {
            [$time, $right] = $run->time($batch);
            [$done, $spent] = [$done + $batch, $spent + $time];
            $wrong += $right ? [] : [$name => true];
        }
        $calls[$name] = \max(1, (int) ($done * ROUND_NS / $spent));
    }

    $times = [];
    for ($round = 0; $round < ROUNDS; ++$round) {
        for ($turn = 0; $turn < \count($names); ++$turn) {
            $name = $names[($turn + $round) % \count($names)];
            [$time, $right] = $runs[$name]->time($calls[$name]);
            $times[$name][] = $time / $calls[$name];
            $wrong += $right ? [] : [$name => true];
        }
    }

    $ours = \array_shift($names);
    if (isset($wrong[$ours])) {
        throw new \RuntimeException("{$ours} gave a wrong result");
    }
    $ratios = [];
    foreach ($names as $name) {
        $ratios[$name] = isset($wrong[$name])
            ? []
            : \array_map(static fn(float $theirs, float $our): float => $theirs / $our, $times[$name], $times[$ours]);
    }

    return $ratios;
}

/**
 * @param non-empty-list<Contestant> $contestants
 *
 * @return list<array{workload: string, operation: string, against: string, ratios: list<float>}>
 */
function rowsOf(string $workload, mixed $value, array $contestants): array
{
    $runs = [];
    foreach ($contestants as $one) {
        $bytes = ($one->encode)($value, 1);
        // Equal bytes are the right result of encoding because decoding them gives the value, which is the other operation.
        $runs['encode'][$one->name] = new Run(static fn(int $calls): string => ($one->encode)($value, $calls), $bytes);
        $runs['decode'][$one->name] = new Run(static fn(int $calls): mixed => ($one->decode)($bytes, $calls), $value);
    }
    $rows = [];
    foreach ($runs as $operation => $list) {
        foreach (measure($list) as $against => $ratios) {
            $rows[] = ['workload' => $workload, 'operation' => $operation, 'against' => $against, 'ratios' => $ratios];
        }
    }

    return $rows;
}

// Each process starts at another workload: what a tracing JIT makes of a loop depends on what ran through it first.
/** @var list<string> $words */
$words = $_SERVER['argv'];
$process = (int) ($words[1] ?? 0);
$payloads = Payloads::all();
$order = \array_keys($payloads);
$start = 2 * $process % \count($order);
$rows = [];
foreach ([...\array_slice($order, $start), ...\array_slice($order, 0, $start)] as $workload) {
    $rows = [...$rows, ...rowsOf($workload, $payloads[$workload], [Contestant::kept(), ...Contestant::peers()])];
    if ($workload === 'event') {
        $rows = [...$rows, ...rowsOf('event static', $payloads[$workload], [Contestant::static(), ...Contestant::peers()])];
    }
}

/** @var array{opcache_enabled: bool, jit: array{on: bool}}|false $status */
$status = \function_exists('opcache_get_status') ? \opcache_get_status(false) : false;
echo \json_encode([
    'opcache' => $status !== false && $status['opcache_enabled'],
    'jit' => $status !== false && $status['jit']['on'],
    'rows' => $rows,
], \JSON_THROW_ON_ERROR);
