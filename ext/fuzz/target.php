<?php

declare(strict_types=1);

use Polypack\BufferUnpacker;
use Polypack\Canonical;
use Polypack\Exception\PolypackException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Native\Engine;
use Polypack\Snapshot\Serializer;
use Polypack\StreamUnpacker;
use Polypack\Tests\Support\CountedExtension;
use Polypack\UnpackOptions;

// For embed.c: a function that takes an input of the fuzzer and tells whether the extension and the PHP code agree. The
// first byte of the input chooses what is done with the others.

require dirname(__DIR__, 2) . '/php/vendor/autoload.php';
require_once dirname(__DIR__, 2) . '/php/src/Snapshot/functions.php';

const READING = [
	0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS, UnpackOptions::BIGINT_AS_FLOAT,
	UnpackOptions::RECORDS_INLINE, UnpackOptions::RECORDS_INLINE | UnpackOptions::STRICT, UnpackOptions::RECORDS_INLINE | UnpackOptions::LOSSLESS,
];
// Packing has the same numbers for what both have.
const WRITING = [0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS, 0, UnpackOptions::RECORDS_INLINE];

$limits = new Limits(maxDepth: 100, maxValues: 5000);

$read = static function (BufferUnpacker $unpacker, int $writing): string {
	$text = '';
	while ($unpacker->getRemainingCount() > 0) {
		$value = $unpacker->unpack();
		$text .= serialize($value) . bin2hex(MessagePack::pack($value, $writing)) . ' ';
	}

	return $text;
};

$does = static function (int $choice, string $bytes) use ($limits, $read): string {
	$options = READING[$choice % count(READING)];
	$writing = WRITING[$choice % count(READING)] ?? 0;

	return match (intdiv($choice, count(READING)) % 6) {
		0 => $read(new BufferUnpacker($bytes, $options, [], $limits), $writing),
		1 => $read(new BufferUnpacker($bytes, $options), $writing),
		2 => $read(new BufferUnpacker($bytes, $options, [new CountedExtension(static fn(BufferUnpacker $inside): mixed => $inside->unpack())], $limits), $writing),
		3 => serialize([...(new StreamUnpacker())->decode(str_split($bytes, $choice % 13 + 1))]),
		4 => bin2hex((new Canonical($choice % 2 === 0))->canonicalize($bytes)),
		5 => serialize(Serializer::unserialize($bytes, ['max_elements' => 5000, 'allowed_classes' => $choice % 2 === 0 ? false : ['stdClass', 'ArrayObject', 'DateTimeImmutable', 'DateTimeZone']])),
	};
};

set_error_handler(static fn(): bool => true); // what hooks of PHP itself warn of

return static function (string $input) use ($does): bool {
	$outcomes = [];
	foreach ([false, true] as $isActive) {
		Engine::$isActive = $isActive;
		try {
			$outcomes[] = $does(ord($input[0] ?? ''), substr($input, 1));
		} catch (PolypackException $error) {
			$outcomes[] = $error::class . ': ' . $error->getMessage();
		} catch (Exception | Error $error) { // of a hook of PHP's classes, which only snapshots call
			if (intdiv(ord($input[0]), count(READING)) % 6 !== 5) {
				throw $error;
			}
			$outcomes[] = $error::class . ': ' . $error->getMessage();
		}
	}
	if ($outcomes[0] !== $outcomes[1]) {
		fwrite(STDERR, "target.php: with the PHP code\n{$outcomes[0]}\nwith the extension\n{$outcomes[1]}\n");
	}

	return $outcomes[0] === $outcomes[1];
};
