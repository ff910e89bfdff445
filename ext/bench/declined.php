<?php

declare(strict_types=1);

// What messages cost that the extension declines, after it has read or packed what comes before (docs/decisions/0024):
// the processor's time with the extension divided by that of the PHP code alone, both of one round; the median.
//
// usage: php -d opcache.enable_cli=1 -d extension=…/polypack.so ext/bench/declined.php

use Polypack\BufferUnpacker;
use Polypack\CanBePacked;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Extension;
use Polypack\MessagePack;
use Polypack\Native\Engine;
use Polypack\Packer;
use Polypack\PackOptions;
use Polypack\UnpackOptions;

const ROUNDS = 25;
const ROUND_MICROSECONDS = 10_000;

require dirname(__DIR__, 2) . '/php/vendor/autoload.php';

/** A value that packs itself. */
final class Point implements CanBePacked
{
	public function pack(Packer $packer): string
	{
		return $packer->pack([1, 2]);
	}
}

/** Reads ext values of type 5. */
final class Five implements Extension
{
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
		return $unpacker->read($extLength);
	}
}

/** Returns how many microseconds of the processor this process has taken. */
function processor_time(): int
{
	$usage = getrusage();
	return ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) * 1_000_000 + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec'];
}

/** Returns how long a call takes, in microseconds. */
function time_of(Closure $call, int $times): float
{
	$start = processor_time();
	for ($i = 0; $i < $times; $i++) {
		$call();
	}
	return max(1, processor_time() - $start) / $times;
}

/**
 * @param Closure(): Closure $make makes the call with the engine that is active
 */
function ratio(Closure $make, string $counter): float
{
	Engine::$isActive = false;
	$php = $make();
	Engine::$isActive = true;
	$ext = $make();
	$before = polypack_stats()[$counter];
	$ext();
	if (polypack_stats()[$counter] !== $before + 1) {
		throw new LogicException("not declined: {$counter} is the same");
	}
	$times = max(3, (int) (ROUND_MICROSECONDS / time_of($php, 100)));
	$ratios = [];
	for ($i = 0; $i < ROUNDS; $i++) {
		$ofPhp = time_of($php, $times);
		$ratios[] = time_of($ext, $times) / $ofPhp;
	}
	sort($ratios);
	return $ratios[intdiv(ROUNDS, 2)];
}

$rows = [];
for ($i = 0; $i < 200; $i++) {
	$rows[] = ['id' => 1001 * $i, 'name' => "name {$i}", 'tags' => ['a', 'b'], 'score' => $i / 7];
}
$behind = "\x92" . MessagePack::pack($rows);
$keys = "\x82\x91\x01\x01\x91\x02\x02"; // two keys that are arrays

foreach ([
	'keys that are arrays, lossless' => [$keys, $behind . $keys, UnpackOptions::LOSSLESS, []],
	'an extension runs, lossless' => ["\x92\xd4\x05\x01\x01", $behind . "\xd4\x05\x01", UnpackOptions::LOSSLESS, [new Five()]],
	'a fault' => ["\x92\x01\xc1", $behind . "\xc1", 0, []],
] as $name => [$alone, $last, $options, $extensions]) {
	foreach (['alone' => $alone, 'behind 200 rows' => $last] as $where => $bytes) {
		$ratio = ratio(static function () use ($bytes, $options, $extensions): Closure {
			$unpacker = new BufferUnpacker('', $options, $extensions);
			return static function () use ($unpacker, $bytes): void {
				try {
					$unpacker->reset($bytes);
					$unpacker->unpack();
				} catch (UnpackingFailedException) {
				}
			};
		}, 'decodeDeclined');
		printf("unpack: %-32s %-16s %.2f\n", $name, $where, $ratio);
	}
}
foreach (['alone' => [new Point(), ['a' => 1]], 'behind 200 rows' => [...$rows, new Point()]] as $where => $value) {
	$ratio = ratio(static function () use ($value): Closure {
		$packer = new Packer(PackOptions::RECORDS_INLINE);
		return static fn(): string => $packer->pack($value);
	}, 'encodeDeclined');
	printf("pack:   %-32s %-16s %.2f\n", 'an object packs itself, records', $where, $ratio);
}
