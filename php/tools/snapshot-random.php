<?php

declare(strict_types=1);

namespace Polypack\Tools;

// Prints random snapshots, half of them with changed bytes, as a file of vectors whose values and errors are those of
// the slow reader in tests/Support/Snapshot/Described.php. conformance/snapshots.mjs asks the other languages about it.
//
// usage: php tools/snapshot-random.php SEED COUNT

use Polypack\Snapshot\Serializer;
use Polypack\Tests\Support\Snapshot\Described;
use Polypack\Tests\Support\Snapshot\RandomGraphs;

require __DIR__ . '/../vendor/autoload.php';

/** @var list<string> $words */
$words = $_SERVER['argv'];
$seed = (int) ($words[1] ?? 1);
$count = (int) ($words[2] ?? 100);
$random = new RandomGraphs($seed, hasHooks: true);
$cases = [];
while (\count($cases) < $count) {
    $bytes = Serializer::serialize($random->next());
    if (\count($cases) % 2 === 1) {
        $bytes = $random->changed($bytes);
    }
    $described = Described::of($bytes, maxElements: 10_000);
    $about = ['name' => 'random-' . \count($cases), 'bytes' => \bin2hex($bytes)];
    if (\is_array($described)) {
        $about['value'] = $described;
    } else {
        \preg_match('~^(\w+)@(\d+)(?: (.*))?$~s', $described, $parts);
        $about['error'] = ['code' => $parts[1] ?? '', 'offset' => (int) ($parts[2] ?? 0), 'path' => $parts[3] ?? ''];
    }
    // Descriptions have names of classes as text, which changed bytes may not be.
    $json = \json_encode($about, \JSON_UNESCAPED_SLASHES);
    if ($json !== false) {
        $cases[] = $json;
    }
}
echo "{\n  \"cases\": [\n    ", \implode(",\n    ", $cases), "\n  ]\n}\n";
