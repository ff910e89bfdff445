<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * A stream wrapper whose files take no bytes, as those of a full disk.
 */
final class FullDisk
{
    public const SCHEME = 'polypack-full';

    /** @var list<string> the files that were removed */
    public static array $removed = [];

    /** @var mixed set by PHP */
    public $context;

    public function stream_open(): bool
    {
        return true;
    }

    public function stream_write(): int
    {
        return 0;
    }

    public function unlink(string $path): bool
    {
        self::$removed[] = $path;

        return true;
    }
}
