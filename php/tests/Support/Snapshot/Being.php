<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

class Being
{
    protected ?int $age = null;
    private int $secret = 2;
    /** @var array<mixed> */
    private array $memories = [];

    /**
     * @param array<mixed> $memories
     */
    public function remember(array $memories): static
    {
        $this->memories = $memories;
        $this->secret = \count($memories);

        return $this;
    }

    /**
     * @return array{int, array<mixed>}
     */
    public function inner(): array
    {
        return [$this->secret, $this->memories];
    }
}
