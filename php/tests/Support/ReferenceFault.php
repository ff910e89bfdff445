<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * What a reference reports instead of a value or bytes.
 */
final class ReferenceFault extends \Exception
{
    public readonly string $path;

    public function __construct(
        public readonly string $errorCode,
        public readonly ?int $offset,
        string $path,
    ) {
        $this->path = self::shown($path);
        parent::__construct("{$errorCode} at {$offset} ({$this->path})");
    }

    /**
     * spec/07#path: as many whole segments as fit 4,096 bytes.
     */
    private static function shown(string $path): string
    {
        if (\strlen($path) <= 4096) {
            return $path;
        }
        $cut = (int) \strrpos(\substr($path, 0, 4097), '/');

        return \substr($path, 0, $cut) . '/…';
    }
}
