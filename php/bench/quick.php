<?php

declare(strict_types=1);

namespace Polypack\Bench;

// The quick bench: polypack against what PHP has, on payloads made by a formula, with opcache and with the tracing JIT.
//
// usage: php bench/quick.php
//
// Plan: processes · ratios · the table and build/bench/php.json. _measure.php measures, _contestants.php says what.
//
// A ratio says how many times faster polypack is: the peer's time divided by ours, both of one round. The row has the
// median of the rounds of all processes, and their lower and upper quartile. Every result is compared with the value,
// element by element, outside of the clock; a peer that gave a wrong one has no ratio.

const PROCESSES = 3;
const ROWS_FILE = __DIR__ . '/../../build/bench/php.json';
const OPCACHE = [
    'opcache.enable=1', 'opcache.enable_cli=1', 'opcache.file_update_protection=0', 'serialize_precision=-1', 'memory_limit=512M',
    'display_errors=stderr',
];
const MODES = [
    'opcache' => [...OPCACHE, 'opcache.jit=disable'],
    'tracing JIT' => [...OPCACHE, 'opcache.jit=tracing', 'opcache.jit_buffer_size=64M'],
];

/**
 * Runs one process of the bench.
 *
 * @param list<string> $settings
 *
 * @return array{opcache: bool, jit: bool, rows: list<array{workload: string, operation: string, against: string, ratios: list<float>}>}
 */
function process(int $number, array $settings): array
{
    $command = [\PHP_BINARY];
    foreach ($settings as $setting) {
        \array_push($command, '-d', $setting);
    }
    $child = \proc_open([...$command, __DIR__ . '/_measure.php', (string) $number], [1 => ['pipe', 'w']], $pipes);
    if (!\is_resource($child)) {
        throw new \RuntimeException('cannot start ' . \PHP_BINARY);
    }
    $output = (string) \stream_get_contents($pipes[1]);
    $status = \proc_close($child);
    if ($status !== 0) {
        throw new \RuntimeException("a process of the bench ended with status {$status}: {$output}");
    }

    /** @var array{opcache: bool, jit: bool, rows: list<array{workload: string, operation: string, against: string, ratios: list<float>}>} */
    return \json_decode($output, true, 512, \JSON_THROW_ON_ERROR);
}

/**
 * @param list<float> $sorted
 */
function quantile(array $sorted, float $part): ?float
{
    return $sorted[\min(\count($sorted) - 1, (int) (\count($sorted) * $part))] ?? null;
}

/**
 * @return list<array{workload: string, operation: string, against: string, mode: string, ratio: ?float, low: ?float, high: ?float, verified: bool}>
 */
function rows(): array
{
    $found = [];
    foreach (MODES as $mode => $settings) {
        for ($number = 0; $number < PROCESSES; ++$number) {
            ['opcache' => $opcache, 'jit' => $jit, 'rows' => $rows] = process($number, $settings);
            if (!$opcache || $jit !== ($mode === 'tracing JIT')) {
                echo "mode {$mode} is left out: this PHP does not have it\n";
                break;
            }
            foreach ($rows as ['workload' => $workload, 'operation' => $operation, 'against' => $against, 'ratios' => $ratios]) {
                $found[$workload][$operation][$against][$mode][] = $ratios;
            }
        }
    }

    $rows = [];
    foreach ($found as $workload => $operations) {
        foreach ($operations as $operation => $peers) {
            foreach ($peers as $against => $modes) {
                foreach ($modes as $mode => $runs) {
                    $verified = !\in_array([], $runs, true);
                    $ratios = $verified ? \array_merge(...$runs) : [];
                    \sort($ratios);
                    $rows[] = [
                        'workload' => $workload, 'operation' => $operation, 'against' => $against, 'mode' => $mode,
                        'ratio' => quantile($ratios, 0.5), 'low' => quantile($ratios, 0.25), 'high' => quantile($ratios, 0.75),
                        'verified' => $verified,
                    ];
                }
            }
        }
    }

    return $rows;
}

$rows = rows();
@\mkdir(\dirname(ROWS_FILE), recursive: true);
\file_put_contents(ROWS_FILE, \json_encode($rows, \JSON_PRETTY_PRINT | \JSON_THROW_ON_ERROR) . "\n");

echo 'PHP ', \PHP_VERSION, "; ratio: how many times faster polypack is (quartiles of the rounds of ", PROCESSES, " processes)\n";
$peer = \phpversion('msgpack');
echo $peer === false ? "PECL msgpack is not loaded and takes no part\n" : "PECL msgpack {$peer}\n";
$lines = [];
$measured = [];
$slower = [];
foreach ($rows as $row) {
    $line = \sprintf('%-12s %-7s %-13s', $row['workload'], $row['operation'], $row['against']);
    $lines[$line][$row['mode']] = $row['ratio'] === null
        ? 'not verified'
        : \sprintf('%.2f (%.2f – %.2f)', $row['ratio'], $row['low'], $row['high']);
    $measured[$row['mode']][$row['against']] = 1 + ($measured[$row['mode']][$row['against']] ?? 0);
    if ($row['ratio'] !== null && $row['ratio'] < 1) {
        $slower[$row['mode']][$row['against']][] = \sprintf('%s %s', $row['operation'], $row['workload']);
    }
}
echo \str_repeat(' ', 35);
foreach (MODES as $mode => $_) {
    \printf('%-22s', $mode);
}
echo "\n";
foreach ($lines as $line => $modes) {
    echo $line, ' ';
    foreach (MODES as $mode => $_) {
        \printf('%s%s', $modes[$mode] ?? '', \str_repeat(' ', \max(1, 22 - \mb_strlen($modes[$mode] ?? ''))));
    }
    echo "\n";
}
foreach ($slower as $mode => $peers) {
    foreach ($peers as $against => $losses) {
        \printf("With %s slower than %s in %d of %d: %s\n", $mode, $against, \count($losses), $measured[$mode][$against], \implode(', ', $losses));
    }
}
