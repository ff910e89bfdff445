--TEST--
Deep containers and nested call-backs overflow no C stack, also in a Fiber
--EXTENSIONS--
polypack
--INI--
memory_limit=512M
--FILE--
<?php
require __DIR__ . '/../library.inc';

use Polypack\BufferUnpacker;
use Polypack\CanBePacked;
use Polypack\Extension;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Packer;

// Each object packs the next with a packer of its own, inside of many arrays.
final class Link implements CanBePacked
{
	public function __construct(private mixed $next, private int $arrays) {}

	public function pack(Packer $packer): string
	{
		$value = $this->next;
		for ($i = 0; $i < $this->arrays; ++$i) {
			$value = [$value];
		}
		return packer()->pack($value);
	}
}

function packer(): Packer
{
	return new Packer(limits: new Limits(maxDepth: 10_000));
}

$nested = static function (int $links, int $arrays): string {
	$link = 1;
	for ($i = 0; $i < $links; ++$i) {
		$link = new Link($link, $arrays);
	}
	return packer()->pack([$link]);
};

$run = static function () use ($nested): void {
	var_dump(strlen($nested(512, 1)));
	var_dump(strlen($nested(100, 95)));
	$deep = str_repeat("\x91", 10000) . "\x01";
	$limits = new Limits(maxDepth: 10000);
	var_dump(MessagePack::pack(MessagePack::unpack($deep, limits: $limits), limits: $limits) === $deep);

	// An extension that unpacks its data, which has the same extension
	$extension = new class implements Extension {
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
			return $unpacker->unpack();
		}
	};
	$bytes = "\x91\x01";
	for ($i = 0; $i < 250; ++$i) {
		$bytes = "\x91\xc8" . pack('n', strlen($bytes)) . "\x05{$bytes}";
	}
	$value = (new BufferUnpacker($bytes, null, [$extension]))->unpack();
	for ($depth = 0; is_array($value); ++$depth) {
		$value = $value[0];
	}
	var_dump($depth);
};

$run();
$fiber = new Fiber($run);
$fiber->start();
?>
--EXPECT--
int(514)
int(9502)
bool(true)
int(251)
int(514)
int(9502)
bool(true)
int(251)
