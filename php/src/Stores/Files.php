<?php

declare(strict_types=1);

namespace Polypack\Stores;

/**
 * Reads and changes files for the file store. Only the methods with @throws throw if the system refuses. read() and
 * remove() accept a missing file, and link() a taken name. PHP gives the reason of a failure only as text, so these
 * three methods then check whether the file exists.
 *
 * @internal
 */
final class Files
{
    /** The bits for the type in the mode of a file, and their value for a regular file. */
    private const TYPE = 0o170000;
    private const REGULAR = 0o100000;

    /**
     * Returns the content of a file, or null if there is no such file.
     *
     * @throws \RuntimeException when the file exists but can't be read
     */
    public static function read(string $path): ?string
    {
        $file = self::open($path);
        if ($file === null) {
            return null;
        }
        try {
            $size = \fstat($file)['size'] ?? 0;
            $content = (string) @\stream_get_contents($file);
            if (\strlen($content) < $size) { // PHP treats a read error as the end of the file
                throw self::failed('read', $path, self::reason());
            }

            return $content;
        } finally {
            \fclose($file);
        }
    }

    /**
     * @return resource|null
     *
     * @throws \RuntimeException
     */
    private static function open(string $path)
    {
        $reason = '';
        for ($attempt = 0; $attempt < 8; ++$attempt) {
            $file = @\fopen($path, 'r');
            if ($file !== false) {
                return $file;
            }
            $reason = self::reason();
            if (!self::isThere($path)) {
                return null;
            }
            // Either the file can't be opened, or another process has created it just now. So the loop tries again.
        }
        throw self::failed('read', $path, $reason);
    }

    /**
     * Returns the content of a small system file, or '' if it can't be read.
     */
    public static function small(string $path): string
    {
        return (string) @\file_get_contents($path);
    }

    /**
     * Creates a file. Fails if the path exists already, even as a link. If it can't write the content, it removes the
     * file.
     *
     * @param bool $sync whether to wait until the content is on the disk
     *
     * @throws \RuntimeException
     */
    public static function create(string $path, string $content, ?int $permissions = null, bool $sync = false): void
    {
        $file = @\fopen($path, 'x');
        if ($file === false) {
            throw self::failed('create', $path, self::reason());
        }
        if ($permissions !== null) {
            @\chmod($path, $permissions); // some file systems refuse, because they have no permissions
            \error_clear_last();
        }
        $isWritten = @\fwrite($file, $content) === \strlen($content) && (!$sync || @\fsync($file));
        $reason = $isWritten ? '' : self::reason();
        \fclose($file);
        if (!$isWritten) {
            self::discard($path);
            throw self::failed('write', $path, $reason);
        }
    }

    /**
     * Writes the content that a file already has, so that the file counts as changed now by the clock of its file
     * system.
     *
     * @throws \RuntimeException
     */
    public static function overwrite(string $path, string $content): void
    {
        $file = @\fopen($path, 'r+');
        if ($file === false || @\fwrite($file, $content) !== \strlen($content)) {
            throw self::failed('write', $path, self::reason());
        }
        \fclose($file);
    }

    /**
     * Makes a hard link: gives a file a second name. Returns false if this name is taken.
     *
     * @throws \RuntimeException
     */
    public static function link(string $path, string $name): bool
    {
        $reason = '';
        for ($attempt = 0; $attempt < 8; ++$attempt) {
            if (@\link($path, $name)) {
                return true;
            }
            $reason = self::reason();
            if (self::isThere($name)) {
                return false;
            }
            // Either the name was taken and is free again, or linking fails for another reason. So the loop tries
            // again.
        }
        throw self::failed('link', $name, $reason);
    }

    /**
     * @throws \RuntimeException
     */
    public static function rename(string $path, string $name): void
    {
        if (!@\rename($path, $name)) {
            throw self::failed('replace', $name, self::reason());
        }
    }

    /**
     * @throws \RuntimeException when the file exists and can't be removed
     */
    public static function remove(string $path): void
    {
        if (!@\unlink($path)) {
            $reason = self::reason();
            if (self::isThere($path)) {
                throw self::failed('remove', $path, $reason);
            }
        }
    }

    /**
     * Removes a file if the system allows it.
     */
    public static function discard(string $path): void
    {
        @\unlink($path);
        \error_clear_last();
    }

    /**
     * Returns the files whose paths start with this string.
     *
     * @return list<string>
     */
    public static function named(string $start): array
    {
        $folder = \dirname($start);
        $files = [];
        $names = @\scandir($folder, \SCANDIR_SORT_NONE);
        foreach ($names === false ? [] : $names as $name) {
            if (\str_starts_with($name, \basename($start))) {
                $files[] = $folder . \DIRECTORY_SEPARATOR . $name;
            }
        }

        return $files;
    }

    /**
     * @throws \RuntimeException
     */
    public static function removeAll(string $start): void
    {
        foreach (self::named($start) as $file) {
            self::remove($file);
        }
    }

    /**
     * Returns when a file was last changed, in seconds on the clock of its file system; null if there is no such file.
     */
    public static function modified(string $path): ?int
    {
        \clearstatcache();
        $time = @\filemtime($path);

        return $time === false ? null : $time;
    }

    /**
     * Tells whether a path is a regular file that was last changed before $time, in seconds on the clock of its file
     * system.
     */
    public static function isFileSince(string $path, int $time): bool
    {
        \clearstatcache();
        $state = @\lstat($path);

        return $state !== false && ($state['mode'] & self::TYPE) === self::REGULAR && $state['mtime'] < $time;
    }

    /**
     * Returns the permissions of a file, so that the file that replaces it can have the same; null if there is no file.
     */
    public static function permissions(string $path): ?int
    {
        \clearstatcache();
        $mode = @\fileperms($path);

        return $mode === false ? null : $mode & 0o777;
    }

    /**
     * Ensures that a file renamed in the folder stays renamed after a power failure, if the system supports that.
     */
    public static function syncFolder(string $folder): void
    {
        $handle = @\fopen($folder, 'r');
        if ($handle !== false) {
            @\fsync($handle);
            \fclose($handle);
        }
    }

    private static function isThere(string $path): bool
    {
        \clearstatcache();

        return @\lstat($path) !== false;
    }

    /**
     * Returns the text of the latest PHP warning, without the name of the function.
     */
    private static function reason(): string
    {
        $message = \error_get_last()['message'] ?? '';
        \error_clear_last();

        return (string) \preg_replace('/^.*?\): /', '', $message);
    }

    private static function failed(string $verb, string $path, string $reason): \RuntimeException
    {
        return new \RuntimeException("cannot {$verb} {$path}" . ($reason === '' ? '' : ": {$reason}"));
    }
}
