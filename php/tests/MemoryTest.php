<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Polypack\Tests\Support\Modes;

/**
 * What decoding takes beside its result and the input does not grow with them.
 */
#[CoversNothing]
final class MemoryTest extends TestCase
{
    private const MAX_BESIDE = 65_536;

    public function testDecodingTakesLittleBesideItsResult(): void
    {
        /** @var key-of<Modes::ALL> $mode */
        $mode = Modes::current();
        $command = [...Modes::command(\PHP_BINARY, $mode, ['memory_limit' => '512M']), __DIR__ . '/Support/peaks.php'];
        $child = \proc_open($command, [1 => ['pipe', 'w']], $pipes);
        self::assertIsResource($child);
        $output = (string) \stream_get_contents($pipes[1]);
        self::assertSame(0, \proc_close($child), $output);
        /** @var array<string, array{int, int}> $peaks */
        $peaks = \json_decode($output, true, 8, \JSON_THROW_ON_ERROR);

        self::assertCount(12, $peaks);
        foreach ($peaks as $name => [$beside, $result]) {
            // PHP doubles a hash by copying it, and lives with the old and the new one meanwhile.
            $growth = $name === 'idmap5k' ? \intdiv($result, 2) : 0;
            self::assertLessThanOrEqual(\max(self::MAX_BESIDE, $growth), $beside, $name);
        }
    }
}
