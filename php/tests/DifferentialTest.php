<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\TestCase;
use Polypack\Tests\Support\Differential;
use Polypack\Tests\Support\RandomBytes;

/**
 * The decoder against the reference on random input: a short, repeatable run of fuzz/decoder.php.
 */
final class DifferentialTest extends TestCase
{
    private const INPUTS = 3000;

    public function testRandomInput(): void
    {
        $random = new RandomBytes(20_240_601);
        for ($i = 0; $i < self::INPUTS; ++$i) {
            self::assertSame([], Differential::compare($random->next(), $random));
        }
    }
}
