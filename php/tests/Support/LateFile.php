<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * A stream wrapper with one file, as a reader sees it that another process creates at the same time: it can't be opened
 * `$misses` times, and is there whenever somebody looks.
 */
final class LateFile
{
    public const SCHEME = 'polypack-late';
    public const CONTENT = 'content';

    public static int $misses = 0;

    /** @var mixed set by PHP */
    public $context;
    private int $position = 0;

    public function stream_open(): bool
    {
        return self::$misses-- <= 0;
    }

    public function stream_read(int $length): string
    {
        $bytes = \substr(self::CONTENT, $this->position, $length);
        $this->position += \strlen($bytes);

        return $bytes;
    }

    public function stream_eof(): bool
    {
        return $this->position >= \strlen(self::CONTENT);
    }

    /**
     * @return array<string, int>
     */
    public function stream_stat(): array
    {
        return ['size' => \strlen(self::CONTENT)];
    }

    /**
     * @return array<string, int>
     */
    public function url_stat(): array
    {
        return ['size' => \strlen(self::CONTENT), 'mode' => 0o100644];
    }
}
