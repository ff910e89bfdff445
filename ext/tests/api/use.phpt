--TEST--
Another extension packs and unpacks through polypack_api.h
--SKIPIF--
<?php
if (!is_file(__DIR__ . '/../../others/api.so')) {
	die('skip run tests/build first');
}
?>
--FILE--
<?php
$root = dirname(__DIR__, 2);
foreach ([['api'], ['api', 'polypack'], ['polypack', 'later_api']] as $extensions) {
	$command = [PHP_BINARY, '-n'];
	foreach ($extensions as $name) {
		array_push($command, '-d', 'extension=' . ($name === 'polypack' ? "{$root}/modules/polypack.so" : "{$root}/others/{$name}.so"));
	}
	$child = proc_open([...$command, __DIR__ . '/use_api.inc'], [1 => ['pipe', 'w'], 2 => ['redirect', 1]], $pipes);
	echo '# ', implode(', ', $extensions), "\n", stream_get_contents($pipes[1]);
	proc_close($child);
}
?>
--EXPECT--
# api
NULL
# api, polypack
int(1)
82a26964cd0100a46c697374930102c0
Array and back
class Polypack\Type\Bin
Polypack\Exception\UnpackingFailedException: the head byte 0xc1 is reserved, at byte 1 (path "/0"); the input is damaged, or is not MessagePack
Polypack\Exception\PackingFailedException: cannot pack resource (stream) (path "/s"); register a transformer for it, or convert it before
Polypack\Exception\InvalidOptionException: PackOptions has no option with the bits 0x40000000; combine its constants with |
# polypack, later_api
NULL
