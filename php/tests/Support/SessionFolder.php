<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * For tests of sessions: a folder for the files of the sessions and of the test.
 */
trait SessionFolder
{
    private string $folder;

    private function makeFolder(): void
    {
        $this->folder = \sys_get_temp_dir() . '/polypack-sessions-' . \bin2hex(\random_bytes(6));
        \mkdir($this->folder);
    }

    /** Makes a folder with a file of keys. */
    private function makeFolderWithKeys(): void
    {
        $this->makeFolder();
        \file_put_contents("{$this->folder}/keys", 'k1=b2xkIGtleSBvZiBzZXNzaW9ucywgMzIgYnl0ZXMhISE=');
    }

    private function removeFolder(): void
    {
        foreach ((array) \glob("{$this->folder}/*") as $file) {
            \unlink((string) $file);
        }
        \rmdir($this->folder);
    }
}
