<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

// Prints as JSON how many bytes decoding takes at its peak, of the payloads of the bench and of wide maps beside the
// result and the input, and of messages that promise more than they hold beside the input. A process of its own: the
// stack of PHP grows by 256 KiB at a time, and a test lies deep in it.
//
// usage: php tests/Support/peaks.php ENOUGH
//
//   ENOUGH  bytes beside a result for which no further round is tried

use Polypack\Bench\Payloads;
use Polypack\BufferUnpacker;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Packer;
use Polypack\UnpackOptions;

require __DIR__ . '/../../vendor/autoload.php';
require __DIR__ . '/../../bench/_payloads.php';

/**
 * Finds the least that up to five rounds take.
 *
 * @param int $enough bytes beside the result that end the rounds
 * @param int $start  where the message starts
 *
 * @return array{int, int} bytes of the peak, and of the result
 */
function peak(string $buffer, int $options = 0, int $enough = -1, int $start = 0): array
{
    $unpacker = new BufferUnpacker($buffer, $options, [new BoxExtension()]);
    $least = [\PHP_INT_MAX, 0];
    // What an unpacker keeps, and what a JIT needs while it compiles, comes once.
    for ($i = 0; $i < 5; ++$i) {
        $unpacker->seek($start);
        \gc_collect_cycles();
        $before = \memory_get_usage();
        \memory_reset_peak_usage();
        try {
            $value = $unpacker->unpack();
        } catch (UnpackingFailedException $value) {
        }
        $peak = \memory_get_peak_usage() - $before;
        $result = \memory_get_usage() - $before;
        unset($value);
        $least = \min($least, [$peak, $result]);
        if ($peak - $result <= $enough) {
            break;
        }
    }

    return $least;
}

function beside(string $message, int $options = 0): int
{
    /** @var list<string> $arguments */
    $arguments = $_SERVER['argv'];
    [$peak, $result] = peak($message, $options, (int) ($arguments[1] ?? -1));

    return $peak - $result;
}

$beside = [];
foreach (\array_keys(Payloads::all()) as $name) {
    $beside[$name] = beside((new Packer())->pack(Payloads::all()[$name]));
}
foreach ([2_049, 3_000, 5_000, 9_000, 15_000] as $count) {
    foreach (WideMaps::ofEach($count) as $kind => $message) {
        $beside["{$count} {$kind}"] = beside($message);
    }
}
// From here on the account goes by the length of the message, and there are fewer and fewer samples of keys.
foreach ([17_000, 140_000, 400_000] as $count) {
    $beside["{$count} ints and short strs"] = beside(WideMaps::ofEach($count)['ints and short strs']);
}
$beside['140000 ints and short strs, records are read'] = beside(WideMaps::ofEach(140_000)['ints and short strs'], UnpackOptions::RECORDS_INLINE);
foreach ([2_049, 3_000, 5_000, 9_000, 15_000, 26_000, 33_000, 60_000] as $count) {
    foreach (WideMaps::ofSmallest($count) as $kind => $map) {
        $messages = ["{$count} {$kind}" => $map];
        if ($count < 9_000) { // what a map that is complete had on promises is there for the next one again
            $messages["five of {$count} {$kind}"] = "\x95" . \str_repeat($map, 5);
            $messages["three in a map, {$count} {$kind}"] = "\x83\xa1a{$map}\xa1b{$map}\xa1c{$map}";
            $messages["{$count} {$kind}, one in the other"] = \substr($map, 0, -1) . $map;
        }
        foreach ($messages as $name => $message) {
            $beside[$name] = beside($message);
        }
    }
}

$broken = [];
foreach (WideMaps::broken() as $name => $case) {
    $start = $case[2] ?? 0;
    [$peak, $ofTwin] = [peak($case[0], start: $start)[0], peak($case[1], start: $start)[0]];
    $broken[$name] = [\strlen($case[0]) - $start, $peak, $ofTwin];
}
echo \json_encode(['beside' => $beside, 'broken' => $broken], \JSON_THROW_ON_ERROR);
