<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\UnpackOptions;

/**
 * For tests of what keys cost that share a bucket.
 */
trait CollidingKeys
{
    private const MODES = [
        'default' => 0,
        'strict' => UnpackOptions::STRICT,
        'lossless' => UnpackOptions::LOSSLESS,
        'records' => UnpackOptions::RECORDS_INLINE,
        'strict records' => UnpackOptions::STRICT | UnpackOptions::RECORDS_INLINE,
        'lossless records' => UnpackOptions::LOSSLESS | UnpackOptions::RECORDS_INLINE,
    ];

    /** What 300 keys cost that all share a bucket. */
    private const ALL_300 = 44_850;

    /**
     * Strings of 32 bytes with one hash: each pair of letters is one of two with the same.
     *
     * @return list<string>
     */
    private static function sameHash(int $count): array
    {
        return \array_map(static fn(int $i): string => \strtr(\sprintf('%016b', $i), ['0' => 'aa', '1' => 'b@']), \range(1, $count));
    }

    /**
     * @param list<int|string> $keys
     */
    private static function map(array $keys): string
    {
        return self::mapOf(\array_map(static fn(int|string $key): string => MessagePack::pack($key), $keys));
    }

    /**
     * @param list<string> $keys encoded
     */
    private static function mapOf(array $keys): string
    {
        return (\count($keys) < 0x10000 ? "\xde" . \pack('n', \count($keys)) : "\xdf" . \pack('N', \count($keys)))
            . \implode("\xc0", $keys) . "\xc0";
    }

    private static function assertRefused(string $expected, string $message, int $options, int $budget): void
    {
        $limits = new Limits(maxCollisions: $budget);
        self::assertSame($expected, Outcome::of(static fn(): mixed => MessagePack::unpack($message, $options, $limits)));
    }
}
