<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Polypack\BufferUnpacker;
use Polypack\Decoder\Jit;
use Polypack\Packer;
use Polypack\Tests\Support\Modes;

/**
 * The runs of tests/run.php are what they claim to be: PHP takes settings it cannot follow, and says nothing.
 */
#[CoversNothing]
final class ModeTest extends TestCase
{
    public function testTheProcessIsInTheModeOfItsRun(): void
    {
        $mode = \getenv('POLYPACK_MODE');
        if ($mode === false) {
            $this->expectNotToPerformAssertions(); // a run of PHPUnit by itself is in any mode

            return;
        }

        self::assertSame($mode, Modes::current());
    }

    public function testTheDecoderKnowsWhetherItIsCompiled(): void
    {
        self::assertSame(\str_starts_with(Modes::current(), 'jit'), Jit::isOn());
    }

    public function testOpcacheHoldsTheCodec(): void
    {
        if (Modes::current() === 'plain') {
            self::assertFalse(\function_exists('opcache_get_status') && \opcache_get_status(false) !== false);

            return;
        }

        foreach ([Packer::class, BufferUnpacker::class] as $class) {
            $file = (string) (new \ReflectionClass($class))->getFileName();
            self::assertTrue(\opcache_is_script_cached($file), "{$file} is not cached, so nothing compiles it");
        }
    }
}
