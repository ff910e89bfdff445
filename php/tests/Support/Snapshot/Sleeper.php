<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

class Sleeper extends Being
{
    public int $kept = 1;
    public int $dropped = 2;
    protected int $hidden = 3;
    private int $own = 4;
    public bool $woke = false;

    public function set(int $value): static
    {
        $this->kept = $this->dropped = $this->hidden = $this->own = $value;

        return $this;
    }

    /**
     * @return list<string>
     */
    public function __sleep(): array
    {
        return ['own', 'kept', 'hidden', "\0Polypack\\Tests\\Support\\Snapshot\\Being\0secret"];
    }

    public function __wakeup(): void
    {
        $this->woke = true;
    }

    /**
     * @return list<int>
     */
    public function all(): array
    {
        return [$this->kept, $this->dropped, $this->hidden, $this->own];
    }
}
