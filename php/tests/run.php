<?php

declare(strict_types=1);

namespace Polypack\Tests;

use Polypack\Tests\Support\Modes;

// Runs the tests once in each mode of PHP, all of them even if one fails.
//
// usage: php tests/run.php [--modes LIST] [-- ARGUMENT…]
//
//   LIST      of plain (without opcache), opcache, jit (tracing), jit-function; default all
//   ARGUMENT  for PHPUnit, as --filter Packer

require __DIR__ . '/../vendor/autoload.php';

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

$failed = [];
foreach ($chosen as $mode) {
    if (!isset(Modes::ALL[$mode])) {
        stop("no mode is called {$mode}");
    }
    echo 'PHP ', \PHP_VERSION, ", {$mode}\n";
    $command = [...Modes::command(\PHP_BINARY, $mode, ['zend.assertions' => '1']), \dirname(__DIR__) . '/vendor/bin/phpunit', '--no-progress', ...$arguments];
    $child = \proc_open($command, [], $pipes, \dirname(__DIR__), [...\getenv(), 'POLYPACK_MODE' => $mode]);
    if (!\is_resource($child) || \proc_close($child) !== 0) {
        $failed[] = $mode;
    }
}
if ($failed !== []) {
    echo 'failed: PHP ', \PHP_VERSION, ' ', \implode(', ', $failed), "\n";
    exit(1);
}
