<?php

declare(strict_types=1);

namespace Polypack\Bench;

use Random\Engine\Mt19937;
use Random\Randomizer;

/**
 * The payloads of the bench, made by a formula, so that every run and every reader has the same. JSON and serialize()
 * keep all of them as they are: no bytes that are not UTF-8, no objects, no −0.
 */
final class Payloads
{
    private const WORDS = [
        'alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta', 'iota', 'kappa', 'lambda', 'mu',
        'Ångström', 'façade', 'naïve', '東京', 'Москва',
    ];

    private function __construct(private readonly Randomizer $random) {}

    /**
     * @return array<string, mixed> by name
     */
    public static function all(): array
    {
        $one = new self(new Randomizer(new Mt19937(1)));

        return [
            'rows' => $one->rows(200),
            'tree' => $one->tree(5),
            'ints' => $one->ints(4000),
            'floats' => $one->floats(4000),
            'texts' => $one->texts(200),
            'event' => $one->event(),
        ];
    }

    /**
     * Rows of one shape, as an API lists them.
     *
     * @return list<array<string, mixed>>
     */
    private function rows(int $count): array
    {
        $rows = [];
        for ($i = 0; $i < $count; ++$i) {
            $rows[] = [
                'id' => 100_000 + $i,
                'name' => "{$this->word()} {$this->word()}",
                'email' => "user{$i}@example.org",
                'active' => $this->chance(70),
                'score' => $this->random->getInt(0, 10_000) / 128,
                'created' => 1_700_000_000_000 + $this->random->getInt(0, 1_000_000_000),
                'tags' => $this->words($this->random->getInt(0, 3)),
                'address' => [
                    'street' => "{$this->word()} {$this->random->getInt(1, 200)}",
                    'city' => $this->word(),
                    'zip' => (string) (10_000 + $i),
                ],
                'parent' => $this->chance(20) ? null : $i >> 1,
            ];
        }

        return $rows;
    }

    /**
     * A tree of many shapes, as a configuration is.
     *
     * @return array<string, mixed>
     */
    private function tree(int $depth): array
    {
        $map = [];
        $count = $this->random->getInt(3, 8);
        for ($i = 0; $i < $count; ++$i) {
            $name = $this->word() . $this->random->getInt(0, 9);
            $map[$name] = $depth > 0 && $this->chance(50) ? $this->tree($depth - 1) : match ($this->random->getInt(0, 4)) {
                0 => $this->chance(50),
                1 => $this->random->getInt(0, 100_000),
                2 => "{$name} value",
                3 => $this->words(3),
                default => null,
            };
        }

        return $map;
    }

    /**
     * Ints of random sign and width.
     *
     * @return list<int>
     */
    private function ints(int $count): array
    {
        $ints = [];
        for ($i = 0; $i < $count; ++$i) {
            $ints[] = $this->random->getInt(\PHP_INT_MIN, \PHP_INT_MAX) >> $this->random->getInt(0, 62);
        }

        return $ints;
    }

    /**
     * @return list<float>
     */
    private function floats(int $count): array
    {
        $floats = [];
        for ($i = 0; $i < $count; ++$i) {
            $floats[] = ($this->random->getInt(1, 1 << 53) - (1 << 52)) / (1 << 44);
        }

        return $floats;
    }

    /**
     * Texts of 20 to 400 bytes.
     *
     * @return list<string>
     */
    private function texts(int $count): array
    {
        $texts = [];
        for ($i = 0; $i < $count; ++$i) {
            $texts[] = \implode(' ', $this->words($this->random->getInt(4, 50)));
        }

        return $texts;
    }

    /**
     * One small message, as a queue carries it.
     *
     * @return array<string, mixed>
     */
    private function event(): array
    {
        return [
            'id' => '01HF7Z9Q3M6T5W8K2X4C7V9B1N',
            'type' => 'order.paid',
            'at' => 1_700_000_000_123,
            'user' => ['id' => 48_213, 'name' => 'Ada Ångström', 'admin' => false],
            'total' => 129.95,
            'lines' => [['sku' => 'A-17', 'count' => 2], ['sku' => 'B-4', 'count' => 1]],
            'note' => null,
        ];
    }

    private function word(): string
    {
        return self::WORDS[$this->random->getInt(0, \count(self::WORDS) - 1)];
    }

    /**
     * @return list<string>
     */
    private function words(int $count): array
    {
        $words = [];
        for ($i = 0; $i < $count; ++$i) {
            $words[] = $this->word();
        }

        return $words;
    }

    private function chance(int $percent): bool
    {
        return $this->random->getInt(1, 100) <= $percent;
    }
}
