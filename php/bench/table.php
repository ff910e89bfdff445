<?php

declare(strict_types=1);

namespace Polypack\Bench;

use Polypack\Packer;
use Polypack\PackOptions;

// Times single values and prints a table of seconds: the benchmark that rybakit/msgpack ships, for this library, under
// the same variables. compare.php compares libraries; this shows one value after the other.
//
// usage: php bench/table.php, under these variables of the environment:
//
//   MP_BENCH_TARGETS     columns, default pure_p,pure_u: pure_p (Packer), pure_pdsb (with DETECT_STR_BIN), pure_u
//                        (BufferUnpacker), pecl_p and pecl_u (the PECL extension's functions)
//   MP_BENCH_ITERATIONS calls in a round, default 100000 MP_BENCH_DURATION seconds of a round instead; the table then
//   has calls, not seconds MP_BENCH_ROUNDS default 3; a cell is the mean of its rounds MP_BENCH_TESTS rows: names with
//   commas between; @slow, @pecl_comp (what the extension can hold), or either with a
//                        minus for all others; or a regular expression between slashes. Default -@slow
//
// Cells: S skipped, F failed (the result is not the value), I ignored in the total because another column failed. The
// columns of a row take turns after a round to warm up, and every last result is compared. The loop around the calls is
// in the times; that is about a hundredth of a microsecond a call.

require __DIR__ . '/../vendor/autoload.php';
require __DIR__ . '/_clock.php';
require __DIR__ . '/_contestants.php';
require __DIR__ . '/_payloads.php';
require __DIR__ . '/_cases.php';

/** @return never */
function fail(string $message): void
{
    \fwrite(\STDERR, "table: {$message}; the variables stand at the top of bench/table.php\n");
    exit(2);
}

function setting(string $name, string $default): string
{
    $value = \getenv("MP_BENCH_{$name}");

    return $value === false || $value === '' ? $default : $value;
}

function number(string $name, string $default): int
{
    $value = \str_replace('_', '', setting($name, $default));

    return \preg_match('/^[1-9]\d{0,9}$/D', $value) === 1 ? (int) $value : fail("MP_BENCH_{$name} is no number from 1");
}

/**
 * One column: what it does a number of times with a value or its bytes, and whether the last result is right.
 */
final class Target
{
    /**
     * @param \Closure(mixed, string, int): mixed     $perform takes value, bytes and how often
     * @param \Closure(mixed, string, mixed): bool    $isRight takes value, bytes and the result
     */
    public function __construct(public readonly string $title, public readonly \Closure $perform, public readonly \Closure $isRight) {}

    /**
     * @param \Closure(mixed, int): string $encode
     */
    public static function packing(string $title, \Closure $encode, ?Library $reader): self
    {
        return new self(
            $title,
            static fn(mixed $value, string $bytes, int $calls): string => $encode($value, $calls),
            // A binary string packs as str unless told otherwise, so what counts is the value that comes back.
            static fn(mixed $value, string $bytes, mixed $result): bool => $result === $bytes
                || ($reader !== null && \is_string($result) && Payloads::same(($reader->decode)($result, 1), $value)),
        );
    }

    /**
     * @param \Closure(string, int): mixed $decode
     */
    public static function unpacking(string $title, \Closure $decode): self
    {
        return new self(
            $title,
            static fn(mixed $value, string $bytes, int $calls): mixed => $decode($bytes, $calls),
            static fn(mixed $value, string $bytes, mixed $result): bool => Payloads::same($result, $value),
        );
    }

    public static function named(string $name, Library $library): self
    {
        if (\str_starts_with($name, 'pecl_')) {
            $pecl = BuiltIn::named('pecl') ?? fail("{$name} needs the extension msgpack");

            return $name === 'pecl_p' ? self::packing('msgpack_pack', $pecl->encode, null) : self::unpacking('msgpack_unpack', $pecl->decode);
        }
        $detecting = new Packer(PackOptions::DETECT_STR_BIN);

        return match ($name) {
            'pure_p' => self::packing('Packer', $library->encode, $library),
            'pure_pdsb' => self::packing('Packer (detect_str_bin)', static function (mixed $value, int $calls) use ($detecting): string {
                $packed = '';
                for ($i = 0; $i < $calls; ++$i) {
                    $packed = $detecting->pack($value);
                }

                return $packed;
            }, $library),
            'pure_u' => self::unpacking('BufferUnpacker', $library->decode),
            default => fail("no target is called {$name}"),
        };
    }
}

/**
 * Which rows MP_BENCH_TESTS chooses.
 *
 * @return \Closure(string): bool
 */
function filter(string $words): \Closure
{
    if ($words[0] === '/') {
        return static fn(string $name): bool => \preg_match($words, $name) === 1;
    }
    $group = \ltrim($words, '-');
    if ($group[0] === '@') {
        $names = match ($group) {
            '@slow' => Cases::SLOW,
            '@pecl_comp' => \array_values(\array_diff(\array_keys(Cases::all(Library::kept('polypack', 'Polypack'))), Cases::NOT_IN_PECL)),
            default => fail("no group of tests is called {$group}"),
        };

        return static fn(string $name): bool => \in_array($name, $names, true) !== ($words[0] === '-');
    }
    $names = \array_map(\trim(...), \explode(',', $words));

    return static fn(string $name): bool => \in_array($name, $names, true);
}

/**
 * Times one row.
 *
 * @param non-empty-list<Target> $targets
 *
 * @return list<?float> of each target the mean of its rounds, null for a failure
 */
function row(array $targets, mixed $value, string $bytes, int $rounds, int $iterations, float $duration): array
{
    $sums = \array_fill(0, \count($targets), 0.0);
    for ($round = -1; $round < $rounds; ++$round) {
        foreach ($targets as $number => $target) {
            if ($sums[$number] === null) {
                continue;
            }
            try {
                [$cell, $result] = $duration > 0.0
                    ? calls($target, $value, $bytes, $duration)
                    : seconds($target, $value, $bytes, $round < 0 ? \min(1000, $iterations) : $iterations);
                $isRight = ($target->isRight)($value, $bytes, $result);
            } catch (\Throwable) {
                [$cell, $isRight] = [0.0, false];
            }
            $sums[$number] = $isRight ? $sums[$number] + ($round < 0 ? 0.0 : $cell / $rounds) : null;
        }
    }

    return $sums;
}

/**
 * @return array{float, mixed} seconds, and the last result
 */
function seconds(Target $target, mixed $value, string $bytes, int $iterations): array
{
    $started = Clock::now();
    $result = ($target->perform)($value, $bytes, $iterations);

    return [(Clock::now() - $started) / 1e9, $result];
}

/**
 * @return array{float, mixed} how many calls the duration has room for, and the last result
 */
function calls(Target $target, mixed $value, string $bytes, float $duration): array
{
    [$calls, $spent, $batch, $result] = [0, 0.0, 1, null];
    while ($spent < $duration) {
        [$time, $result] = seconds($target, $value, $bytes, $batch);
        $calls += $batch;
        $spent += \max(1e-6, $time);
        $batch = $time < $duration / 100 ? 2 * $batch : $batch;
    }

    return [$calls * $duration / $spent, $result];
}

if (\extension_loaded('xdebug')) {
    fail('xdebug slows PHP down by itself; run this without it');
}
\set_error_handler(static function (int $severity, string $message): never {
    throw new \ErrorException($message, 0, $severity);
});
$library = Library::kept('polypack', 'Polypack');
$targets = [];
foreach (\explode(',', setting('TARGETS', 'pure_p,pure_u')) as $name) {
    $targets[] = Target::named(\trim($name), $library);
}
$tests = setting('TESTS', '-@slow');
$isChosen = filter($tests);
$rounds = number('ROUNDS', '3');
$iterations = number('ITERATIONS', '100000');
$duration = (float) setting('DURATION', '0');

echo "Filter: {$tests}\nRounds: {$rounds}\n", $duration > 0.0 ? "Duration: {$duration}" : "Iterations: {$iterations}", "\n\n";
$cases = Cases::all($library);
$wide = 2 + \max(0, ...\array_map(\strlen(...), \array_keys($cases)));
$line = \str_pad('Test/Target', $wide);
$widths = [];
foreach ($targets as $target) {
    $widths[] = $width = \max(10, 2 + \strlen($target->title));
    $line .= \str_pad($target->title, $width, ' ', \STR_PAD_LEFT);
}
echo \str_repeat('=', \strlen($line)), "\n{$line}\n", \str_repeat('-', \strlen($line)), "\n";
$totals = \array_fill(0, \count($targets), 0.0);
$counts = ['Skipped' => $none = \array_fill(0, \count($targets), 0), 'Failed' => $none, 'Ignored' => $none];
\gc_disable();
foreach ($cases as $name => $value) {
    $cells = $isChosen($name) ? row($targets, $value, Cases::bytes($name, $value, $library), $rounds, $iterations, $duration) : null;
    echo \str_pad("{$name} ", $wide, '.');
    foreach ($targets as $number => $target) {
        $cell = match (true) {
            $cells === null => 'S',
            $cells[$number] === null => 'F',
            \in_array(null, $cells, true) => 'I',
            default => \sprintf($duration > 0.0 ? '%.0f' : '%.4f', $cells[$number]),
        };
        $kind = ['S' => 'Skipped', 'F' => 'Failed', 'I' => 'Ignored'][$cell] ?? '';
        if ($kind !== '') {
            ++$counts[$kind][$number];
        } else {
            $totals[$number] += $cells[$number] ?? 0.0;
        }
        echo \str_pad(" {$cell}", $widths[$number], '.', \STR_PAD_LEFT);
    }
    echo "\n";
}
echo \str_repeat('=', \strlen($line)), "\n", \str_pad('Total', $wide);
foreach ($totals as $number => $total) {
    echo \str_pad(\sprintf($duration > 0.0 ? '%.0f' : '%.4f', $total), $widths[$number], ' ', \STR_PAD_LEFT);
}
foreach ($counts as $kind => $numbers) {
    echo "\n", \str_pad($kind, $wide);
    foreach ($numbers as $number => $count) {
        echo \str_pad((string) $count, $widths[$number], ' ', \STR_PAD_LEFT);
    }
}
echo "\n";
