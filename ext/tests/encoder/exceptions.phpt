--TEST--
A call-back that throws leaves no memory behind, and the packer is usable again
--EXTENSIONS--
polypack
--FILE--
<?php
require __DIR__ . '/../library.inc';

use Polypack\CanBePacked;
use Polypack\Packer;

final class Throws implements CanBePacked
{
	public function pack(Packer $packer): string
	{
		$packer->pack([str_repeat('z', 3000), [[1]]]);
		throw new DomainException('no');
	}
}

$packer = new Packer();
$value = ['long' => str_repeat('x', 10000), 'deep' => [[['here' => new Throws()]]]];
$memory = array_fill(0, 200, 0);
for ($i = 0; $i < 200; ++$i) {
	try {
		$packer->pack($value);
	} catch (Polypack\Exception\PackingFailedException $error) {
		gc_collect_cycles();
		$memory[$i] = memory_get_usage();
	}
}
var_dump($error->path, $error->getPrevious()->getMessage());
var_dump($memory[199] <= $memory[20]);
echo bin2hex($packer->pack([1])), "\n";
?>
--EXPECT--
string(14) "/deep/0/0/here"
string(2) "no"
bool(true)
9101
