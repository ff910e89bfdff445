--TEST--
phpinfo() tells the version, the ABI and the settings of sessions
--EXTENSIONS--
polypack
--FILE--
<?php
ob_start();
(new ReflectionExtension('polypack'))->info();
$info = ob_get_flush();
foreach (['Version' => phpversion('polypack'), 'ABI that the library polypack/polypack must know' => POLYPACK_ABI] as $row => $value) {
	var_dump(str_contains($info, "\n$row => $value\n"));
}
?>
--EXPECTF--

polypack

MessagePack in C (polypack) => enabled
Version => %d.%d.%d
ABI that the library polypack/polypack must know => %d

Directive => Local Value => Master Value
polypack.session_key_file => no value => no value
polypack.session_key_env => no value => no value
polypack.session_bind_id => 0 => 0
polypack.session_migrate_until => no value => no value
polypack.session_allowed_classes => no value => no value
polypack.session_on_failure => keep => keep
bool(true)
bool(true)
