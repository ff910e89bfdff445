<?php

declare(strict_types=1);

namespace Polypack\Lab\Payload;

/**
 * The class that the seed's benchmark serializes: private properties behind getters and setters, and a mother of the
 * same class.
 */
final class Person
{
    private int $id = 0;

    private string $name = '';

    private bool $married = false;

    /** @var list<string> */
    private array $favoriteColors = [];

    private ?Person $mother = null;

    /** @param list<string> $favoriteColors */
    public function __construct(
        int $id = 0,
        string $name = '',
        bool $married = false,
        array $favoriteColors = [],
        ?Person $mother = null,
    ) {
        $this->id = $id;
        $this->name = $name;
        $this->married = $married;
        $this->favoriteColors = $favoriteColors;
        $this->mother = $mother;
    }

    public function getId(): int
    {
        return $this->id;
    }

    public function setId(int $id): void
    {
        $this->id = $id;
    }

    public function getName(): string
    {
        return $this->name;
    }

    public function setName(string $name): void
    {
        $this->name = $name;
    }

    public function isMarried(): bool
    {
        return $this->married;
    }

    /** As the seed has it; SimpleSerializer knows no other getter of a bool. */
    public function getMarried(): bool
    {
        return $this->married;
    }

    public function setMarried(bool $married): void
    {
        $this->married = $married;
    }

    /** @return list<string> */
    public function getFavoriteColors(): array
    {
        return $this->favoriteColors;
    }

    /** @param list<string> $favoriteColors */
    public function setFavoriteColors(array $favoriteColors): void
    {
        $this->favoriteColors = $favoriteColors;
    }

    public function getMother(): ?self
    {
        return $this->mother;
    }

    public function setMother(?self $mother): void
    {
        $this->mother = $mother;
    }

    /** @return array<string, mixed> */
    public function toPlain(): array
    {
        return [
            'id' => $this->id,
            'name' => $this->name,
            'married' => $this->married,
            'favoriteColors' => $this->favoriteColors,
            'mother' => $this->mother?->toPlain(),
        ];
    }

    /** @param array<string, mixed> $plain */
    public static function fromPlain(array $plain): self
    {
        return new self(
            $plain['id'],
            $plain['name'],
            $plain['married'],
            $plain['favoriteColors'],
            $plain['mother'] === null ? null : self::fromPlain($plain['mother']),
        );
    }
}
