<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

/**
 * Has a property of every kind.
 */
class Person extends Being
{
    public static int $count = 0;
    public readonly string $name;
    protected ?float $height = null;
    private int $secret = 1;
    public mixed $anything;
    public string $late;

    /**
     * @param list<string> $tags
     */
    public function __construct(string $name, int $secret = 1, public array $tags = [], private readonly ?Suit $suit = null)
    {
        $this->name = $name;
        $this->secret = $secret;
    }

    public function own(): int
    {
        return $this->secret;
    }

    public function suit(): ?Suit
    {
        return $this->suit;
    }

    public function height(?float $height): static
    {
        $this->height = $height;

        return $this;
    }
}
