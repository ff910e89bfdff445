<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * What the reference decoder reports instead of a value.
 */
final class ReferenceFault extends \Exception
{
    public function __construct(
        public readonly string $errorCode,
        public readonly int $offset,
        public readonly string $path,
    ) {
        parent::__construct("{$errorCode} at {$offset} ({$path})");
    }
}
