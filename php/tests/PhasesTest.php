<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\Tests\Support\Modes;

/**
 * Packs and unpacks payloads in shuffled phases in fresh processes, in the mode of this run; see Support/Phases.php.
 */
#[CoversNothing]
#[Group('slow')]
final class PhasesTest extends TestCase
{
    /**
     * @return iterable<string, array{int}>
     */
    public static function seeds(): iterable
    {
        foreach ([1, 2, \random_int(0, 0x7fffffff)] as $seed) {
            yield "seed {$seed}" => [$seed];
        }
    }

    #[DataProvider('seeds')]
    public function testEveryResultIsRight(int $seed): void
    {
        /** @var key-of<Modes::ALL> $mode */
        $mode = Modes::current();
        $command = [
            ...Modes::command(\PHP_BINARY, $mode, ['memory_limit' => '512M', 'zend.assertions' => '1']),
            \dirname(__DIR__) . '/fuzz/jit.php', '--run', (string) $seed, '--phases', '60',
        ];
        $child = \proc_open($command, [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes);
        self::assertIsResource($child);
        $output = \stream_get_contents($pipes[1]) . \stream_get_contents($pipes[2]); // both are short
        $status = \proc_close($child);

        self::assertSame('', $output);
        self::assertSame(0, $status);
    }
}
