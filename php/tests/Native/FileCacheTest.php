<?php

declare(strict_types=1);

namespace Polypack\Tests\Native;

use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;

/**
 * The file cache of opcache outlives a process, and keeps what the compiler knew of loaded extensions. The next process
 * may have others.
 */
#[RequiresPhpExtension('polypack')]
#[RequiresPhpExtension('Zend OPcache')]
#[Group('once')]
final class FileCacheTest extends TestCase
{
    private string $folder;

    protected function setUp(): void
    {
        $this->folder = \sys_get_temp_dir() . '/polypack-cache-' . \bin2hex(\random_bytes(8));
        \mkdir($this->folder);
    }

    protected function tearDown(): void
    {
        $files = new \RecursiveDirectoryIterator($this->folder, \FilesystemIterator::SKIP_DOTS);
        foreach (new \RecursiveIteratorIterator($files, \RecursiveIteratorIterator::CHILD_FIRST) as $file) {
            \assert($file instanceof \SplFileInfo);
            $file->isDir() ? \rmdir($file->getPathname()) : \unlink($file->getPathname());
        }
        \rmdir($this->folder);
    }

    public function testTheExtensionMayGoAndComeBack(): void
    {
        if ($this->say(false) !== 'php 93c001c2 c153010005') {
            self::markTestSkipped('php.ini loads the extension, so no process is without it');
        }
        self::assertSame('ext 93c001c2 c153010005', $this->say(true), 'compiled without');
        self::assertSame('php 93c001c2 c153010005', $this->say(false));

        $this->tearDown();
        \mkdir($this->folder);
        self::assertSame('ext 93c001c2 c153010005', $this->say(true));
        self::assertSame('php 93c001c2 c153010005', $this->say(false), 'compiled with it');
        self::assertSame('ext 93c001c2 c153010005', $this->say(true));
    }

    /** Says which engine a process uses, and what it packs. */
    private function say(bool $hasExtension): string
    {
        $environment = \getenv();
        unset($environment['POLYPACK_ENGINE']);
        if (!$hasExtension) {
            unset($environment['PHP_INI_SCAN_DIR']);
        }
        $command = [
            \PHP_BINARY, '-d', 'opcache.enable_cli=1', '-d', "opcache.file_cache={$this->folder}",
            '-d', 'opcache.file_cache_only=1', '-d', 'opcache.jit=disable', '-d', 'opcache.file_update_protection=0', '-r',
            'require $argv[1]; echo Polypack\Engine::active()["engine"], " ", bin2hex(Polypack\MessagePack::pack([null, 1, false])), " ", bin2hex(polypack_serialize(5));',
            \dirname(__DIR__, 2) . '/vendor/autoload.php',
        ];
        $child = \proc_open($command, [1 => ['pipe', 'w']], $pipes, null, $environment);
        self::assertIsResource($child);
        $said = (string) \stream_get_contents($pipes[1]);
        \proc_close($child);

        return $said;
    }
}
