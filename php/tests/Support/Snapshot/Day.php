<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

/**
 * A date whose class has a hook for writing, as those of Carbon have.
 */
final class Day extends \DateTimeImmutable
{
    /**
     * @return array<mixed>
     */
    public function __serialize(): array
    {
        return parent::__serialize();
    }
}
