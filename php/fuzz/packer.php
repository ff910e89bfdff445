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

$options = ['time' => '10', 'seed' => (string) \random_int(0, 0x7fffffff)];
/** @var list<string> $words */
$words = $_SERVER['argv'];
foreach (\array_chunk(\array_slice($words, 1), 2) as $argument) {
    $name = \substr($argument[0], 2);
    if (!isset($options[$name]) || \preg_match('/^\d+$/D', $argument[1] ?? '') !== 1) {
        \fwrite(\STDERR, "usage: php fuzz/packer.php [--time SECONDS] [--seed NUMBER]\n");
        exit(2);
    }
    $options[$name] = $argument[1];
}

$seed = (int) $options['seed'];
$end = \microtime(true) + (int) $options['time'];
$random = new RandomValues($seed);
$combinations = PackingDifferential::options();
$differential = new PackingDifferential();
$values = 0;
\set_error_handler(static function (int $level, string $message): never {
    throw new \ErrorException($message, 0, $level);
});
echo "seed {$seed}\n";
while (\microtime(true) < $end) {
    $value = $random->next();
    $maxDepth = $random->int(0, 3) > 0 ? 512 : $random->int(0, 4);
    ++$values;
    foreach ([0, $combinations[$random->int(0, \count($combinations) - 1)]] as $combination) {
        $difference = $differential->compare($value, $combination, $maxDepth);
        if ($difference !== null) {
            echo "value {$values}, {$difference}\n";
            exit(1);
        }
    }
}
echo "{$values} values, no difference\n";
