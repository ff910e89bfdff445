<?php

declare(strict_types=1);

// A file of messages, written one by one and read one by one: memory holds one of them.

use Polypack\Packer;
use Polypack\StreamUnpacker;

require_once __DIR__ . '/../vendor/autoload.php';

$file = tmpfile();
assert($file !== false);

$packer = new Packer();
for ($id = 1; $id <= 10_000; ++$id) {
    fwrite($file, $packer->pack(['id' => $id, 'name' => "user {$id}"]));
}
rewind($file);

$count = 0;
$latest = null;
foreach ((new StreamUnpacker())->decode($file) as $latest) {
    ++$count;
}
echo $count, ' messages, the last is ', json_encode($latest), "\n";

// Bytes that come in any other way are fed by hand; end() says whether they end between messages.
$stream = new StreamUnpacker();
foreach (["\x93\x01", "\x02\x03\xc3", "\xa2hi"] as $chunk) {
    foreach ($stream->feed($chunk) as $message) {
        echo json_encode($message), "\n";
    }
}
$stream->end();

/* OUTPUT
10000 messages, the last is {"id":10000,"name":"user 10000"}
[1,2,3]
true
"hi"
*/
