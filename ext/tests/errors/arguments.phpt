--TEST--
The functions that the library calls refuse arguments of other kinds
--EXTENSIONS--
polypack
--FILE--
<?php
require __DIR__ . '/../library.inc';

$offset = 0;
$text = 'x';
$far = 5;
foreach ([
	static fn(): mixed => polypack_encode([1], 0, 0, 512, false, false, new stdClass()),
	static fn(): mixed => polypack_decode("\x90", $offset, 0, 0, 512, null, 1, 1, 1, [], new stdClass()),
	static fn(): mixed => polypack_decode("\x90", $text, 0, 0, 512, null, 1, 1, 1, [], new Polypack\BufferUnpacker()),
	static fn(): mixed => polypack_decode("\x90", $far, 0, 0, 512, null, 1, 1, 1, [], new Polypack\BufferUnpacker()),
	static fn(): mixed => polypack_pack([1], 3),
	static fn(): mixed => polypack_unpack("\x90", 1 << 30),
] as $call) {
	try {
		var_dump($call());
	} catch (Throwable $error) {
		echo get_class($error), ': ', $error->getMessage(), "\n";
	}
}
var_dump(polypack_decode("\x90", $offset, 0, 0, 512, null, 1, 1, 1, [], new Polypack\BufferUnpacker()), $offset);
?>
--EXPECTF--
TypeError: polypack_encode(): Argument #7 ($packer) must be of type ?Polypack\Packer, stdClass given
TypeError: polypack_decode(): Argument #11 ($unpacker) must be of type ?Polypack\BufferUnpacker, stdClass given
ValueError: polypack_decode(): Argument #2 ($offset) must be an offset in the buffer
ValueError: polypack_decode(): Argument #2 ($offset) must be an offset in the buffer
Polypack\Exception\InvalidOptionException: %s
Polypack\Exception\InvalidOptionException: %s
array(0) {
}
int(1)
