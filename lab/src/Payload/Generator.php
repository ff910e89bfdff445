<?php

declare(strict_types=1);

namespace Polypack\Lab\Payload;

use Random\Engine\Mt19937;
use Random\Randomizer;

/**
 * Makes rows of plain data from a seed: the same seed gives the same bytes on every machine.
 *
 * Texts hardly repeat and are partly outside ASCII, since repeated literals flatter formats that store them once.
 * Floats are never whole numbers, since JSON would bring those back as integers.
 */
final class Generator
{
    public const COUNTRIES = __DIR__ . '/../../../node_modules/world-countries/dist/countries.json';

    private const SYLLABLES = [
        'an', 'bel', 'cor', 'da', 'el', 'fi', 'gor', 'hu', 'il', 'jo', 'ka', 'lem', 'mi', 'nor', 'os', 'pra', 'qui',
        'ro', 'sel', 'tu', 'ur', 'va', 'wen', 'xi', 'yo', 'zan', 'å', 'ß', 'é', '東', 'я',
    ];

    private const COLORS = ['blue', 'red', 'violet', 'green', 'amber', 'teal', 'ochre', 'mauve', 'black', 'ivory'];

    private readonly Randomizer $random;

    public function __construct(int $seed)
    {
        $this->random = new Randomizer(new Mt19937($seed));
    }

    /** @return list<array<string, mixed>> */
    public function list(Scenario $scenario, int $count): array
    {
        $document = $scenario === Scenario::Countries ? self::countries() : [];
        $list = [];
        for ($index = 0; $index < $count; ++$index) {
            $list[] = match ($scenario) {
                Scenario::Person => $this->person(),
                Scenario::Order => $this->order($index),
                Scenario::Rows => $this->row($index),
                default => $document[$index % \count($document)],
            };
        }

        return $list;
    }

    /** @return non-empty-list<array<string, mixed>> */
    private static function countries(): array
    {
        return \json_decode((string) \file_get_contents(self::COUNTRIES), true, 64, \JSON_THROW_ON_ERROR);
    }

    /** @return array<string, mixed> */
    private function person(bool $withMother = true): array
    {
        return [
            'id' => $this->int(1, 1 << 30),
            'name' => $this->name(),
            'married' => $this->chance(50),
            'favoriteColors' => $this->colors(),
            'mother' => $withMother ? $this->person(false) : null,
        ];
    }

    /** @return array<string, mixed> */
    private function order(int $index): array
    {
        $lines = [];
        for ($left = $this->int(1, 5); $left > 0; --$left) {
            $lines[] = [
                'sku' => \strtoupper($this->letters('abcdefghjkmnpqrstuvwxyz23456789', 8)),
                'title' => $this->text(2, 6),
                'quantity' => $this->int(1, 12),
                'price' => $this->decimal(),
                'discount' => $this->float(0, 40),
            ];
        }

        return [
            'id' => 100_000 + $index,
            'number' => \sprintf('%04d-%06d', $this->int(2020, 2026), $index),
            'status' => ['open', 'paid', 'shipped', 'cancelled'][$this->int(0, 3)],
            'created' => $this->date(),
            'paid' => $this->chance(70) ? $this->date() : null,
            'customer' => $this->customer(),
            'lines' => $lines,
            'currency' => ['EUR', 'JPY', 'SEK', 'BRL'][$this->int(0, 3)],
            'total' => $this->decimal(),
            'weight' => $this->float(0, 90),
            'tags' => $this->words(1, 4),
            'attributes' => ['channel' => $this->word(), 'campaign' => $this->word(), 'referrer' => $this->word()],
            'note' => $this->chance(30) ? $this->text(5, 20) : null,
        ];
    }

    /**
     * A row as an API lists it: no class, fields of every kind.
     *
     * @return array<string, mixed>
     */
    private function row(int $index): array
    {
        return [
            'id' => 1_000_000 + $index,
            'uuid' => \bin2hex($this->random->getBytes(16)),
            'name' => $this->name(),
            'email' => "user{$index}.{$this->letters('abcdefghijklmnopqrstuvwxyz', 6)}@example.org",
            'active' => $this->chance(70),
            'score' => $this->float(0, 100),
            'visits' => $this->int(0, 70_000),
            'balance' => $this->int(-2_000_000_000, 2_000_000_000),
            'manager' => $this->chance(20) ? null : $this->int(1, 1_000_000),
            'tags' => $this->words(0, 4),
            'position' => ['latitude' => $this->float(-90, 90), 'longitude' => $this->float(-180, 180)],
            'text' => $this->text(4, 24),
        ];
    }

    /** @return array<string, mixed> */
    private function customer(): array
    {
        return [
            'id' => $this->int(1, 1 << 30),
            'name' => $this->name(),
            'email' => $this->letters('abcdefghijklmnopqrstuvwxyz', 9) . '@example.org',
            'phone' => $this->chance(60) ? '+' . $this->int(10_000_000_000, 999_999_999_999) : null,
            'registered' => $this->date(),
            'billing' => $this->address(),
            'shipping' => $this->chance(40) ? $this->address() : null,
        ];
    }

    /** @return array<string, mixed> */
    private function address(): array
    {
        return [
            'street' => $this->name() . ' ' . $this->int(1, 300),
            'city' => $this->word(),
            'zip' => (string) $this->int(10_000, 99_999),
            'country' => ['DE', 'JP', 'SE', 'BR', 'UA'][$this->int(0, 4)],
            'latitude' => $this->float(-90, 90),
            'longitude' => $this->float(-180, 180),
        ];
    }

    /** @return list<string> */
    private function colors(): array
    {
        $colors = [];
        for ($left = $this->int(1, 3); $left > 0; --$left) {
            $colors[] = self::COLORS[$this->int(0, \count(self::COLORS) - 1)];
        }

        return $colors;
    }

    private function date(): string
    {
        return \gmdate(\DATE_ATOM, $this->int(1_500_000_000, 1_790_000_000));
    }

    private function decimal(): string
    {
        return \sprintf('%d.%02d', $this->int(0, 5000), $this->int(0, 99));
    }

    /** A float with an odd number of 4096ths, so it's exact in binary and never whole. */
    private function float(int $low, int $high): float
    {
        return (2 * $this->int($low * 2048, $high * 2048 - 1) + 1) / 4096;
    }

    /** @return list<string> */
    private function words(int $low, int $high): array
    {
        $words = [];
        for ($left = $this->int($low, $high); $left > 0; --$left) {
            $words[] = $this->word();
        }

        return $words;
    }

    private function text(int $low, int $high): string
    {
        return \implode(' ', $this->words($low, $high));
    }

    private function name(): string
    {
        return \ucfirst($this->word()) . ' ' . \ucfirst($this->word());
    }

    private function word(): string
    {
        $word = '';
        for ($left = $this->int(2, 5); $left > 0; --$left) {
            $word .= self::SYLLABLES[$this->int(0, \count(self::SYLLABLES) - 1)];
        }

        return $word;
    }

    /** As Randomizer::getBytesFromString(), which PHP 8.2 lacks. */
    private function letters(string $from, int $length): string
    {
        $letters = '';
        for ($left = $length; $left > 0; --$left) {
            $letters .= $from[$this->int(0, \strlen($from) - 1)];
        }

        return $letters;
    }

    private function chance(int $percent): bool
    {
        return $this->int(0, 99) < $percent;
    }

    private function int(int $low, int $high): int
    {
        return $this->random->getInt($low, $high);
    }
}
