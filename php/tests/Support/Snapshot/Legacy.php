<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

// PHP deprecates the interface where a class is declared that has nothing newer
\set_error_handler(static fn(): bool => true, \E_DEPRECATED);

/**
 * Has the old hooks alone.
 */
final class Legacy implements \Serializable // @phpstan-ignore class.serializable, class.serializable
{
    public ?string $text = null;

    public function serialize(): ?string
    {
        return $this->text;
    }

    public function unserialize(string $data): void
    {
        $this->text = $data;
    }
}

\restore_error_handler();
