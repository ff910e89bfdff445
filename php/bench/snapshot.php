<?php

declare(strict_types=1);

namespace Polypack\Bench;

use Polypack\Native\Engine;

// Compares snapshots with what else serializes values of PHP: size, time to write, and time to read with freeing the
// value. Rows are those of compare.php, with the provenance of the strings as mode; `size` is an operation, whose ratio
// is the peer's bytes divided by ours.

const USAGE = <<<'TEXT'
    usage: php bench/snapshot.php [OPTION…]

      --shapes LIST      only these; * stands for anything
      --provenance LIST  of built, json, unserialize; default all
      --against LIST     of serialize, igbinary, msgpack; default what there is
      --rounds N         default 28
      --quick            10 rounds, and strings as built
      --out FILE         for the rows, default build/bench/snapshot.json

    TEXT;

require __DIR__ . '/../vendor/autoload.php';
require __DIR__ . '/_rounds.php';
require __DIR__ . '/_contestants.php';
require __DIR__ . '/_payloads.php';
require __DIR__ . '/_snapshot-shapes.php';

/** Time of one contestant in a round. */
const ROUND_NS = 1_000_000;

/** @return never */
function stop(string $message): void
{
    \fwrite(\STDERR, "snapshot: {$message}; see --help\n");
    exit(2);
}

/**
 * The contestants, each with loops of its own; ours is the first.
 *
 * @return non-empty-array<string, Contestant>
 */
function contestants(): array
{
    $all = ['polypack' => new Contestant('polypack', static function (mixed $value, int $calls): string {
        $bytes = '';
        for ($i = 0; $i < $calls; ++$i) {
            $bytes = \polypack_serialize($value);
        }

        return $bytes;
    }, static function (string $bytes, int $calls): mixed {
        $value = null;
        for ($i = 0; $i < $calls; ++$i) {
            $value = \polypack_unserialize($bytes);
        }

        return $value;
    })];
    $all['serialize'] = new Contestant('serialize', static function (mixed $value, int $calls): string {
        $bytes = '';
        for ($i = 0; $i < $calls; ++$i) {
            $bytes = \serialize($value);
        }

        return $bytes;
    }, static function (string $bytes, int $calls): mixed {
        $value = null;
        for ($i = 0; $i < $calls; ++$i) {
            $value = \unserialize($bytes);
        }

        return $value;
    });
    if (\function_exists('igbinary_serialize')) {
        $all['igbinary'] = new Contestant('igbinary', static function (mixed $value, int $calls): string {
            $bytes = '';
            for ($i = 0; $i < $calls; ++$i) {
                $bytes = (string) \igbinary_serialize($value);
            }

            return $bytes;
        }, static function (string $bytes, int $calls): mixed {
            $value = null;
            for ($i = 0; $i < $calls; ++$i) {
                $value = \igbinary_unserialize($bytes);
            }

            return $value;
        });
    }
    if (\function_exists('msgpack_pack')) {
        $all['msgpack'] = new Contestant('msgpack', static function (mixed $value, int $calls): string {
            $bytes = '';
            for ($i = 0; $i < $calls; ++$i) {
                $bytes = \msgpack_pack($value);
            }

            return $bytes;
        }, static function (string $bytes, int $calls): mixed {
            $value = null;
            for ($i = 0; $i < $calls; ++$i) {
                $value = \msgpack_unpack($bytes);
            }

            return $value;
        });
    }

    return $all;
}

/**
 * @param non-empty-array<string, Contestant> $contestants
 *
 * @return list<array{
 *     workload: string, operation: string, against: string, mode: string, ratio: float, low: float, high: float,
 *     verified: bool
 * }>
 */
function rows(string $shape, string $provenance, mixed $value, array $contestants, int $rounds): array
{
    $runs = $bytes = [];
    foreach ($contestants as $name => $one) {
        $bytes[$name] = $encoded = ($one->encode)($value, 1);
        $runs['encode'][$name] = new Run(static fn(int $calls): string => ($one->encode)($value, $calls), $encoded);
        $runs['decode'][$name] = new Run(static fn(int $calls): mixed => ($one->decode)($encoded, $calls), $value);
    }
    $rows = [];
    foreach ($bytes as $against => $encoded) {
        if ($against !== 'polypack') {
            $ratio = \round(\strlen($encoded) / \strlen($bytes['polypack']), 3);
            $rows[] = ['workload' => $shape, 'operation' => 'size', 'against' => $against, 'mode' => $provenance, 'ratio' => $ratio, 'low' => $ratio, 'high' => $ratio, 'verified' => true];
        }
    }
    foreach ($runs as $operation => $ofAll) {
        foreach (Rounds::measure($ofAll, $rounds, ROUND_NS) as $against => $measured) {
            $ratios = $measured['ratios'];
            \sort($ratios);
            $rows[] = [
                'workload' => $shape, 'operation' => $operation, 'against' => $against, 'mode' => $provenance,
                'ratio' => \round($ratios[\count($ratios) >> 1] ?? 0.0, 3),
                'low' => \round($ratios[(int) (\count($ratios) / 4)] ?? 0.0, 3),
                'high' => \round($ratios[(int) (3 * \count($ratios) / 4)] ?? 0.0, 3),
                'verified' => $measured['verified'],
            ];
        }
    }

    return $rows;
}

/**
 * Prints a table for each operation: a line for each shape, a column for each peer and provenance; then the losses.
 *
 * @param list<array{
 *     workload: string, operation: string, against: string, mode: string, ratio: float, low: float, high: float,
 *     verified: bool
 * }> $rows
 */
function show(array $rows): void
{
    $tables = $losses = [];
    foreach ($rows as $row) {
        $column = $row['operation'] === 'size' && $row['mode'] !== $rows[0]['mode'] ? null : "{$row['against']}" . ($row['operation'] === 'size' ? '' : " {$row['mode']}");
        if ($column !== null) {
            $tables[$row['operation']][$row['workload']][$column] = $row;
        }
        if ($row['ratio'] < 1.0) {
            $losses[] = \sprintf('%s %s, %s: %.2f (%.2f-%.2f) of %s', $row['operation'], $row['workload'], $row['mode'], $row['ratio'], $row['low'], $row['high'], $row['against']);
        }
    }
    foreach ($tables as $operation => $lines) {
        $columns = [];
        foreach ($lines as $line) {
            $columns += $line;
        }
        \printf("\n%-22s", $operation);
        foreach (\array_keys($columns) as $column) {
            \printf(' %21s', $column);
        }
        $logs = [];
        foreach ($lines as $shape => $line) {
            \printf("\n%-22s", $shape);
            foreach (\array_keys($columns) as $column) {
                if (isset($line[$column])) {
                    $logs[$column][] = \log(\max(0.001, $line[$column]['ratio']));
                }
                \printf(' %21s', isset($line[$column]) ? \sprintf('%.2f%s', $line[$column]['ratio'], $line[$column]['verified'] ? '' : '*') : '');
            }
        }
        \printf("\n%-22s", 'geometric mean');
        foreach (\array_keys($columns) as $column) {
            \printf(' %21.2f', \exp(\array_sum($logs[$column]) / \count($logs[$column])));
        }
        echo "\n";
    }
    echo $losses === [] ? "\nno losses\n" : "\nlosses:\n  " . \implode("\n  ", $losses) . "\n";
}

$options = ['shapes' => '*', 'provenance' => \implode(',', Payloads::PROVENANCES), 'against' => '*', 'rounds' => '28', 'out' => __DIR__ . '/../../build/bench/snapshot.json'];
/** @var list<string> $words */
$words = $_SERVER['argv'];
for ($i = 1; $i < \count($words); ++$i) {
    $name = \substr($words[$i], 2);
    if ($words[$i] === '--help') {
        echo USAGE;
        exit(0);
    }
    if ($words[$i] === '--quick') {
        $options = ['provenance' => 'built', 'rounds' => '10'] + $options;
    } elseif (isset($options[$name]) && \str_starts_with($words[$i], '--')) {
        $options[$name] = $words[++$i] ?? stop("--{$name} needs a value");
    } else {
        stop("unknown option {$words[$i]}");
    }
}
$chosen = static fn(string $list, string $name): bool => \array_filter(\explode(',', $list), static fn(string $one): bool => \fnmatch($one, $name)) !== [];
$contestants = \array_filter(contestants(), static fn(string $name): bool => $name === 'polypack' || $chosen($options['against'], $name), \ARRAY_FILTER_USE_KEY);
if (\count($contestants) < 2) {
    stop("no peer is called {$options['against']}");
}

$rows = [];
foreach (SnapshotShapes::all() as $shape => [$data, $objects]) {
    foreach (Payloads::PROVENANCES as $provenance) {
        if ($chosen($options['shapes'], $shape) && $chosen($options['provenance'], $provenance)) {
            $made = Payloads::from($provenance, $data);
            $value = $objects === null ? $made : $objects($made);
            \array_push($rows, ...rows($shape, $provenance, $value, $contestants, \max(3, (int) $options['rounds'])));
        }
    }
}
if ($rows === []) {
    stop("no shape is called {$options['shapes']}");
}
@\mkdir(\dirname($options['out']), recursive: true);
\file_put_contents($options['out'], \json_encode($rows, \JSON_PRETTY_PRINT | \JSON_THROW_ON_ERROR) . "\n");
echo 'PHP ', \PHP_VERSION, ', ', Engine::isActive() ? 'the extension' : 'the PHP code', "; ratio: how many times faster, or smaller, polypack is; * marks a wrong result of a peer\n";
show($rows);
