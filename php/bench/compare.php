<?php

declare(strict_types=1);

namespace Polypack\Bench;

use Polypack\Tests\Support\Modes;

// Compares the library with others: realistic payloads, single values and streams, in each mode of PHP.
//
// Plan: the command line · processes · rows · tables. _measure.php measures, _contestants.php says what, _payloads.php,
// _cases.php and _streams.php of what.
//
// A ratio says how many times faster polypack is: the peer's time divided by ours, both of one round. A row has the
// median of the medians of all processes, and the lowest and the highest of those. Every result is compared with the
// value, element by element, outside of the clock.

const USAGE = <<<'TEXT'
    usage: php bench/compare.php [OPTION…]

      --modes LIST        of plain (without opcache), opcache, jit (tracing), jit-function; default opcache,jit
      --peer NAME=DIR     a checkout of a peer: rybakit (rybakit/msgpack), or base: another version of this library
                          (DIR has src/); repeat it for several. What Composer or PHP has takes part by itself:
                          rybakit, pecl, igbinary, serialize, json
      --against LIST      only these peers; strict is this library in strict mode, which takes part only if named
      --workloads LIST    only these; * stands for anything. There are api1000 config event event-static ints10k
                          ints7_10k ints32_10k floats10k texts300 strs5k blobs100x1k matrix100x100f idmap5k, seed-*
                          (single values), real-* (the documents of the relay), small-* (32 to 169 bytes), objects-*,
                          stream-* and memory-* (peak of decoding); default: all but seed-*, real-* and small-*
      --operations LIST   of encode, decode; default both
      --provenance NAME   strings of encoded values are as built, from json or from unserialize; default: each process
                          takes the next
      --processes N       of each mode; default 3, for one of each provenance
      --first N           number of the first process, default 0: it decides the order of the workloads and the provenance
      --rounds N          of each process, default 28; fewer, but at least 7, when calls are longer than a round
      --round-ms N        time of one contestant in a round, default 1
      --php COMMAND       the PHP to measure, default the one that runs this
      --extension FILE    load this extension too; repeat it for several
      --out FILE          for the rows, default build/bench/php.json
      --quick             2 processes of 10 rounds

    Against another version, in half a minute:
      php bench/compare.php --quick --peer base=/path/to/main/php --against base --operations decode --workloads 'api1000,event'

    TEXT;

const EVERYWHERE = [
    'serialize_precision' => '-1', 'memory_limit' => '1G', 'display_errors' => 'stderr', 'error_reporting' => '-1', 'xdebug.mode' => 'off',
];

/** @return never */
function fail(string $message): void
{
    \fwrite(\STDERR, "compare: {$message}; see --help\n");
    exit(2);
}

// --- the command line ------------------------------------------------------------------------------------------------

/**
 * What the command line says.
 */
final class Options
{
    /** @var list<key-of<Modes::ALL>> */
    public array $modes = ['opcache', 'jit'];
    /** @var array<string, string> folder by peer */
    public array $folders = [];
    /** @var list<string> */
    public array $against = [];
    /** @var list<string> */
    public array $workloads = [];
    /** @var list<string> */
    public array $operations = ['encode', 'decode'];
    public string $provenance = '';
    public int $processes = 3;
    public int $first = 0;
    // The speed of a busy machine changes from one tenth of a second to the next: many short rounds have half the
    // spread of a quarter of them that last four times as long.
    public int $rounds = 28;
    public int $roundMs = 1;
    public string $php = \PHP_BINARY;
    /** @var list<string> */
    public array $extensions = [];
    public string $out = __DIR__ . '/../../build/bench/php.json';

    /**
     * @param list<string> $words
     */
    public function __construct(array $words)
    {
        while ($words !== []) {
            $name = \array_shift($words);
            if ($name === '--help') {
                echo USAGE;
                exit(0);
            }
            if ($name === '--quick') {
                [$this->processes, $this->rounds] = [2, 10];
                continue;
            }
            $this->set($name, \array_shift($words) ?? fail("{$name} needs a value"));
        }
    }

    private function set(string $name, string $value): void
    {
        match ($name) {
            '--modes' => $this->modes = self::listOf($value, \array_keys(Modes::ALL)),
            '--peer' => $this->addFolder($value),
            '--against' => $this->against = self::listOf($value),
            '--workloads' => $this->workloads = self::listOf($value),
            '--operations' => $this->operations = self::listOf($value, ['encode', 'decode']),
            '--provenance' => $this->provenance = self::listOf($value, Payloads::PROVENANCES)[0],
            '--processes' => $this->processes = self::number($value),
            '--first' => $this->first = self::number($value),
            '--rounds' => $this->rounds = self::number($value),
            '--round-ms' => $this->roundMs = self::number($value),
            '--php' => $this->php = $value,
            '--extension' => $this->extensions[] = $value,
            '--out' => $this->out = $value,
            default => fail("unknown option {$name}"),
        };
    }

    private function addFolder(string $pair): void
    {
        [$name, $folder] = [...\explode('=', $pair, 2), ''];
        if (!isset(Library::PEERS[$name])) {
            fail("no peer with a checkout is called {$name}; one of " . \implode(', ', \array_keys(Library::PEERS)));
        }
        if (!\is_file("{$folder}/src/Packer.php")) {
            fail("{$pair}: there is no src/Packer.php");
        }
        $this->folders[$name] = (string) \realpath($folder);
    }

    /**
     * @template T of string
     *
     * @param list<T> $known
     *
     * @return ($known is array{} ? non-empty-list<string> : non-empty-list<T>)
     */
    private static function listOf(string $words, array $known = []): array
    {
        $list = \explode(',', $words);
        $unknown = $known === [] ? [] : \array_diff($list, $known);
        if ($unknown !== []) {
            fail(\implode(', ', $unknown) . ' is none of ' . \implode(', ', $known));
        }

        /** @var non-empty-list<T> */
        return $list;
    }

    private static function number(string $digits): int
    {
        return \preg_match('/^\d{1,6}$/D', $digits) === 1 ? (int) $digits : fail("{$digits} is no number");
    }
}

// --- processes -------------------------------------------------------------------------------------------------------

/**
 * @phpstan-type Measured array{
 *     workload: string, operation: string, against: string, ratios: non-empty-list<float>, verified: bool
 * }
 * @phpstan-type Report array{php: string, mode: string, rows: list<Measured>}
 * @phpstan-type Row array{
 *     workload: string, operation: string, against: string, mode: string, provenance?: string, ratio: float,
 *     low: float, high: float, verified: bool
 * }
 */
final class Comparison
{
    /** @var array<string, true> versions of PHP that were measured */
    public array $versions = [];

    public function __construct(private readonly Options $options) {}

    /**
     * @return list<Row>
     */
    public function rows(): array
    {
        $rows = [];
        foreach ($this->options->modes as $mode) {
            $medians = $verified = [];
            for ($number = 0; $number < $this->options->processes; ++$number) {
                $report = $this->process($this->options->first + $number, $mode);
                if ($report['mode'] !== $mode) {
                    echo "mode {$mode} is left out: this PHP does not have it\n";
                    continue 2;
                }
                $this->versions[$report['php']] = true;
                foreach ($report['rows'] as $row) {
                    $key = "{$row['workload']}/{$row['operation']}/{$row['against']}";
                    $medians[$key][] = median($row['ratios']);
                    $verified[$key] = ($verified[$key] ?? true) && $row['verified'];
                }
            }
            foreach ($medians as $key => $ratios) {
                [$workload, $operation, $against] = \explode('/', $key);
                $rows[] = [
                    'workload' => $workload, 'operation' => $operation, 'against' => $against, 'mode' => $mode,
                    ...($this->options->provenance === '' ? [] : ['provenance' => $this->options->provenance]),
                    'ratio' => \round(median($ratios), 3), 'low' => \round(\min($ratios), 3), 'high' => \round(\max($ratios), 3),
                    'verified' => $verified[$key],
                ];
            }
        }

        return $rows;
    }

    /**
     * @param key-of<Modes::ALL> $mode
     *
     * @return Report
     */
    private function process(int $number, string $mode): array
    {
        $command = Modes::command($this->options->php, $mode, EVERYWHERE);
        foreach ($this->options->extensions as $extension) {
            \array_push($command, '-d', "extension={$extension}");
        }
        $choice = \json_encode([
            'process' => $number,
            'workloads' => $this->options->workloads,
            'peers' => $this->options->against,
            'operations' => $this->options->operations,
            'provenance' => $this->options->provenance !== '' ? $this->options->provenance : Payloads::PROVENANCES[$number % 3],
            'rounds' => $this->options->rounds,
            'roundNs' => 1_000_000 * $this->options->roundMs,
            'folders' => $this->options->folders,
        ], \JSON_THROW_ON_ERROR);
        $child = \proc_open([...$command, __DIR__ . '/_measure.php', $choice], [1 => ['pipe', 'w']], $pipes);
        if (!\is_resource($child)) {
            throw new \RuntimeException("cannot start {$this->options->php}");
        }
        $output = (string) \stream_get_contents($pipes[1]);
        $status = \proc_close($child);
        if ($status !== 0) {
            throw new \RuntimeException("a process of the bench ended with status {$status}: {$output}");
        }

        /** @var Report */
        return \json_decode($output, true, 512, \JSON_THROW_ON_ERROR);
    }
}

/**
 * @param non-empty-list<float> $numbers
 */
function median(array $numbers): float
{
    \sort($numbers);
    $middle = \count($numbers) >> 1;

    return \count($numbers) % 2 === 1 ? $numbers[$middle] : ($numbers[$middle - 1] + $numbers[$middle]) / 2;
}

// --- tables ----------------------------------------------------------------------------------------------------------

/**
 * Prints for each mode and operation a line for each workload and a column for each peer.
 *
 * @param list<array{
 *     workload: string, operation: string, against: string, mode: string, ratio: float, low: float, high: float,
 *     verified: bool
 * }> $rows
 */
function show(array $rows): void
{
    $tables = [];
    foreach ($rows as $row) {
        $group = \strstr($row['workload'], '-', true);
        $group = \in_array($group, ['seed', 'real', 'small', 'objects', 'stream', 'memory'], true) ? $group : 'payloads';
        $tables["{$row['mode']}, {$row['operation']}, {$group}"][$row['workload']][$row['against']] = $row;
    }
    foreach ($tables as $title => $lines) {
        $peers = [];
        foreach ($lines as $line) {
            $peers += $line;
        }
        \printf("\n%-26s", $title);
        $logs = [];
        foreach (\array_keys($peers) as $peer) {
            \printf(' %22s', $peer);
        }
        foreach ($lines as $workload => $line) {
            \printf("\n%-26s", $workload);
            foreach (\array_keys($peers) as $peer) {
                $row = $line[$peer] ?? null;
                if ($row === null) {
                    \printf(' %22s', '');
                    continue;
                }
                $logs[$peer][] = \log($row['ratio']);
                \printf(' %22s', \sprintf('%.2f (%.2f-%.2f)%s', $row['ratio'], $row['low'], $row['high'], $row['verified'] ? '' : '*'));
            }
        }
        \printf("\n%-26s", 'geometric mean');
        foreach (\array_keys($peers) as $peer) {
            \printf(' %22.2f', \exp(\array_sum($logs[$peer]) / \count($logs[$peer])));
        }
        echo "\n";
    }
    if (\in_array(false, \array_column($rows, 'verified'), true)) {
        echo "\n* the peer's result differs from the value\n";
    }
}

require __DIR__ . '/../vendor/autoload.php';
require __DIR__ . '/_contestants.php';
require __DIR__ . '/_payloads.php';

/** @var list<string> $words */
$words = $_SERVER['argv'];
$options = new Options(\array_slice($words, 1));
$comparison = new Comparison($options);
$rows = $comparison->rows();
@\mkdir(\dirname($options->out), recursive: true);
\file_put_contents($options->out, \json_encode($rows, \JSON_PRETTY_PRINT | \JSON_THROW_ON_ERROR) . "\n");
echo 'PHP ', \implode(', ', \array_keys($comparison->versions)), "; ratio: how many times faster polypack is (lowest and highest of the processes)\n";
show($rows);
