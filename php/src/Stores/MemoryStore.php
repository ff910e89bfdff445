<?php

declare(strict_types=1);

namespace Polypack\Stores;

/**
 * Keeps a dictionary in this process, for tests and for programs that save it elsewhere.
 *
 * @api
 */
final class MemoryStore implements DictionaryStore
{
    public function __construct(private ?string $content = null) {}

    public function load(): ?string
    {
        return $this->content;
    }

    public function replace(?string $expected, string $next): bool
    {
        if ($this->content !== $expected) {
            return false;
        }
        $this->content = $next;

        return true;
    }
}
