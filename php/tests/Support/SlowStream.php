<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * A PHP stream of user code, slow://, some of whose reads return nothing before it ends.
 */
final class SlowStream
{
    /** @var list<string> what the reads return */
    public static array $chunks = [];
    /** @var resource */
    public $context;

    public function stream_open(): bool
    {
        return true;
    }

    public function stream_read(): string
    {
        return (string) \array_shift(self::$chunks);
    }

    public function stream_eof(): bool
    {
        return self::$chunks === [];
    }
}
