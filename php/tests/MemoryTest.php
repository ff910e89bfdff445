<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\Tests\Support\Modes;

/**
 * What decoding takes beside its result and the input does not grow with them, and little of it is taken on a promise.
 */
#[CoversNothing]
#[Group('slow')]
final class MemoryTest extends TestCase
{
    private const MAX_BESIDE = 65_536;

    /** @var array{beside: array<string, int>, broken: array<string, array{int, int, int}>} */
    private static array $peaks;

    public static function setUpBeforeClass(): void
    {
        /** @var key-of<Modes::ALL> $mode */
        $mode = Modes::current();
        $command = [...Modes::command(\PHP_BINARY, $mode, ['memory_limit' => '512M']), __DIR__ . '/Support/peaks.php', (string) self::MAX_BESIDE];
        $child = \proc_open($command, [1 => ['pipe', 'w']], $pipes);
        self::assertIsResource($child);
        $output = (string) \stream_get_contents($pipes[1]);
        self::assertSame(0, \proc_close($child), $output);
        /** @var array{beside: array<string, int>, broken: array<string, array{int, int, int}>} $peaks */
        $peaks = \json_decode($output, true, 8, \JSON_THROW_ON_ERROR);
        self::$peaks = $peaks;
    }

    public function testDecodingTakesLittleBesideItsResult(): void
    {
        self::assertCount(12 + 5 * 5 + 4 + 8 * 2 + 3 * 2 * 3, self::$peaks['beside']);
        foreach (self::$peaks['beside'] as $name => $bytes) {
            self::assertLessThanOrEqual(self::MAX_BESIDE, $bytes, $name);
        }
    }

    /**
     * spec/06-limits.md#preallocation, for which the twin of a message promises nothing.
     */
    public function testPromisesAreNotBelieved(): void
    {
        self::assertCount(10, self::$peaks['broken']);
        foreach (self::$peaks['broken'] as $name => [$length, $peak, $twin]) {
            self::assertLessThanOrEqual($twin + ($length < 100_000 ? 1_000_000 : 20 * $length), $peak, $name);
        }
    }
}
