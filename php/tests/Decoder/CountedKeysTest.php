<?php

declare(strict_types=1);

namespace Polypack\Tests\Decoder;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Decoder\Buckets;
use Polypack\Decoder\CountedKeys;
use Polypack\MessagePack;

/**
 * Compares the fast ways of hashing and counting keys with the simple ones.
 */
final class CountedKeysTest extends TestCase
{
    /**
     * @return iterable<string, array{list<string>, list<int|string>}> keys as they are encoded, and as array keys
     */
    public static function keys(): iterable
    {
        $number = static fn(int $i): int => (int) \hexdec(\substr(\md5("{$i}"), 0, 15)) << 3 & \PHP_INT_MAX;
        $kinds = [
            'fixints' => static fn(int $i): int => $i & 0x7f,
            'ints of 16 bits' => static fn(int $i): int => 0x1234 + $i,
            'ints of 32 bits' => static fn(int $i): int => 0xfff0_0000 + ($i << 8),
            'ints of 64 bits' => $number,
            'negative ints' => static fn(int $i): int => -1 << $i % 64,
            'ints of every width' => static fn(int $i): int => $number($i) >> $i % 63,
            'fixstrs' => static fn(int $i): string => \substr(\md5("{$i}"), 0, $i % 32),
            'strs of all lengths' => static fn(int $i): string => \str_repeat(\chr(0x3a + $i % 198), $i % 280),
            'strs of one hash' => static fn(int $i): string => \strtr(\sprintf('%016b', $i), ['0' => 'aa', '1' => 'b@']),
            'digits' => static fn(int $i): string => (string) ($number($i) >> $i % 63),
            'what looks like digits' => static fn(int $i): string => ['0', '-', '+', ' ', "\0"][$i % 5] . $i,
            'ints and strs' => static fn(int $i): int|string => $i % 3 === 0 ? $i : "k{$i}",
        ];
        foreach ($kinds as $name => $key) {
            $keys = \array_map($key, \range(0, 1_499));
            yield $name => [\array_map(MessagePack::pack(...), $keys), \array_map(self::arrayKey(...), $keys)];
        }
        $bins = \array_map(static fn(int $i): string => \substr(\md5("{$i}"), 0, $i % 32), \range(0, 999));
        yield 'bins' => [\array_map(static fn(string $bin): string => "\xc4" . \chr(\strlen($bin)) . $bin, $bins), \array_map(self::arrayKey(...), $bins)];
    }

    /**
     * @param list<string>     $encoded
     * @param list<int|string> $arrayKeys
     */
    #[DataProvider('keys')]
    public function testEachWayOfCounting(array $encoded, array $arrayKeys): void
    {
        $expected = new Buckets();
        foreach ($arrayKeys as $key) {
            $expected->add($key);
        }
        $offsets = [];
        $buffer = \str_repeat("\xff", 8);
        foreach ($encoded as $key) {
            $offsets[] = \strlen($buffer);
            $buffer .= $key;
        }
        // Without bytes behind the last key, it could be cut off, so no key is read in the fast way.
        foreach (['fast' => $buffer . \str_repeat("\xff", 257), 'simple' => $buffer] as $way => $bytes) {
            foreach ([1, 7, 256, 1_500] as $batch) {
                $keys = new CountedKeys($bytes, false);
                foreach (\array_chunk($offsets, $batch) as $some) {
                    $keys->add($some);
                }
                self::assertSame($expected->comparisons, $keys->comparisons(), "{$way}, {$batch} at a time");
                self::assertGreaterThanOrEqual($expected->comparisons, $keys->atMost());
            }
        }
    }

    /**
     * The lowest bytes of the hashes bound the comparisons tightly if they are the reason for them.
     */
    public function testTheBound(): void
    {
        for ($count = 1; $count < 3_000; $count += $count >> 1 | 1) {
            $same = new Buckets();
            $same->addHashes(\str_repeat("\x12\x34\x56\x78", $count));
            self::assertSame($count * ($count - 1) >> 1, $same->comparisons);
            self::assertSame($same->comparisons + (128 * 127 >> 1), Buckets::atMost(\str_repeat("\x12\x34\x56\x78", $count)));
        }
        $spread = \pack('N*', ...\range(0, 2_559));
        self::assertSame(256 * (10 * 9 >> 1) + (128 * 127 >> 1), Buckets::atMost($spread));
        self::assertSame(Buckets::atMost($spread), Buckets::atMost($spread | \str_repeat("\xff\xff\xff\0", 2_560)));
    }

    private static function arrayKey(int|string $key): int|string
    {
        return \array_key_first([$key => null]);
    }
}
