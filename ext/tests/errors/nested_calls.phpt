--TEST--
Without the library, calls nested too deeply for the C stack ask for it, and don't report a depth that isn't there
--EXTENSIONS--
polypack
--FILE--
<?php
final class Link
{
	public function __construct(private int $links) {}

	public function __serialize(): array
	{
		if ($this->links > 0) {
			polypack_serialize(new Link($this->links - 1));
			return [];
		}
		$value = 1;
		for ($i = 0; $i < 10; ++$i) {
			$value = [$value];
		}
		foreach ([fn() => polypack_pack($value), fn() => polypack_unpack(str_repeat("\x91", 10) . "\x01")] as $run) {
			try {
				$run();
				echo "done\n";
			} catch (\Polypack\Exception\PolypackException $error) {
				echo $error->errorCode->value, ': ', strtok($error->getMessage(), '(,'), "\n";
			}
		}
		return [];
	}
}

polypack_serialize(new Link(0));
polypack_serialize(new Link(249));
?>
--EXPECT--
done
done
unsupported_value: array can be packed only with the library polypack/polypack
unsupported_value: the message can be unpacked only with the library polypack/polypack
