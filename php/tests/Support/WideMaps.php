<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * Messages of maps so wide that the decoder reserves capacity for their entries.
 */
final class WideMaps
{
    /** So long are the messages that do not keep what they promise. */
    private const BROKEN_BYTES = 99_000;

    /**
     * @return array<string, string> packed maps by the kind of their keys
     */
    public static function ofEach(int $count): array
    {
        $maps = ['ints' => '', 'ints and short strs' => '', 'mixed ints' => '', 'strs' => '', 'strs of digits' => ''];
        for ($i = 0; $i < $count; ++$i) {
            $value = "\xa9" . \sprintf('value%04x', $i & 0xffff);
            $maps['ints'] .= "\xce" . \pack('N', 1000 + 7 * $i) . $value;
            $maps['ints and short strs'] .= "\xce" . \pack('N', 1000 + 7 * $i) . "\xa6" . \sprintf('%06x', $i);
            $maps['mixed ints'] .= ($i % 3 === 0 ? "\xcd" . \pack('n', $count - $i) : "\xd2" . \pack('N', -$i)) . $value;
            $maps['strs'] .= "\xa8" . \sprintf('key%05d', $i) . $value;
            $maps['strs of digits'] .= "\xa8" . (10_000_000 + 17 * $i) . $value;
        }

        return \array_map(static fn(string $entries): string => self::head($count) . $entries, $maps);
    }

    /**
     * Maps of the smallest entries: no table has more bytes for each of its message.
     *
     * @param int<2049, 65536> $count
     *
     * @return array<string, string> packed maps by the kind of their keys
     */
    public static function ofSmallest(int $count): array
    {
        $letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
        $maps = ['uint 16' => '', 'fixstr' => ''];
        for ($i = 0; $i < $count; ++$i) {
            $maps['uint 16'] .= "\xcd" . \pack('n', 65_535 - $i) . "\x07";
            $key = $letters[$i % 52] . $letters[\intdiv($i, 52) % 52] . ($i < 52 * 52 ? '' : $letters[\intdiv($i, 52 * 52)]);
            $maps['fixstr'] .= \chr(0xa0 | \strlen($key)) . $key . "\x07";
        }

        return \array_map(static fn(string $entries): string => self::head($count) . $entries, $maps);
    }

    /**
     * @return array<string, array{0: string, 1: string, 2?: int}> messages that promise much more than they hold, and
     *     twins of the same content that promise less; where entries come, but reserve nothing, of the same length. The
     *     last is where both start
     */
    public static function broken(): array
    {
        $seen = '';
        for ($i = 0; $i < 70; ++$i) {
            $seen .= "\xcd" . \pack('n', 1000 + $i) . 'v';
        }
        $one = static fn(int $count, int $length = self::BROKEN_BYTES): string => self::padded(self::head($count) . $seen . "\xc1", $length);
        $nested = static fn(int $count): string => self::padded(\str_repeat(self::head($count) . $seen . 'k', 20) . "\xc1");
        $repeats = "\xdc\x00\x18" . \str_repeat(self::head(2_049) . $seen . \str_repeat('kv', 2_049 - 70), 24);
        $lists = \intdiv(\strlen($repeats) - 3, 2);
        $uncommon = static fn(int $count): string => self::padded(self::head($count) . $seen . "\xc5\x00\x01kv\xc1");
        $boxed = static fn(string $data): string => "\xc9" . \pack('N', \strlen($data)) . "\x07" . $data;
        $boxes = static function (int $count) use ($seen, $boxed): string {
            $data = self::padded(self::head($count) . $seen . "k\xc1", self::BROKEN_BYTES >> 1);
            for ($i = 0; $i < 20; ++$i) {
                $data = self::head($count) . $seen . 'k' . $boxed($data) . \str_repeat("\xc0", 2 * $count - 142);
            }

            return $data;
        };
        $boxedLists = static function (int $count) use ($boxed): string {
            $data = "\xdc" . \pack('n', $count) . "\xc1" . \str_repeat("\xc0", 10_000);
            for ($i = 0; $i < 60; ++$i) {
                $data = "\xdc" . \pack('n', $count) . $boxed($data) . \str_repeat("\xc0", 15);
            }

            return $data;
        };
        $others = \str_repeat("\xc0", 200_000);

        return [
            'a map' => [$one(16_000), $one(2_000)],
            'a map that may reserve nothing' => [$one(49_000), $one(2_000)],
            'a map in a long message' => [$one(120_000, 400_000), $one(2_000, 400_000)],
            'maps in maps' => [$nested(2_100), $nested(100)],
            'maps of which most keys repeat' => [$repeats, "\xdc" . \pack('n', $lists) . \str_repeat("\x91\x07", $lists)],
            'a map with an uncommon key' => [$uncommon(16_000), $uncommon(2_000)],
            'a map in an extension' => [$boxed($one(16_000)), $boxed($one(2_000))],
            'maps in extensions' => [$boxes(2_060), $boxes(2_040)],
            'arrays in extensions' => [$boxedLists(9_000), $boxedLists(16)],
            'a map behind other messages' => [$others . $one(49_000), $others . $one(2_000), 200_000],
        ];
    }

    private static function head(int $count): string
    {
        return $count < 0x10000 ? "\xde" . \pack('n', $count) : "\xdf" . \pack('N', $count);
    }

    private static function padded(string $message, int $length = self::BROKEN_BYTES): string
    {
        return \str_pad($message, $length, "\xc0");
    }
}
