<?php

declare(strict_types=1);

namespace Polypack\Lab\Tests;

use PHPUnit\Framework\TestCase;
use Polypack\Lab\Paths;
use Polypack\Lab\Refusal;
use Symfony\Component\Process\Process;

final class PathsTest extends TestCase
{
    private string $folder;

    protected function setUp(): void
    {
        $this->folder = \sys_get_temp_dir() . '/lab-paths-' . \getmypid();
        Paths::make($this->folder);
    }

    protected function tearDown(): void
    {
        \array_map(\unlink(...), \glob("{$this->folder}/*") ?: []);
        \rmdir($this->folder);
    }

    public function testAFileIsReplacedAndALinkIsFollowed(): void
    {
        [$file, $link, $dangling] = ["{$this->folder}/file", "{$this->folder}/link", "{$this->folder}/new"];
        Paths::write($file, 'long before');
        \symlink($file, $link);
        \symlink("{$this->folder}/made", $dangling);
        foreach ([$file, $link, $dangling] as $number => $path) {
            Paths::write($path, "text {$number}");
            self::assertSame("text {$number}", \file_get_contents($path));
        }
        self::assertTrue(\is_link($link));
        self::assertTrue(\is_link($dangling));
        self::assertSame('text 1', \file_get_contents($file));
    }

    public function testAPipeIsWrittenTo(): void
    {
        $pipe = "{$this->folder}/pipe";
        (new Process(['mkfifo', $pipe]))->mustRun();
        $reader = new Process(['cat', $pipe]);
        $reader->setTimeout(60)->start();
        Paths::write($pipe, 'through');
        $reader->wait();

        self::assertSame('through', $reader->getOutput());
        self::assertSame('fifo', \filetype($pipe));
    }

    public function testWhatCannotBeWrittenIsRefused(): void
    {
        $this->expectException(Refusal::class);
        $this->expectExceptionMessage("{$this->folder} can't be written");
        Paths::write($this->folder, 'text');
    }
}
