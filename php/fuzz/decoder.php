<?php

declare(strict_types=1);

namespace Polypack\Fuzz;

use Polypack\Tests\Support\Differential;
use Polypack\Tests\Support\LazyReads;
use Polypack\Tests\Support\RandomBytes;

// Holds the decoder, the stream and the canonical form against the slow reference on random input, and lazy reads against the decoder.
//
// usage: php fuzz/decoder.php [--time SECONDS] [--seed NUMBER]
//
// Stops at the first finding with status 1 and prints it; the same seed finds it again.

require __DIR__ . '/../vendor/autoload.php';

$options = ['time' => '10', 'seed' => (string) \random_int(0, 0x7fffffff)];
/** @var list<string> $words */
$words = $_SERVER['argv'];
$arguments = \array_slice($words, 1);
while ($arguments !== []) {
    $name = \substr(\array_shift($arguments), 2);
    $value = \array_shift($arguments);
    if (!isset($options[$name]) || $value === null || \preg_match('/^\d+$/D', $value) !== 1) {
        \fwrite(\STDERR, "usage: php fuzz/decoder.php [--time SECONDS] [--seed NUMBER]\n");
        exit(2);
    }
    $options[$name] = $value;
}

$seed = (int) $options['seed'];
$end = \microtime(true) + (int) $options['time'];
$random = new RandomBytes($seed);
$inputs = 0;
\set_error_handler(static function (int $level, string $message): never {
    throw new \ErrorException($message, 0, $level);
});
echo "seed {$seed}\n";
while (\microtime(true) < $end) {
    $bytes = $random->next();
    $differences = [...Differential::compare($bytes, $random), ...LazyReads::compare($bytes, $random)];
    ++$inputs;
    if ($differences !== []) {
        echo "input {$inputs}, ", \bin2hex($bytes), ': ', \implode("\n", $differences), "\n";
        exit(1);
    }
}
echo "{$inputs} inputs, no difference\n";
