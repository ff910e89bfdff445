--TEST--
An extension may change the unpacker around it, throw, and return anything; a destructor may throw
--EXTENSIONS--
polypack
--FILE--
<?php
require __DIR__ . '/../library.inc';

use Polypack\BufferUnpacker;
use Polypack\Extension;
use Polypack\Packer;

final class Calls implements Extension
{
	public function __construct(private \Closure $unpack) {}

	public function getType(): int
	{
		return 5;
	}

	public function pack(Packer $packer, mixed $value): ?string
	{
		return null;
	}

	public function unpackExt(BufferUnpacker $unpacker, int $extLength): mixed
	{
		return ($this->unpack)($unpacker);
	}
}

final class ThrowsLater
{
	public function __destruct()
	{
		throw new RuntimeException('destroyed');
	}
}

// The buffer is replaced while it is read.
$around = null;
$extension = new Calls(static function (BufferUnpacker $inside) use (&$around): mixed {
	$around->reset(str_repeat("\xc1", 5));
	gc_collect_cycles();
	return $inside->unpack();
});
$around = new BufferUnpacker("\x93\xd4\x05\x01\xa3" . implode(['a', 'b', 'c']) . "\x82\xa1k\x01\xa1l\x90", null, [$extension]);
echo json_encode($around->unpack()), "\n";

// An object that is replaced by a later entry of the same key
$unpacker = new BufferUnpacker("\x82\xa1k\xd4\x05\x00\xa1k\x01", null, [new Calls(static fn(): object => new ThrowsLater())]);
try {
	$unpacker->unpack();
} catch (Throwable $error) {
	echo get_class($error), ': ', $error->getMessage(), "\n";
}

// A value that holds the whole chain of frames
$unpacker = new BufferUnpacker("\x92\xd4\x05\x00\x91\xd4\x05\x00", null, [new Calls(static fn(): never => throw new Exception('no'))]);
try {
	$unpacker->unpack();
} catch (Polypack\Exception\UnpackingFailedException $error) {
	echo $error->path, ' ', $error->getPrevious()->getMessage(), "\n";
}
?>
--EXPECT--
[1,"abc",{"k":1,"l":[]}]
RuntimeException: destroyed
/0 no
