<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\TestCase;
use Polypack\Tests\Support\Modes;
use Polypack\Tests\Support\RandomBytes;
use Polypack\Tests\Support\Vectors;

/**
 * Runs the target for PHP-Fuzzer on the vectors and on random bytes, without the tool.
 */
#[Group('slow')]
final class FuzzTargetTest extends TestCase
{
    private const INPUTS = 300;

    public function testTheTargetFindsNothing(): void
    {
        $config = new class {
            public ?\Closure $target = null;
            public int $maxLen = 0;

            public function setTarget(\Closure $target): void
            {
                $this->target = $target;
            }

            public function setMaxLen(int $maxLen): void
            {
                $this->maxLen = $maxLen;
            }
        };
        require __DIR__ . '/../fuzz/buffer_unpacker.php';
        self::assertNotNull($config->target);
        self::assertSame(512, $config->maxLen);

        $inputs = 0;
        foreach (Vectors::files() as [, $file]) {
            foreach (Vectors::cases($file) as $case) {
                if ($case->has('bytes') && \strlen($case->bytes()) < 10_000 && Modes::takes(++$inputs)) {
                    ($config->target)($case->bytes());
                }
            }
        }
        self::assertGreaterThan(100, $inputs);
        $random = new RandomBytes(11);
        for ($i = 0; $i < self::INPUTS; ++$i) {
            $bytes = $random->next();
            if (Modes::takes($i)) {
                ($config->target)($bytes);
            }
        }
    }
}
