<?php

declare(strict_types=1);

namespace Polypack\Tests\Native;

use PHPUnit\Framework\Attributes\Group;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Polypack\Exception\SnapshotFailedException;
use Polypack\Tests\Support\WebServer;

/**
 * apc.serializer=polypack, in workers of a web server that share the memory of the real APCu.
 */
#[RequiresPhpExtension('polypack')]
#[RequiresPhpExtension('posix')]
#[Group('once')]
#[Group('slow')]
final class ApcuTest extends TestCase
{
    private string $folder;
    private ?WebServer $server = null;

    protected function setUp(): void
    {
        $this->folder = \sys_get_temp_dir() . '/polypack-apcu-' . \bin2hex(\random_bytes(8));
        \mkdir($this->folder);
    }

    protected function tearDown(): void
    {
        $this->server?->stop();
        @\unlink("{$this->folder}/both.ini");
        \rmdir($this->folder);
    }

    #[TestWith([true])]
    #[TestWith([false])]
    public function testValuesComeBackInAnyWorker(bool $apcuIsFirst): void
    {
        $server = $this->serve($apcuIsFirst);
        self::assertSame([], $server->get('do=store')); // no keys that failed
        for ($i = 0; $i < 8; ++$i) {
            self::assertSame([true, ['text' => 'text', 'number' => 5], 1], \array_replace((array) $server->get('do=fetch'), [2 => 1]));
        }
        $answer = (array) $server->get('do=fetch');
        self::assertGreaterThan(0, $answer[2], 'C reads them');
    }

    public function testHooksMayStoreAndFetch(): void
    {
        $server = $this->serve();
        self::assertSame([], $server->get('do=store')); // no keys that failed
        $calls = ['write a', 'write b', 'free a', 'free b', 'write c', 'write d', 'free c', 'free d', 'read c', 'read d'];
        self::assertSame([true, ['one' => [1], 'two' => null], $calls, true], $server->get('do=hooks'));
    }

    public function testWhatCannotBeStoredLeavesTheEntryThere(): void
    {
        $server = $this->serve();
        $server->get('do=store');
        $answer = (array) $server->get('do=closure');
        self::assertSame(SnapshotFailedException::class, $answer[0]);
        self::assertTrue(((array) $server->get('do=fetch'))[0]);
    }

    /** As from unserialize(). */
    public function testAClassThatARequestDoesNotHave(): void
    {
        $server = $this->serve();
        self::assertTrue($server->get('do=store+passing&class=1'));
        for ($i = 0; $i < 8; ++$i) {
            self::assertSame(['Passing', 'string'], $server->get('do=fetch+passing&class=1'));
            self::assertSame(['__PHP_Incomplete_Class', 'string'], $server->get('do=fetch+passing'));
        }
    }

    private function serve(bool $apcuIsFirst = true): WebServer
    {
        $polypack = self::loaded('polypack');
        self::assertNotNull($polypack, 'no file of settings loads the extension');
        $extensions = [$polypack, self::loaded('apcu') ?? self::unpacked()];
        if ($apcuIsFirst) {
            $extensions = \array_reverse($extensions);
        }
        // A folder of settings in place of the one that loads the extension, because the order counts.
        \file_put_contents("{$this->folder}/both.ini", \implode('', \array_map(static fn(string $file): string => "extension={$file}\n", $extensions)));
        $this->server = new WebServer('apcu-router.php', ['apc.serializer' => 'polypack'], ['PHP_INI_SCAN_DIR' => ":{$this->folder}"]);
        self::assertSame('polypack', ((array) $this->server->get('do=settings'))[0]);

        return $this->server;
    }

    /** Returns the file of an extension that a setting of this process loads. */
    private static function loaded(string $name): ?string
    {
        foreach (\explode(',', (string) \php_ini_scanned_files()) as $file) {
            if (\preg_match("~^extension=(\\S*\\b{$name}(?:\\.so)?)$~m", (string) @\file_get_contents(\trim($file)), $matches) === 1) {
                return $matches[1];
            }
        }

        return null;
    }

    /** Returns APCu as tools/setup unpacked it, for the system's version of PHP. */
    private static function unpacked(): string
    {
        $file = \dirname(__DIR__, 3) . '/.toolchain/php-extensions/apcu.so';
        \exec(\escapeshellarg(\PHP_BINARY) . ' -d extension=' . \escapeshellarg($file) . ' -r ' . \escapeshellarg('exit(extension_loaded("apcu") ? 0 : 1);') . ' 2>&1', $output, $status);
        if (!\is_file($file) || $status !== 0) {
            self::markTestSkipped('there is no APCu for this PHP; tools/setup brings it');
        }

        return $file;
    }
}
