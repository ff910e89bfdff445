<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\Stores\DictionaryStore;

/**
 * A store in memory that counts its calls, fails when told to, and lets others be faster.
 */
final class CountingStore implements DictionaryStore
{
    public int $loads = 0;
    public int $replaces = 0;
    public ?\Throwable $error = null;
    /** @var list<string> what others write in front of the next calls of replace() */
    public array $faster = [];

    public function __construct(public ?string $content = null) {}

    public function load(): ?string
    {
        ++$this->loads;

        return $this->error === null ? $this->content : throw $this->error;
    }

    public function replace(?string $expected, string $next): bool
    {
        ++$this->replaces;
        if ($this->error !== null) {
            throw $this->error;
        }
        $this->content = \array_shift($this->faster) ?? $this->content;
        if ($this->content !== $expected) {
            return false;
        }
        $this->content = $next;

        return true;
    }
}
