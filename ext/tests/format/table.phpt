--TEST--
The constants of format.h are those of spec/format.json
--EXTENSIONS--
polypack
--SKIPIF--
<?php
if (!is_file((getenv('POLYPACK_LIBRARY') ?: __DIR__ . '/../../../php') . '/../spec/format.json')) {
	die('skip spec/format.json is not in this package');
}
?>
--FILE--
<?php
$spec = json_decode(file_get_contents((getenv('POLYPACK_LIBRARY') ?: __DIR__ . '/../../../php') . '/../spec/format.json'), true);
preg_match_all('/^#define POLYPACK_(\w+) \(?(-?(?:0x)?[0-9a-f]+)\)?$/m', file_get_contents(__DIR__ . '/../../src/format.h'), $found, PREG_SET_ORDER);
$constants = [];
foreach ($found as [, $name, $number]) {
	$constants[$name] = intval($number, 0);
}
foreach ($spec['heads'] as $head) {
	if (($constants[$head['name']] ?? null) !== hexdec($head['first'])) {
		echo "{$head['name']} differs\n";
	}
}
foreach ($spec['extensions'] as $name => $type) {
	if (($constants["EXT_{$name}"] ?? null) !== $type) {
		echo "EXT_{$name} differs\n";
	}
}
foreach (['MAX_DEPTH', 'MAX_STREAM_BYTES'] as $name) {
	if ($constants[$name] !== $spec['limits'][$name]) {
		echo "{$name} differs\n";
	}
}
echo count($spec['heads']), " heads\n";
?>
--EXPECT--
37 heads
