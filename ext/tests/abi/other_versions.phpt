--TEST--
With an extension of another ABI the library runs its PHP code, and says why
--SKIPIF--
<?php
if (!is_file(__DIR__ . '/../../others/older/polypack.so')) {
	die('skip run tests/build first');
}
?>
--FILE--
<?php
foreach (['older', 'newer'] as $name) {
	foreach (['', 'php', 'ext'] as $engine) {
		$command = [PHP_BINARY, '-n', '-d', 'extension=' . dirname(__DIR__, 2) . "/others/{$name}/polypack.so", __DIR__ . '/use_library.inc'];
		$child = proc_open($command, [1 => ['pipe', 'w'], 2 => ['redirect', 1]], $pipes, null, ['POLYPACK_ENGINE' => $engine] + getenv());
		echo "{$name}, POLYPACK_ENGINE={$engine}\n", stream_get_contents($pipes[1]);
		proc_close($child);
	}
}
?>
--EXPECTF--
older, POLYPACK_ENGINE=
php: the PHP extension polypack has ABI 1 where this library needs %d: update the older of both
all the same, and the extension did nothing
older, POLYPACK_ENGINE=php
php: the PHP extension polypack has ABI 1 where this library needs %d: update the older of both
all the same, and the extension did nothing
older, POLYPACK_ENGINE=ext
Polypack\Exception\InvalidOptionException: POLYPACK_ENGINE is ext, but the PHP extension polypack has ABI 1 where this library needs %d: update the older of both; install it or choose php
newer, POLYPACK_ENGINE=
php: the PHP extension polypack has ABI 999 where this library needs %d: update the older of both
all the same, and the extension did nothing
newer, POLYPACK_ENGINE=php
php: the PHP extension polypack has ABI 999 where this library needs %d: update the older of both
all the same, and the extension did nothing
newer, POLYPACK_ENGINE=ext
Polypack\Exception\InvalidOptionException: POLYPACK_ENGINE is ext, but the PHP extension polypack has ABI 999 where this library needs %d: update the older of both; install it or choose php
