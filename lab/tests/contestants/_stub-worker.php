<?php

// A worker that works on nothing: says that a run takes the nanoseconds of its first two arguments, of the clock and of
// the processor, and in place of memory how often it was asked to run.

declare(strict_types=1);

[, $wall, $cpu, $token] = $argv;
$runs = 0;
while (($line = fgets(STDIN)) !== false) {
    $do = json_decode($line, true)['do'];
    $runs += $do === 'run' ? 1 : 0;
    $answer = match ($do) {
        'run' => ['wall' => (int) $wall, 'cpu' => (int) $cpu],
        'empty' => ['wall' => 0, 'cpu' => 0],
        'memory' => ['bytes' => $runs],
        'verify' => ['fault' => null],
        default => ['set_up' => 0, 'first' => 0, 'bytes' => 0],
    };
    echo "\n{$token}", json_encode($answer), "\n";
}
