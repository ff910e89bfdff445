<?php

declare(strict_types=1);

namespace Polypack\Tests;

use Polypack\Tests\Support\Modes;

// Runs the tests once in each mode of PHP, two modes at a time, all of them even if one fails.
//
// usage: php tests/run.php [--modes LIST] [-- ARGUMENT…]
//
//   LIST      of plain (without opcache), opcache, jit (tracing), jit-function; default all
//   ARGUMENT  for PHPUnit, as --filter Packer
//
// The group `once` has tests that come out the same in every mode: they run in the second of the modes, as PHP without
// opcache is the slowest. The group `engineless` has tests of code that no engine runs: they don't run with
// POLYPACK_ENGINE=ext. Modes::takes() divides long loops among the modes.

require __DIR__ . '/../vendor/autoload.php';

/**
 * Modes at a time: a run keeps one core busy. The output of each comes when it has ended.
 */
const AT_A_TIME = 2;

/** @return never */
function stop(string $message): void
{
    \fwrite(\STDERR, "run: {$message}; usage: php tests/run.php [--modes LIST] [-- ARGUMENT…]\n");
    exit(2);
}

/** @var list<string> $words */
$words = $_SERVER['argv'];
$split = \array_search('--', $words, true);
$arguments = $split === false ? [] : \array_slice($words, $split + 1);
$words = \array_slice($words, 1, $split === false ? null : $split - 1);
$chosen = $words === [] ? \array_keys(Modes::ALL) : \explode(',', $words[0] === '--modes' ? ($words[1] ?? '') : stop("unknown argument {$words[0]}"));

foreach ($chosen as $mode) {
    if (!isset(Modes::ALL[$mode])) {
        stop("no mode is called {$mode}");
    }
}

$once = $chosen[1] ?? $chosen[0];
$failed = [];
foreach (\array_chunk($chosen, AT_A_TIME) as $modes) {
    $children = [];
    foreach ($modes as $mode) {
        $groups = [...$mode === $once ? [] : ['--exclude-group', 'once'], ...\getenv('POLYPACK_ENGINE') === 'ext' ? ['--exclude-group', 'engineless'] : []];
        $command = [...Modes::command(\PHP_BINARY, $mode, ['zend.assertions' => '1']), \dirname(__DIR__) . '/vendor/bin/phpunit', '--no-progress', '--do-not-cache-result', ...$groups, ...$arguments];
        $output = \tmpfile();
        $settings = ['POLYPACK_MODE' => $mode, 'POLYPACK_SHARE' => \array_search($mode, $chosen, true) . '/' . \count($chosen)];
        $child = \proc_open($command, [1 => $output, 2 => $output], $pipes, \dirname(__DIR__), [...\getenv(), ...$settings]);
        $children[$mode] = [$child, $output];
    }
    foreach ($children as $mode => [$child, $output]) {
        $isGood = \is_resource($child) && \proc_close($child) === 0;
        echo 'PHP ', \PHP_VERSION, ", {$mode}\n";
        if (\is_resource($output)) {
            \rewind($output);
            \fpassthru($output);
        }
        if (!$isGood) {
            $failed[] = $mode;
        }
    }
}
if ($failed !== []) {
    echo 'failed: PHP ', \PHP_VERSION, ' ', \implode(', ', $failed), "\n";
    exit(1);
}
