<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * A stream wrapper whose files take no bytes, as those of a full disk.
 */
final class FullDisk
{
    public const SCHEME = 'polypack-full';

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
}
