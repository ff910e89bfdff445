<?php

declare(strict_types=1);

namespace Polypack\Lab\Payload;

use Polypack\Lab\Payload\Order\Order;

/**
 * A data set of the lab: a list of equal things, as plain data and, for two of them, as objects.
 */
enum Scenario: string
{
    case Person = 'person';
    case Order = 'order';
    case Rows = 'rows';
    case Countries = 'countries';

    private const COUNTRIES = __DIR__ . '/../../../node_modules/world-countries/dist/countries.json';

    /** Says what the data is, in one line. */
    public function describe(): string
    {
        return match ($this) {
            self::Person => 'the class of the seed: five private properties with getters and setters, and a mother',
            self::Order => 'readonly classes: customer, addresses, one to five lines, dates, an enum, decimals as text',
            self::Rows => 'plain rows of an API: twelve fields, one nested map, a list of tags',
            self::Countries => 'a real document: the countries of the npm package world-countries',
        };
    }

    /** @return class-string|null of an element; null for plain data */
    public function class(): ?string
    {
        return match ($this) {
            self::Person => Person::class,
            self::Order => Order::class,
            default => null,
        };
    }

    /**
     * Makes the plain data of a list; the same count and seed give the same data everywhere.
     *
     * @return list<array<string, mixed>>
     */
    public function plain(int $count, int $seed): array
    {
        $generator = new Generator($seed);
        $document = $this === self::Countries ? self::countries() : [];
        $list = [];
        for ($index = 0; $index < $count; ++$index) {
            $list[] = match ($this) {
                self::Person => $generator->person(),
                self::Order => $generator->order($index),
                self::Rows => $generator->row($index),
                self::Countries => $document[$index % \count($document)],
            };
        }

        return $list;
    }

    /** Tells whether the data can be made on this machine, or why not. */
    public function missing(): ?string
    {
        return $this === self::Countries && !\is_file(self::COUNTRIES) ? 'npm has not installed world-countries (make setup)' : null;
    }

    /**
     * @param list<array<string, mixed>> $plain
     *
     * @return list<mixed> objects where the scenario has a class
     */
    public function fromPlain(array $plain): array
    {
        $class = $this->class();
        if ($class === null) {
            return $plain;
        }
        $objects = [];
        foreach ($plain as $row) {
            $objects[] = $class::fromPlain($row);
        }

        return $objects;
    }

    /**
     * @param list<mixed> $values
     *
     * @return list<array<string, mixed>>
     */
    public function toPlain(array $values): array
    {
        if ($this->class() === null) {
            return $values;
        }
        $plain = [];
        foreach ($values as $value) {
            $plain[] = $value->toPlain();
        }

        return $plain;
    }

    /** @return non-empty-list<array<string, mixed>> */
    private static function countries(): array
    {
        return \json_decode((string) \file_get_contents(self::COUNTRIES), true, 64, \JSON_THROW_ON_ERROR);
    }
}
