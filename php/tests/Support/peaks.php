<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

// Prints as JSON, for each payload of the bench, how many bytes decoding takes beside its result and the input, and how many
// the result takes. A process of its own: the stack of PHP grows by 256 KiB at a time, and a test lies deep in it.

use Polypack\Bench\Payloads;
use Polypack\BufferUnpacker;
use Polypack\Packer;

require __DIR__ . '/../../vendor/autoload.php';
require __DIR__ . '/../../bench/_payloads.php';

$peaks = [];
foreach (\array_keys(Payloads::all()) as $name) {
    $unpacker = new BufferUnpacker((new Packer())->pack(Payloads::all()[$name]));
    $peaks[$name] = [\PHP_INT_MAX, 0];
    // What an unpacker keeps, and what a JIT needs while it compiles, comes once.
    for ($i = 0; $i < 5; ++$i) {
        $unpacker->seek(0);
        \gc_collect_cycles();
        $before = \memory_get_usage();
        \memory_reset_peak_usage();
        $value = $unpacker->unpack();
        $peak = \memory_get_peak_usage() - $before;
        $result = \memory_get_usage() - $before;
        unset($value);
        $peaks[$name] = \min($peaks[$name], [$peak - $result, $result]);
    }
}
echo \json_encode($peaks, \JSON_THROW_ON_ERROR);
