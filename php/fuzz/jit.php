<?php

declare(strict_types=1);

namespace Polypack\Fuzz;

use Polypack\Tests\Support\Modes;
use Polypack\Tests\Support\Phases;

// Looks for what opcache or a JIT compiles wrongly: every result of packing and unpacking in shuffled phases
// is checked, in one fresh process after the other, because what a JIT makes of a loop depends on what the
// process has done before.
//
// usage: php fuzz/jit.php [--time SECONDS] [--seed NUMBER] [--modes LIST]
//        php fuzz/jit.php --run SEED [--phases NUMBER]
//
//   --modes  of plain (without opcache), opcache, jit (tracing), jit-function; default opcache,jit,jit-function
//   --run    one process in the mode it is started in
//
// Stops at the first finding with status 1 and prints it; the same seed in the same mode finds it again.

require __DIR__ . '/../vendor/autoload.php';
require __DIR__ . '/_run.php';

$mode = '(' . \implode('|', \array_keys(Modes::ALL)) . ')';
$run = new Run('php fuzz/jit.php [--time SECONDS] [--seed NUMBER] [--modes LIST], or --run SEED [--phases NUMBER]', [
    'modes' => ['opcache,jit,jit-function', "/^{$mode}(,{$mode})*$/D"],
    'run' => ['', '/^\d+$/D'],
    'phases' => ['120', '/^\d+$/D'],
]);
['modes' => $modes, 'run' => $only, 'phases' => $phases] = $run->options;

if ($only !== '') {
    Run::raiseWarnings();
    $wrong = (new Phases((int) $only))->run((int) $phases);
    echo $wrong === null ? '' : "{$wrong}\n";
    exit($wrong === null ? 0 : 1);
}

echo 'PHP ', \PHP_VERSION, ", seed {$run->seed}\n";
$processes = 0;
for ($seed = $run->seed; $run->goesOn(); ++$seed) {
    /** @var key-of<Modes::ALL> $mode */
    foreach (\explode(',', $modes) as $mode) {
        $command = [...Modes::command(\PHP_BINARY, $mode, ['memory_limit' => '512M']), __FILE__, '--run', (string) $seed, '--phases', $phases];
        $child = \proc_open($command, [], $pipes);
        $status = \is_resource($child) ? \proc_close($child) : -1;
        if ($status !== 0) {
            echo "mode {$mode}: status {$status}; again with: ", \implode(' ', \array_map(escapeshellarg(...), $command)), "\n";
            exit(1);
        }
        ++$processes;
    }
}
echo "{$processes} processes of {$phases} phases, nothing wrong\n";
