--TEST--
At the end of a request, a session that can't be encoded is a warning: the stored bytes stay, and the session is closed
--EXTENSIONS--
polypack
session
--INI--
session.serialize_handler=polypack
session.use_cookies=0
session.cache_limiter=
--FILE--
<?php
require dirname(__DIR__) . '/library.inc';

final class Store implements SessionHandlerInterface
{
	public function open(string $path, string $name): bool
	{
		return true;
	}

	public function close(): bool
	{
		echo "close\n";
		return true;
	}

	public function read(string $id): string
	{
		return polypack_serialize(['n' => 1]);
	}

	public function write(string $id, string $data): bool
	{
		echo 'write ', json_encode(polypack_unserialize($data)), "\n";
		return true;
	}

	public function destroy(string $id): bool
	{
		return true;
	}

	public function gc(int $lifetime): int
	{
		return 0;
	}
}

session_set_save_handler(new Store(), false);
session_id('id');
session_start();
$_SESSION = ['n' => 2, 'run' => fn() => 1];
echo "end\n";
?>
--EXPECT--
end

Warning: session_write_close(): The session was not saved, and what was stored stays: PHP does not serialize Closure (path "/run"); leave it out in __serialize(), or pass 'unserializable' => 'null' in Unknown on line 0
write {"n":1}
close
