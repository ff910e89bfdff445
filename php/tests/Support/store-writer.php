<?php

declare(strict_types=1);

use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Records\SharedRecords;
use Polypack\Stores\FileStore;
use Polypack\Stores\RedisStore;
use Predis\Client;

// A process that writes with the dictionary of a store, for StoresTest, which may kill it at any time.
//
// usage: php store-writer.php file|redis PLACE SEED. It writes a line of JSON for each message, {"value", "bytes"}, and
// one with {"shapes"} after each.

require __DIR__ . '/../../vendor/autoload.php';

/** @var array{string, string, string, string} $arguments */
$arguments = $_SERVER['argv'];
[, $kind, $place, $seed] = $arguments;

$store = $kind === 'file'
    ? new FileStore($place, lockTimeout: 120_000)
    : new RedisStore(new Client(['scheme' => 'unix', 'path' => $place]), 'shapes');
$records = new SharedRecords($store, maxShapes: 36);
$packer = new Packer(PackOptions::of(records: $records));
mt_srand((int) $seed);
for ($round = 0; $round < 12; ++$round) {
    $value = [];
    for ($i = 0; $i < 3; ++$i) {
        $number = mt_rand(0, 39);
        $value[] = ["f{$number}" => mt_rand(0, 200)] + ($number % 2 === 0 ? [] : ['common' => ['deep' => $number]]);
    }
    $bytes = bin2hex($packer->pack($value));
    if ($records->failure() !== null) {
        throw $records->failure();
    }
    echo json_encode(['value' => $value, 'bytes' => $bytes]), "\n", json_encode(['shapes' => $records->dictionary()->shapes()]), "\n";
}
