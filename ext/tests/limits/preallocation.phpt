--TEST--
Counts that lie don't make the decoder allocate what they declare
--EXTENSIONS--
polypack
--FILE--
<?php
require __DIR__ . '/../library.inc';

use Polypack\Exception\UnpackingFailedException;
use Polypack\MessagePack;

$size = 4_000_000;
foreach (["\xdd" . pack('N', $size - 1), "\xdf" . pack('N', intdiv($size, 2) - 1), "\x92\xdd" . pack('N', $size - 2)] as $head) {
	$bytes = $head . "\xc1" . str_repeat("\x00", $size);
	memory_reset_peak_usage();
	$before = memory_get_usage();
	try {
		MessagePack::unpack($bytes);
	} catch (UnpackingFailedException $error) {
		echo $error->errorCode->value, "\n";
	}
	var_dump(memory_get_peak_usage() - $before < 1_500_000);
}

// What arrives is decoded, of course.
var_dump(count(MessagePack::unpack("\xdd" . pack('N', 200_000) . str_repeat("\x07", 200_000))));
?>
--EXPECT--
reserved_byte
bool(true)
reserved_byte
bool(true)
reserved_byte
bool(true)
int(200000)
