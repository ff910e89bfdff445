<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/**
 * Runs examples/, each of which ends with what it prints.
 */
final class ExamplesTest extends TestCase
{
    private const FOLDER = __DIR__ . '/../examples';

    /**
     * @return iterable<string, array{string}>
     */
    public static function examples(): iterable
    {
        foreach ((array) \glob(self::FOLDER . '/*.php') as $file) {
            yield \basename((string) $file) => [(string) $file];
        }
    }

    #[DataProvider('examples')]
    public function testExample(string $file): void
    {
        self::assertSame(1, \preg_match('~/\* OUTPUT\n(.*)\*/\n$~sD', (string) \file_get_contents($file), $match));
        \ob_start();
        try {
            (static function () use ($file): void {
                require $file;
            })();
        } finally {
            $output = \ob_get_clean();
        }
        self::assertSame($match[1] ?? '', $output);
    }
}
