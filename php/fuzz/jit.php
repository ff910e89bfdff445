<?php

declare(strict_types=1);

namespace Polypack\Fuzz;

use Polypack\Tests\Support\Modes;
use Polypack\Tests\Support\Phases;

// Looks for what opcache or a JIT compiles wrongly: every result of packing and unpacking in shuffled phases is checked, in
// one fresh process after the other, because what a JIT makes of a loop depends on what the process has done before.
//
// usage: php fuzz/jit.php [--time SECONDS] [--seed NUMBER] [--modes LIST]
//        php fuzz/jit.php --run SEED [--phases NUMBER]
//
//   --modes  of plain (without opcache), opcache, jit (tracing), jit-function; default opcache,jit,jit-function
//   --run    one process in the mode it is started in
//
// Stops at the first finding with status 1 and prints it; the same seed in the same mode finds it again.

require __DIR__ . '/../vendor/autoload.php';

const PHASES = 120;

$options = ['time' => '10', 'seed' => (string) \random_int(0, 0x7fffffff), 'modes' => 'opcache,jit,jit-function', 'run' => '', 'phases' => (string) PHASES];
/** @var list<string> $words */
$words = $_SERVER['argv'];
foreach (\array_chunk(\array_slice($words, 1), 2) as $argument) {
    $name = \substr($argument[0], 2);
    $value = $argument[1] ?? '';
    $modes = $name === 'modes' ? \explode(',', $value) : [];
    if (!isset($options[$name]) || \array_diff($modes, \array_keys(Modes::ALL)) !== [] || ($modes === [] && \preg_match('/^\d+$/D', $value) !== 1)) {
        \fwrite(\STDERR, "usage: php fuzz/jit.php [--time SECONDS] [--seed NUMBER] [--modes LIST], or --run SEED [--phases NUMBER]\n");
        exit(2);
    }
    $options[$name] = $value;
}

if ($options['run'] !== '') {
    \set_error_handler(static function (int $level, string $message): never {
        throw new \ErrorException($message, 0, $level);
    });
    $wrong = (new Phases((int) $options['run']))->run((int) $options['phases']);
    echo $wrong === null ? '' : "{$wrong}\n";
    exit($wrong === null ? 0 : 1);
}

$end = \microtime(true) + (int) $options['time'];
$seed = (int) $options['seed'];
echo 'PHP ', \PHP_VERSION, ", seed {$seed}\n";
$processes = 0;
for (; \microtime(true) < $end; ++$seed) {
    /** @var key-of<Modes::ALL> $mode */
    foreach (\explode(',', $options['modes']) as $mode) {
        $command = [...Modes::command(\PHP_BINARY, $mode, ['memory_limit' => '512M']), __FILE__, '--run', (string) $seed, '--phases', $options['phases']];
        $child = \proc_open($command, [], $pipes);
        $status = \is_resource($child) ? \proc_close($child) : -1;
        if ($status !== 0) {
            echo "mode {$mode}: status {$status}; again with: ", \implode(' ', \array_map(escapeshellarg(...), $command)), "\n";
            exit(1);
        }
        ++$processes;
    }
}
echo "{$processes} processes of {$options['phases']} phases, nothing wrong\n";
