<?php

declare(strict_types=1);

// What messages cost that the extension declines, after it has read or packed what comes before (docs/decisions/0024):
// the time with the extension divided by that of the PHP code alone, both of one round; the median of the rounds.
//
// usage: php -d opcache.enable_cli=1 -d extension=…/polypack.so ext/bench/declined.php

use Polypack\Bench\Rounds;
use Polypack\Bench\Run;
use Polypack\BufferUnpacker;
use Polypack\Exception\UnpackingFailedException;
use Polypack\MessagePack;
use Polypack\Native\Engine;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\Tests\Support\Counted;
use Polypack\Tests\Support\CountedExtension;
use Polypack\UnpackOptions;

const ROUNDS = 28;
const ROUND_NS = 10_000_000;

require dirname(__DIR__, 2) . '/php/vendor/autoload.php';
require dirname(__DIR__, 2) . '/php/bench/_payloads.php';
require dirname(__DIR__, 2) . '/php/bench/_rounds.php';

/**
 * @param Closure(): Closure(): mixed $make makes the call with the engine that is active
 */
function ratio(Closure $make, string $counter): float
{
	$runs = [];
	$expected = null;
	foreach (['php' => false, 'ext' => true] as $name => Engine::$isActive) {
		$call = $make();
		$before = polypack_stats()[$counter];
		$result = $call();
		$expected ??= $result;
		if (polypack_stats()[$counter] !== $before + (int) Engine::$isActive) {
			throw new LogicException("{$name}: {$counter} doesn't count what it should");
		}
		$runs[$name] = new Run(static function (int $calls) use ($call): mixed {
			$result = null;
			for ($i = 0; $i < $calls; $i++) {
				$result = $call();
			}
			return $result;
		}, $expected);
	}
	['ratios' => $ratios, 'verified' => $isVerified] = Rounds::measure($runs, ROUNDS, ROUND_NS)['ext'];
	$isVerified || throw new LogicException('the extension gives another result');
	sort($ratios);
	return $ratios[intdiv(count($ratios), 2)];
}

$rows = [];
for ($i = 0; $i < 200; $i++) {
	$rows[] = ['id' => 1001 * $i, 'name' => "name {$i}", 'tags' => ['a', 'b'], 'score' => $i / 7];
}
$behind = "\x92" . MessagePack::pack($rows);
$keys = "\x82\x91\x01\x01\x91\x02\x02"; // two keys that are arrays
$extension = new CountedExtension(static fn(BufferUnpacker $unpacker): string => $unpacker->read(1));

foreach ([
	'keys that are arrays, lossless' => [$keys, $behind . $keys, UnpackOptions::LOSSLESS, []],
	'an extension runs, lossless' => ["\x92\xd4\x05\x01\x01", $behind . "\xd4\x05\x01", UnpackOptions::LOSSLESS, [$extension]],
	'a fault' => ["\x92\x01\xc1", $behind . "\xc1", 0, []],
] as $name => [$alone, $last, $options, $extensions]) {
	foreach (['alone' => $alone, 'behind 200 rows' => $last] as $where => $bytes) {
		$ratio = ratio(static function () use ($bytes, $options, $extensions): Closure {
			$unpacker = new BufferUnpacker('', $options, $extensions);
			return static function () use ($unpacker, $bytes): mixed {
				try {
					$unpacker->reset($bytes);
					return $unpacker->unpack();
				} catch (UnpackingFailedException $fault) {
					return $fault->getMessage();
				}
			};
		}, 'decodeDeclined');
		printf("unpack: %-32s %-16s %.2f\n", $name, $where, $ratio);
	}
}
$object = new Counted(static fn(Packer $packer): string => $packer->pack([1, 2]));
foreach (['alone' => [$object, ['a' => 1]], 'behind 200 rows' => [...$rows, $object]] as $where => $value) {
	$ratio = ratio(static function () use ($value): Closure {
		$packer = new Packer(PackOptions::RECORDS_INLINE);
		return static fn(): string => $packer->pack($value);
	}, 'encodeDeclined');
	printf("pack:   %-32s %-16s %.2f\n", 'an object packs itself, records', $where, $ratio);
}
