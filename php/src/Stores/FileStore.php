<?php

declare(strict_types=1);

namespace Polypack\Stores;

use Polypack\Exception\InvalidOptionException;

/**
 * Keeps a dictionary in a file, for processes on one machine or on a shared file system with hard links. Machines
 * that don't run Linux must have different host names. Processes of other languages may use the file at the same time.
 *
 * Readers need no lock. The file is replaced by renaming, so they read either the old content or the new one. Writers
 * take turns, with a FileLock.
 *
 * @api
 */
final class FileStore implements DictionaryStore
{
    private readonly string $path;

    /**
     * @param string $path        the dictionary file. Its folder must exist, and only trusted processes should be
     *     able to write there. `path.lock`, `path.lock.*` and `path.new.*` exist next to it for a short time
     * @param int    $lockTimeout milliseconds to wait for other writers before replace() fails; at least 1
     * @param int    $staleAfter  milliseconds after which the holder of the lock counts as dead if this process can't
     *     check the holder, for example on another machine, in another container or before a reboot; at least 1.
     *     replace() fails if it has held the lock for more than half of this time before it replaces the file
     *
     * @throws InvalidOptionException
     */
    public function __construct(
        string $path,
        private readonly int $lockTimeout = 10_000,
        private readonly int $staleAfter = 60_000,
    ) {
        if ($path === '' || \str_contains($path, "\0")) {
            throw InvalidOptionException::emptyName('path of a file');
        }
        if ($lockTimeout < 1 || $staleAfter < 1) {
            $name = $lockTimeout < 1 ? 'lockTimeout' : 'staleAfter';
            throw InvalidOptionException::limit($name, \min($lockTimeout, $staleAfter), 1, \PHP_INT_MAX);
        }
        $folder = \realpath(\dirname($path)); // an absolute path, because the working folder may change
        $this->path = $folder === false ? $path : \rtrim($folder, '/\\') . \DIRECTORY_SEPARATOR . \basename($path);
    }

    /**
     * @throws \RuntimeException when the file exists but can't be read
     */
    public function load(): ?string
    {
        return Files::read($this->path);
    }

    /**
     * @throws \RuntimeException when the lock isn't free in time, or the file can't be read or written
     */
    public function replace(?string $expected, string $next): bool
    {
        $lock = new FileLock("{$this->path}.lock", $this->lockTimeout, $this->staleAfter);
        $lock->take();
        $locked = \hrtime(true);
        try {
            $lock->sweep();
            Files::removeAll("{$this->path}.new.");
            if ($this->load() !== $expected) {
                return false;
            }
            $this->write($next, $locked);

            return true;
        } finally {
            $lock->release();
        }
    }

    /**
     * Replaces the file. After a power failure, the file has either the old content or the new content.
     */
    private function write(string $bytes, int $locked): void
    {
        // Nobody can guess the name and put a link there. If a crash leaves the file, the next holder of the lock
        // removes it.
        $fresh = "{$this->path}.new." . \bin2hex(\random_bytes(16));
        try {
            Files::create($fresh, $bytes, Files::permissions($this->path), sync: true);
            if (\hrtime(true) - $locked > $this->staleAfter * 500_000) { // half of staleAfter, in nanoseconds
                throw new \RuntimeException("this process was stopped while it had the lock {$this->path}.lock");
            }
            Files::rename($fresh, $this->path);
        } catch (\Throwable $error) {
            Files::remove($fresh);
            throw $error;
        }
        Files::syncFolder(\dirname($this->path));
    }
}
