<?php

// A worker that works on nothing: says that a run takes the nanoseconds of its first two arguments, of the clock and of
// the processor, and in place of memory how often it was asked to run. Of several with commas, each run takes the next,
// and all others the last.

declare(strict_types=1);

[, $walls, $cpus, $token] = $argv;
$walls = explode(',', $walls);
$cpus = explode(',', $cpus);
$runs = 0;
while (($line = fgets(STDIN)) !== false) {
    $do = json_decode($line, true)['do'];
    $runs += $do === 'run' ? 1 : 0;
    $answer = match ($do) {
        'run' => ['wall' => (int) ($walls[$runs - 1] ?? end($walls)), 'cpu' => (int) ($cpus[$runs - 1] ?? end($cpus))],
        'empty' => ['wall' => 0, 'cpu' => 0],
        'memory' => ['bytes' => $runs],
        'verify' => ['fault' => null],
        default => ['set_up' => 0, 'first' => 0, 'bytes' => 0],
    };
    echo "\n{$token}", json_encode($answer), "\n";
}
