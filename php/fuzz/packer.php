<?php

declare(strict_types=1);

namespace Polypack\Fuzz;

use Polypack\Tests\Support\PackingDifferential;
use Polypack\Tests\Support\RandomValues;

// Holds the packer against the slow reference on random values, under every combination of options.
//
// usage: php fuzz/packer.php [--time SECONDS] [--seed NUMBER]
//
// Stops at the first finding with status 1 and prints it; the same seed finds it again.

require __DIR__ . '/../vendor/autoload.php';
require __DIR__ . '/_run.php';

$run = new Run('php fuzz/packer.php [--time SECONDS] [--seed NUMBER]');
$random = new RandomValues($run->seed);
$combinations = PackingDifferential::options();
$differential = new PackingDifferential();
Run::raiseWarnings();
echo "seed {$run->seed}\n";
while ($run->goesOn()) {
    $value = $random->next();
    $maxDepth = $random->int(0, 3) > 0 ? 512 : $random->int(0, 4);
    foreach ([0, $combinations[$random->int(0, \count($combinations) - 1)]] as $combination) {
        $difference = $differential->compare($value, $combination, $maxDepth);
        if ($difference !== null) {
            echo "value {$run->rounds}, {$difference}\n";
            exit(1);
        }
    }
}
echo "{$run->rounds} values, no difference\n";
