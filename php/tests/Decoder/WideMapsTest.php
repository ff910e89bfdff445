<?php

declare(strict_types=1);

namespace Polypack\Tests\Decoder;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Exception\ErrorCode;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\PackOptions;
use Polypack\Tests\Support\WideMaps;
use Polypack\UnpackOptions;

/**
 * Maps for which the decoder reserves capacity become the arrays that PHP makes by itself. MemoryTest has their limits.
 */
final class WideMapsTest extends TestCase
{
    /**
     * @return iterable<string, array{\Closure(int): (int|string), int}>
     */
    public static function maps(): iterable
    {
        $keys = [
            'sparse' => static fn(int $i): int => 1000 + 7 * $i,
            'in a row from 0' => static fn(int $i): int => $i,
            'in a row from 1' => static fn(int $i): int => 1 + $i,
            'in a row, then sparse' => static fn(int $i): int => $i < 500 ? $i : 100 * $i,
            'shuffled' => static fn(int $i): int => $i * 7919 % 20_000,
            'backwards' => static fn(int $i): int => 20_000 - $i,
            'negative' => static fn(int $i): int => -3 * $i,
            'large' => static fn(int $i): int => 1_700_000_000_000_000_000 + 1_000_000_007 * $i,
            'names' => static fn(int $i): string => "name {$i}",
            'digits' => static fn(int $i): string => "{$i}",
            'both' => static fn(int $i): int|string => $i % 5 === 0 ? "name {$i}" : $i,
            'one and then others' => static fn(int $i): int|string => $i === 0 ? 'a' : 3 * $i,
        ];
        foreach ($keys as $name => $key) {
            // The last reserves capacity when its keys are watched already.
            foreach ($name === 'sparse' || $name === 'names' ? [2_049, 6_000, 17_000] : [2_049, 6_000] as $count) {
                yield "{$count} {$name}" => [$key, $count];
            }
        }
    }

    /**
     * @param \Closure(int): (int|string) $key
     */
    #[DataProvider('maps')]
    #[Group('slow')]
    public function testTheyAreLikeOthers(\Closure $key, int $count): void
    {
        $map = [];
        for ($i = 0; $i < $count; ++$i) {
            $map[$key($i)] = $i % 3 === 0 ? "value {$i}" : ($i % 3 === 1 ? $i : [$i]);
        }
        $message = MessagePack::pack($map, PackOptions::FORCE_MAP);
        foreach ([0, UnpackOptions::STRICT, UnpackOptions::RECORDS_INLINE] as $options) {
            foreach ([$message, "\x82\xa1a{$message}\xa1b{$message}"] as $number => $bytes) {
                $unpacked = MessagePack::unpack($bytes, $options);
                self::assertIsArray($unpacked);
                self::assertLikeOthers($map, $number === 0 ? $unpacked : $unpacked['b'] ?? null);
            }
        }
        $names = \array_combine(\array_map(static fn(int|string $key): string => "k{$key}", \array_keys($map)), $map);
        self::assertEquals((object) $names, MessagePack::unpack(MessagePack::pack($names), UnpackOptions::LOSSLESS));
    }

    /**
     * @param array<array-key, mixed> $map
     */
    private static function assertLikeOthers(array $map, mixed $unpacked): void
    {
        self::assertIsArray($unpacked);
        self::assertTrue($map === $unpacked);
        self::assertCount(\count($map), $unpacked);
        self::assertTrue(\serialize($map) === \serialize($unpacked)); // a difference would be long
        self::assertTrue(\json_encode($map) === \json_encode($unpacked));
        self::assertTrue(\var_export($map, true) === \var_export($unpacked, true));
        self::assertSame(\key($map), \key($unpacked)); // where each() and the like begin
        self::assertSame(\array_key_last($map), \array_key_last($unpacked));
        $keys = [];
        foreach ($unpacked as $key => $_) {
            $keys[] = $key;
        }
        self::assertTrue(\array_keys($map) === $keys);
        $map[] = 'next'; // after the highest key
        $unpacked[] = 'next';
        self::assertSame(\array_key_last($map), \array_key_last($unpacked));
        unset($map[$keys[0]], $unpacked[$keys[0]]);
        self::assertTrue($map === $unpacked);
    }

    /**
     * In a short message a map may declare more entries than the message may reserve capacity for.
     */
    public function testAMapThatMayNotReserveCapacity(): void
    {
        $message = "\xde" . \pack('n', 20_000);
        $map = [];
        for ($i = 0; $i < 20_000; ++$i) {
            $map[3 * $i + 128] = $i % 2 === 0;
            $message .= "\xcd" . \pack('n', 3 * $i + 128) . ($i % 2 === 0 ? "\xc3" : "\xc2");
        }
        foreach ([0, UnpackOptions::STRICT] as $options) {
            self::assertLikeOthers($map, MessagePack::unpack($message, $options));
            $cut = new BufferUnpacker(\substr($message, 0, -1), $options);
            self::assertEquals([ErrorCode::UnexpectedEnd, \strlen($message) - 1, '/60125'], self::outcome($cut));
        }
    }

    public function testTheLaterOfEqualKeysCounts(): void
    {
        $message = '';
        $map = [];
        for ($i = 0; $i < 6_000; ++$i) {
            $key = $i < 3_000 ? 10 * $i : 10 * ($i - 3_000);
            $map[$key] = "value {$i}";
            $message .= MessagePack::pack($key) . MessagePack::pack("value {$i}");
        }
        $message = "\xde" . \pack('n', 6_000) . $message;
        self::assertLikeOthers($map, MessagePack::unpack($message));
        $this->expectExceptionMessage('path "/0"');
        MessagePack::unpack($message, UnpackOptions::STRICT);
    }

    /**
     * Wherever the loop leaves the map to the general decoder, the result is the same, and so is the fault.
     */
    #[Group('slow')]
    public function testUncommonKeysAndFaults(): void
    {
        $messages = WideMaps::ofEach(2_600);
        $entry = \intdiv(\strlen($messages['ints']) - 3, 2_600);
        foreach ([0, 1, 63, 64, 65, 600, 2_599] as $at) {
            $before = \substr($messages['ints'], 0, 3 + $at * $entry);
            $behind = \substr($messages['ints'], 3 + ($at + 1) * $entry);
            foreach (["\xc5\x00\x01kv", "k\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00", "\xd2\xff\xff\x00\x00v", "\xc1v", "k\xc1"] as $other) {
                foreach ([$before . $other . $behind, $before . $other] as $message) {
                    foreach ([0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS] as $options) {
                        $general = self::outcome(new BufferUnpacker($message, $options, [], new Limits(maxValues: 1_000_000)));
                        self::assertEquals($general, self::outcome(new BufferUnpacker($message, $options)), "{$at}, options {$options}");
                    }
                }
            }
        }
    }

    private static function outcome(BufferUnpacker $unpacker): mixed
    {
        try {
            return $unpacker->unpack();
        } catch (UnpackingFailedException $error) {
            return [$error->errorCode, $error->offset, $error->path];
        }
    }

    /**
     * Capacity is counted per message: each starts from zero.
     */
    public function testManyMessages(): void
    {
        $message = WideMaps::ofEach(3_000)['ints'];
        $unpacker = new BufferUnpacker(\str_repeat($message, 20));
        $first = $unpacker->unpack();
        for ($i = 1; $i < 20; ++$i) {
            self::assertTrue($first === $unpacker->unpack());
        }
        $unpacker->expectEnd();
    }
}
