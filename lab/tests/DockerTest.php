<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Polypack\Lab\Paths;
use Symfony\Component\Process\ExecutableFinder;
use Symfony\Component\Process\Process;

/**
 * The packages that the images install can be installed together here, and all the commands in them exist.
 * `make test-images` installs them.
 */
final class DockerTest extends TestCase
{
    /** @return iterable<string, array{string}> */
    public static function files(): iterable
    {
        foreach (['Dockerfile', 'Dockerfile.debug'] as $name) {
            yield $name => [(string) \file_get_contents(Paths::lab("docker/{$name}"))];
        }
    }

    #[DataProvider('files')]
    public function testItsPackagesAreThere(string $file): void
    {
        \preg_match('/apt-get install -qq -y --no-install-recommends ((?:[a-z0-9-]+|\s|\\\\\n)+)/', $file, $found);
        $packages = \preg_split('/[\s\\\\]+/', \trim($found[1] ?? self::fail('it installs nothing'))) ?: [];
        if ((new ExecutableFinder())->find('apt-get') === null || !self::runs(['apt-cache', 'show', 'php-cli'])) {
            self::markTestSkipped('apt-get is not here, or knows no packages (apt-get update)');
        }
        $process = new Process(['apt-get', 'install', '--simulate', '--no-install-recommends', ...$packages]);
        $process->setTimeout(300)->run();
        self::assertSame(0, $process->getExitCode(), $process->getErrorOutput());
    }

    public function testWhatTheImageRunsIsACommandOfTheLab(): void
    {
        $file = (string) \file_get_contents(Paths::lab('docker/Dockerfile'));
        self::assertStringContainsString('ENTRYPOINT ["php", "lab/bin/lab"]', $file);
        self::assertStringContainsString('php lab/bin/lab vendors --install', $file);
        self::assertTrue(self::runs([\PHP_BINARY, Paths::lab('bin/lab'), 'serialize', '--help']));
        self::assertTrue(self::runs([\PHP_BINARY, Paths::lab('bin/lab'), 'vendors', '--help']));
    }

    /** @param list<string> $command */
    private static function runs(array $command): bool
    {
        $process = new Process($command);
        $process->setTimeout(300)->run();

        return $process->isSuccessful();
    }
}
