<?php

declare(strict_types=1);

namespace Polypack\Bench;

use Random\Engine\Mt19937;
use Random\Randomizer;

/**
 * The twelve payloads of the bench, made by a formula, so that every run and every reader has the same.
 *
 * Where a string comes from decides how PHP stores it (literals are shared and carry their hash, what a decoder made
 * does not), and with it what packing costs: from() makes each payload in every provenance.
 */
final class Payloads
{
    /** What from() knows: as built here, from json_decode(), from unserialize(). */
    public const PROVENANCES = ['built', 'json', 'unserialize'];

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
        $names = [
            'api1000', 'config', 'event', 'ints10k', 'ints7_10k', 'ints32_10k', 'floats10k', 'texts300', 'strs5k',
            'blobs100x1k', 'matrix100x100f', 'idmap5k',
        ];
        $payloads = [];
        foreach ($names as $seed => $name) {
            $one = new self(new Randomizer(new Mt19937($seed + 1)));
            $payloads[$name] = match ($name) {
                'api1000' => $one->rows(1000),
                'config' => $one->tree(5),
                'event' => $one->event(),
                'ints10k' => $one->list(10_000, static fn(self $it): int => $it->anyInt()),
                'ints7_10k' => $one->list(10_000, static fn(self $it): int => $it->random->getInt(0, 127)),
                'ints32_10k' => $one->list(10_000, static fn(self $it): int => $it->random->getInt(0x10000, 0xffffffff)),
                'floats10k' => $one->list(10_000, static fn(self $it): float => $it->float()),
                'texts300' => $one->list(300, static fn(self $it): string => $it->text(20, 400)),
                'strs5k' => $one->list(5000, static fn(self $it): string => $it->name()),
                'blobs100x1k' => $one->list(100, static fn(self $it): string => $it->random->getBytes(1024)),
                'matrix100x100f' => $one->list(100, static fn(self $it): array => $it->list(100, static fn(self $it): float => $it->float())),
                'idmap5k' => $one->idMap(5000),
            };
        }

        return $payloads;
    }

    /**
     * The same value with strings and arrays made by another part of PHP. What JSON cannot carry
     * comes from unserialize().
     */
    public static function from(string $provenance, mixed $value): mixed
    {
        $json = $provenance === 'json' ? \json_encode($value, \JSON_PRESERVE_ZERO_FRACTION) : false;
        $made = match (true) {
            $provenance === 'built' => $value,
            $json !== false => \json_decode($json, true),
            default => \unserialize(\serialize($value)),
        };
        if (!self::same($made, $value)) {
            throw new \LogicException("the payload changes on its way through {$provenance}");
        }

        return $made;
    }

    /**
     * Rows of one shape, as an API lists them: 13 keys, three of them nested.
     *
     * @return list<array<string, mixed>>
     */
    private function rows(int $count): array
    {
        $rows = [];
        for ($i = 0; $i < $count; ++$i) {
            $rows[] = [
                'id' => 100_000 + $i,
                'uuid' => \bin2hex($this->random->getBytes(16)),
                'name' => "{$this->word()} {$this->word()}",
                'email' => "user{$i}@example.org",
                'active' => $this->chance(70),
                'score' => $this->random->getInt(0, 10_000) / 128,
                'visits' => $this->random->getInt(0, 70_000),
                'created_at' => 1_700_000_000 + $this->random->getInt(0, 10_000_000),
                'balance' => $this->random->getInt(-50_000, 50_000),
                'manager' => $this->chance(20) ? null : $i >> 1,
                'tags' => $this->list($this->random->getInt(0, 4), static fn(self $it): string => $it->word()),
                'address' => [
                    'street' => "{$this->word()} {$this->random->getInt(1, 200)}",
                    'city' => $this->word(),
                    'zip' => (string) (10_000 + $i),
                    'geo' => ['lat' => $this->random->getInt(-9_000, 9_000) / 128, 'lng' => $this->random->getInt(-18_000, 18_000) / 128],
                ],
                'bio' => $this->text(20, 120),
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
        for ($i = 0; $i < 9; ++$i) {
            $name = "{$this->word()}_{$i}";
            $map[$name] = $depth > 0 && $i < 4 ? $this->tree($depth - 1) : match ($this->random->getInt(0, 5)) {
                0 => $this->chance(50),
                1 => $this->random->getInt(0, 100_000),
                2 => "{$name} value",
                3 => $this->list(3, static fn(self $it): string => $it->word()),
                4 => $this->random->getInt(1, 1000) / 8,
                default => null,
            };
        }

        return $map;
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

    /**
     * Strings by sparse numbers, as a cache holds them.
     *
     * @return array<int, string|int>
     */
    private function idMap(int $count): array
    {
        $map = [];
        for ($i = 0; $i < $count; ++$i) {
            $map[1000 + 7 * $i + $this->random->getInt(0, 6)] = $this->chance(50) ? $this->name() : $this->random->getInt(0, 1_000_000);
        }

        return $map;
    }

    /**
     * @template T
     *
     * @param \Closure(self): T $make
     *
     * @return list<T>
     */
    private function list(int $count, \Closure $make): array
    {
        $list = [];
        for ($i = 0; $i < $count; ++$i) {
            $list[] = $make($this);
        }

        return $list;
    }

    /** An int of random sign and width. */
    private function anyInt(): int
    {
        return $this->random->getInt(\PHP_INT_MIN, \PHP_INT_MAX) >> $this->random->getInt(0, 62);
    }

    /** A float of many digits that is never −0, which JSON would keep and `===` not see. */
    private function float(): float
    {
        return (2 * $this->random->getInt(0, (1 << 52) - 1) - (1 << 52) + 1) / (1 << 44);
    }

    private function word(): string
    {
        return self::WORDS[$this->random->getInt(0, \count(self::WORDS) - 1)];
    }

    /** A short string, half of them seldom seen twice. */
    private function name(): string
    {
        return $this->chance(50) ? $this->word() : "{$this->word()}-{$this->random->getInt(0, 99_999)}";
    }

    /** Words of at least so many bytes; a few more than the most at times. */
    private function text(int $least, int $most): string
    {
        $length = $this->random->getInt($least, $most - 10);
        $text = $this->word();
        while (\strlen($text) < $length) {
            $text .= ' ' . $this->word();
        }

        return $text;
    }

    private function chance(int $percent): bool
    {
        return $this->random->getInt(1, 100) <= $percent;
    }

    /**
     * Whether two values are the same, element by element: types, order and all; objects by class and properties.
     */
    public static function same(mixed $a, mixed $b): bool
    {
        if ($a === $b) {
            return true;
        }
        if (\is_object($a) && \is_object($b)) {
            return $a::class === $b::class && self::same((array) $a, (array) $b);
        }
        if (!\is_array($a) || !\is_array($b) || \array_keys($a) !== \array_keys($b)) {
            return false;
        }
        foreach ($a as $key => $element) {
            if (!self::same($element, $b[$key])) {
                return false;
            }
        }

        return true;
    }
}
