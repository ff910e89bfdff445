<?php

declare(strict_types=1);

namespace Polypack\Tests;

use PHPUnit\Framework\TestCase;

/**
 * What Composer downloads is the library and nothing else.
 */
final class PackageTest extends TestCase
{
    private const ROOT = __DIR__ . '/..';
    private const SHIPPED = ['LICENSE', 'README.md', 'composer.json', 'src'];
    private const NOT_TRACKED = ['vendor', 'composer.lock', '.php-cs-fixer.cache', '.phpstan.cache', '.phpunit.cache'];

    public function testEverythingElseIsLeftOut(): void
    {
        \preg_match_all('~^/(\S+) export-ignore$~m', (string) \file_get_contents(self::ROOT . '/.gitattributes'), $matches);
        $left = \array_diff((array) \scandir(self::ROOT), ['.', '..'], self::NOT_TRACKED, $matches[1]);

        self::assertEqualsCanonicalizing(self::SHIPPED, $left);
        foreach ($matches[1] as $name) {
            self::assertFileExists(self::ROOT . "/{$name}");
        }
    }

    public function testThePackageNeedsPhpAlone(): void
    {
        /** @var array{require: array<string, string>, autoload: array<string, mixed>} $composer */
        $composer = \json_decode((string) \file_get_contents(self::ROOT . '/composer.json'), true, 16, \JSON_THROW_ON_ERROR);

        self::assertSame(['php', 'php-64bit'], \array_keys($composer['require']));
        self::assertSame(['psr-4' => ['Polypack\\' => 'src/']], $composer['autoload']);
    }
}
