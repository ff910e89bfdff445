<?php

declare(strict_types=1);

namespace Polypack\Tools;

// Writes vectors/snapshot from tests/Support/Snapshot/Cases.php.
//
// usage: php tools/snapshot-vectors.php [--check]

use Polypack\Tests\Support\Snapshot\Cases;

require __DIR__ . '/../vendor/autoload.php';

/** @var list<string> $words */
$words = $_SERVER['argv'];
$checks = ($words[1] ?? '') === '--check';
$folder = __DIR__ . '/../../vectors/snapshot';
if (!\is_dir($folder)) {
    \mkdir($folder);
}
$stale = 0;
foreach (Cases::files() as $room => $file) {
    $path = "{$folder}/{$room}.json";
    $text = Cases::text($room, $file);
    if ($checks && @\file_get_contents($path) !== $text) {
        echo "{$path}: php tools/snapshot-vectors.php changes it\n";
        ++$stale;
    } elseif (!$checks) {
        \file_put_contents($path, $text);
        echo "snapshot/{$room}.json: ", \count($file['cases']), " cases\n";
    }
}
exit($stale === 0 ? 0 : 1);
