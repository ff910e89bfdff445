<?php

declare(strict_types=1);

namespace Polypack\Fuzz;

use Polypack\Tests\Support\Differential;
use Polypack\Tests\Support\LazyReads;
use Polypack\Tests\Support\RandomBytes;

// Holds the decoder, the stream and the canonical form against the slow reference on random input, and lazy
// reads against the decoder.
//
// usage: php fuzz/decoder.php [--time SECONDS] [--seed NUMBER]
//
// Stops at the first finding with status 1 and prints it; the same seed finds it again.

require __DIR__ . '/../vendor/autoload.php';
require __DIR__ . '/_run.php';

$run = new Run('php fuzz/decoder.php [--time SECONDS] [--seed NUMBER]');
$random = new RandomBytes($run->seed);
Run::raiseWarnings();
echo "seed {$run->seed}\n";
while ($run->goesOn()) {
    $bytes = $random->next();
    $differences = [...Differential::compare($bytes, $random), ...LazyReads::compare($bytes, $random)];
    if ($differences !== []) {
        echo "input {$run->rounds}, ", \bin2hex($bytes), ': ', \implode("\n", $differences), "\n";
        exit(1);
    }
}
echo "{$run->rounds} inputs, no difference\n";
