--TEST--
A call-back may change and free the arrays and objects that are being packed
--EXTENSIONS--
polypack
--FILE--
<?php
require __DIR__ . '/../library.inc';

use Polypack\CanBePacked;
use Polypack\Packer;
use Polypack\Type\Entries;

final class Changes implements CanBePacked
{
	public function __construct(private \Closure $change) {}

	public function pack(Packer $packer): string
	{
		($this->change)();
		gc_collect_cycles();
		return $packer->pack('done');
	}
}

// The array that holds the object, by a reference
$array = [1, null, str_repeat('x', 3), [2, 3]];
$array[1] = new Changes(static function () use (&$array): void {
	$array = null;
});
echo bin2hex((new Packer())->pack(['list' => &$array, 'after' => 1])), "\n";

// An inner array, and the element that is being packed
$inner = ['k' => null, 'l' => [str_repeat('y', 2)]];
$inner['k'] = new Changes(static function () use (&$inner): void {
	unset($inner['k'], $inner['l']);
	$inner['m'] = 5;
});
$holder = [&$inner, 'end'];
echo bin2hex((new Packer())->pack($holder)), "\n";

// The properties of an object
$object = new stdClass();
$object->a = new Changes(static function () use ($object): void {
	unset($object->a, $object->b);
	$object->c = 1;
});
$object->b = [1];
echo bin2hex((new Packer())->pack([$object])), "\n";

// A pair of Entries
$pair = [[7], null];
$pair[1] = new Changes(static function () use (&$pair): void {
	$pair = null;
});
echo bin2hex((new Packer())->pack([new Entries([&$pair, ['z', 1]])])), "\n";

// The packer itself is used for another message meanwhile
$packer = new Packer();
$uses = new Changes(static function () use ($packer): void {
	echo bin2hex($packer->pack(range(1, 3))), "\n";
});
echo bin2hex($packer->pack([$uses, $uses])), "\n";
?>
--EXPECT--
82a46c6973749401a4646f6e65a3787878920203a5616674657201
9282a16ba4646f6e65a16c91a27979a3656e64
9182a161a4646f6e65a1629101
91829107a4646f6e65a17a01
93010203
93010203
92a4646f6e65a4646f6e65
