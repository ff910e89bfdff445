<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

// Decodes messages that repeat one small unit, each of 1 MB and of 8 MB, in strict mode, the shorter ones through every
// reader. Prints the name and what came of it, line by line: whoever runs it sees where PHP has run out of memory.
//
// usage: php -d memory_limit=128M tests/Support/units.php [deep]
//
//   deep  only deep messages

use Polypack\BufferUnpacker;
use Polypack\Exception\UnpackingFailedException;
use Polypack\StreamUnpacker;
use Polypack\UnpackOptions;

require __DIR__ . '/../../vendor/autoload.php';

// The deep messages come once for each KB. What is kept counts as used, so the limit is a little stricter.
WarmMemory::keep(3);

/**
 * @return iterable<string, string> units, as elements of an array
 */
function elements(): iterable
{
    yield 'nil' => "\xc0";
    yield 'fixint' => "\x00";
    yield 'empty arrays' => "\x90";
    yield 'empty maps' => "\x80";
    yield 'empty strs' => "\xa0";
    yield 'strs of one byte' => "\xa1a";
    yield 'strs of two bytes' => "\xa2ab";
    yield 'strs of 8 bytes' => "\xa8abcdefgh";
    yield 'str 8 of two bytes' => "\xd9\x02ab";
    yield 'bin' => "\xc4\x02ab";
    yield 'float 64' => "\xcb\x00\x00\x00\x00\x00\x00\x00\x00";
    yield 'uint 64 above 2^63' => "\xcf\xff\xff\xff\xff\xff\xff\xff\xff";
    yield 'fixext 1' => "\xd4\x05a";
    yield 'ext without data' => "\xc7\x00\x05";
    yield 'undefined' => "\xd4\x00\x00";
    yield 'timestamps' => "\xd6\xff\x00\x00\x00\x01";
    yield 'arrays of nil' => "\x91\xc0";
    yield 'arrays of arrays' => "\x91\x91\x91\x91\xc0";
    yield 'arrays of strs' => "\x92\xa2ab\xa2cd";
    yield 'array 16' => "\xdc\x00\x01\xc0";
    foreach ([1, 9, 17, 33, 65] as $count) {
        $strs = \array_map(static fn(int $i): string => "\xa2" . \pack('n', 0x3030 + $i), \range(1, $count));
        $head = $count < 16 ? \chr(0x90 | $count) : "\xdc" . \pack('n', $count);
        yield "arrays of {$count} strs" => $head . \implode('', $strs);
        $head = $count < 16 ? \chr(0x80 | $count) : "\xde" . \pack('n', $count);
        yield "maps of {$count} strs" => $head . \implode("\xa2ab", $strs) . "\xa2ab";
        yield "maps of {$count} ints" => $head . \implode("\x00", \array_map(static fn(int $i): string => "\xd2\x80\x00\x00" . \chr($i), \range(1, $count))) . "\x00";
    }
    foreach (["\x00", "\xe0", "\xcc\xff", "\xd3\x80\x00\x00\x00\x00\x00\x00\x00", "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "\xa0", "\xa2ab", "\xd9\x02ab", "\xc4\x02ab"] as $key) {
        yield 'maps with the key ' . \bin2hex($key) => "\x81{$key}\xc0";
    }
    yield 'maps in maps' => "\x81\x00\x81\x00\x81\x00\x81\x00\xc0";
}

/**
 * @return iterable<string, string> messages of about this length
 */
function messages(int $length): iterable
{
    foreach (elements() as $name => $unit) {
        $count = \intdiv($length, \strlen($unit));
        yield $name => "\xdd" . \pack('N', $count) . \str_repeat($unit, $count);
    }
    foreach (['strs' => ["\xa4", 4], 'ints' => ["\xce", 4], 'bin' => ["\xc4\x04", 4], 'long strs' => ["\xd9\x2c" . \str_repeat('k', 40), 4]] as $name => [$head, $width]) {
        $count = \intdiv($length, \strlen($head) + $width + 1);
        $entries = '';
        for ($i = 0; $i < $count; ++$i) {
            $entries .= $head . \strtr(\pack('N', 2_654_435_761 * $i & 0x7f7f_7f7f | 0x0101_0101 & $i), "\xff", "\x7f") . "\xc0";
        }
        $message = "\xdf" . \pack('N', $count) . $entries;
        unset($entries);
        yield "one map of {$name}" => $message;
        unset($message);
    }
    yield from deep($length);
}

/**
 * @return iterable<string, string>
 */
function deep(int $length): iterable
{
    $nested = \str_repeat("\x91", 500) . "\xc0";
    yield 'deep arrays' => "\xdd" . \pack('N', \intdiv($length, 501)) . \str_repeat($nested, \intdiv($length, 501));
    $nested = \str_repeat("\x81\x00", 500) . "\xc0";
    yield 'deep maps' => "\xdd" . \pack('N', \intdiv($length, 1001)) . \str_repeat($nested, \intdiv($length, 1001));
}

/**
 * @return iterable<string, string>
 */
function records(int $length): iterable
{
    $count = \intdiv($length, 2);
    yield 'records of one value' => "\xdd" . \pack('N', $count + 1) . "\xd4\x72\x40\x91\xa1a\xc0" . \str_repeat("\x40\xc0", $count);
    yield 'records without values' => "\xdd" . \pack('N', $length + 1) . "\xd4\x72\x40\x90" . \str_repeat("\x40", $length);
    $count = \intdiv($length, 10);
    yield 'declarations' => "\xdd" . \pack('N', $count) . \str_repeat("\xd4\x72\x40\x92\xa1a\xa1b\xc0\xc0", $count);
    yield 'declarations of pairs' => "\xdd" . \pack('N', $count) . \implode('', \array_map(
        static fn(int $i): string => "\xd5\x72" . \chr(0x60 | $i & 0x1f) . \chr($i >> 5 & 0xff) . "\x91\xa2ab\xc0",
        \range(1, $count),
    ));
}

/**
 * @return iterable<string>
 */
function chunks(string $message): iterable
{
    for ($i = 0, $end = \strlen($message); $i < $end; $i += 65_536) {
        yield \substr($message, $i, 65_536);
    }
}

function attempt(string $name, \Closure $decode): void
{
    \gc_mem_caches(); // what earlier messages have left in pieces
    echo $name, ': ';
    try {
        $decode();
        echo "decoded\n";
    } catch (UnpackingFailedException $error) {
        echo $error->errorCode->value, "\n";
    }
}

/** @var list<string> $arguments */
$arguments = $_SERVER['argv'];
$isDeep = ($arguments[1] ?? '') === 'deep';
foreach ($isDeep ? [] : elements() as $name => $unit) {
    $messages = \str_repeat($unit, \intdiv(1_000_000, \strlen($unit)));
    attempt("{$name}, the messages of a chunk", static fn(): array => (new StreamUnpacker(UnpackOptions::STRICT))->feed($messages));
}
foreach ([1_000_000, 8_000_000] as $length) {
    foreach ($isDeep ? deep($length) : messages($length) as $name => $message) {
        $name = "{$length} {$name}";
        attempt($name, static fn(): mixed => (new BufferUnpacker($message, UnpackOptions::STRICT))->unpack());
        if ($length < 8_000_000) {
            attempt("{$name}, by path", static fn(): mixed => (new BufferUnpacker($message, UnpackOptions::STRICT))->get('/none'));
            attempt("{$name}, of a stream", static function () use ($message): void {
                foreach ((new StreamUnpacker(UnpackOptions::STRICT))->decode(chunks($message)) as $value) {
                    unset($value);
                }
            });
        }
    }
    foreach ($isDeep ? [] : records($length) as $name => $message) {
        $options = UnpackOptions::STRICT | UnpackOptions::RECORDS_INLINE;
        attempt("{$length} {$name}", static fn(): mixed => (new BufferUnpacker($message, $options))->unpack());
        attempt("{$length} {$name}, of a stream", static fn(): array => (new StreamUnpacker($options))->feed($message));
    }
}
echo "done\n";
