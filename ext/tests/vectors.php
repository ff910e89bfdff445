<?php

declare(strict_types=1);

use Polypack\Canonical;
use Polypack\Exception\PolypackException;
use Polypack\MessagePack;
use Polypack\Native\Engine;
use Polypack\Snapshot\Serializer;
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\Vectors;

// Runs each message of the vectors through the extension, valid or not, in three modes: decoded, packed again, read as
// a stream, and in canonical form; and each snapshot. What comes out others check (php/tests/Native); this is for tools
// that look at memory and are slow.
//
// usage: php vectors.php [ONE_IN SEED]
//
// With ONE_IN and SEED it takes about one case in so many, others with each seed (tools/test-ext --build valgrind).

require dirname(__DIR__, 2) . '/php/vendor/autoload.php';
require_once dirname(__DIR__, 2) . '/php/src/Snapshot/functions.php';

$fail = static function (string $what): never {
	fwrite(STDERR, "vectors.php: {$what}\n");
	exit(1);
};
Engine::isActive() || $fail("the extension isn't active");
$oneIn = (int) ($argv[1] ?? 1);
$oneIn > 0 || $fail('ONE_IN must be 1 or more');
mt_srand((int) ($argv[2] ?? 1));
$isTaken = static fn(): bool => mt_rand(1, $oneIn) === 1;
$count = $faults = 0;
$try = static function (Closure $call) use (&$count, &$faults): mixed {
	++$count;
	try {
		return $call();
	} catch (PolypackException) {
		++$faults;

		return null;
	}
};
foreach (Vectors::files() as [$folder, $file]) {
	foreach (Vectors::cases($file) as $case) {
		if (!$isTaken()) {
			continue;
		}
		foreach (['bytes', 'canonical'] as $field) {
			$bytes = $case->has($field) ? $case->bytes($field) : '';
			if ($bytes === '') {
				continue;
			}
			foreach (Vectors::MODES as $options) {
				$value = $try(static fn(): mixed => MessagePack::unpack($bytes, $options));
				$try(static fn(): string => MessagePack::pack([$value], $options));
				$try(static fn(): array => [...(new StreamUnpacker($options))->decode(str_split($bytes, 5))]);
			}
			$try(static fn(): string => (new Canonical())->canonicalize($bytes));
		}
	}
}
foreach (glob(dirname(__DIR__, 2) . '/vectors/snapshot/{values,accepted,objects,invalid}.json', GLOB_BRACE) ?: [] as $file) {
	foreach (json_decode((string) file_get_contents($file), true)['cases'] as $case) {
		if (!$isTaken()) {
			continue;
		}
		$bytes = (string) hex2bin($case['bytes'] ?? '');
		$value = $try(static fn(): mixed => Serializer::unserialize($bytes, ['allowed_classes' => false]));
		$try(static fn(): string => Serializer::serialize($value));
	}
}
// Nothing at all, or nothing but faults, would be no test.
$count > 100_000 / $oneIn && $faults < 2 * $count / 3 || $fail("only {$count} calls, {$faults} of them refused");
echo "{$count} calls, {$faults} refused\n";
