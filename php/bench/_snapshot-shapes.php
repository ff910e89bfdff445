<?php

declare(strict_types=1);

namespace Polypack\Bench;

use Random\Engine\Mt19937;
use Random\Randomizer;

/** One class of a data transfer object. */
final class Dto
{
    /**
     * @param list<string> $tags
     */
    public function __construct(
        public int $id,
        public string $name,
        public string $email,
        public bool $active,
        public float $score,
        public array $tags,
        public ?string $note = null,
    ) {}
}

/** An object that others refer to. */
final class Owner
{
    public function __construct(protected string $name, protected int $level = 1) {}
}

/** An object with others in it. */
final class Entry
{
    public ?Entry $before = null;

    public function __construct(public readonly int $number, public readonly Owner $owner, public readonly Dto $of) {}
}

/**
 * The values of the bench of snapshots: the ten named shapes, and some realistic ones. Each is made from data, whose
 * strings and arrays come from PHP code, from json_decode() or from unserialize().
 */
final class SnapshotShapes
{
    private function __construct(private readonly Randomizer $random) {}

    /**
     * @return array<string, array{mixed, ?\Closure(mixed): mixed}> the data, and what makes objects of them
     */
    public static function all(): array
    {
        $make = new self(new Randomizer(new Mt19937(24)));
        $dtos = static fn(mixed $rows): array => \array_map(self::dto(...), (array) $rows);

        return [
            'rowset_100' => [$make->rows(100, false), null],
            'rowset_1000' => [$make->rows(1000, false), null],
            'rowset_distinct_1000' => [$make->rows(1000, true), null],
            'packed_1k' => [\range(0, 999), null],
            'packed_10k' => [\range(0, 9999), null],
            'packed_rand_10k' => [\array_map(static fn(): int => $make->int(0, 1 << 20), \range(1, 10_000)), null],
            'deep_50' => [$make->deep(50), null],
            'dto_100' => [$make->rows(100, false), $dtos],
            'dto_1000' => [$make->rows(1000, false), $dtos],
            'dto_mixed' => [$make->rows(300, false), self::mixed(...)],
            'session' => [$make->session(), null],
            'document' => [$make->document(), null],
            'config' => [Payloads::all()['config'], null],
            'api_rows' => [\array_slice((array) Payloads::all()['api1000'], 0, 200), null],
            'keyed_rows' => [$make->keyed(300), null],
            'optional_keys' => [$make->optional(300), null],
            'prices' => [\array_map(static fn(): float => $make->int(100, 99_999) / 100, \range(1, 1000)), null],
            'long_string' => [\str_repeat('All work and no play. ', 1000), null],
            'strings' => [\array_map(static fn(int $i): string => "user:{$make->int(1, 100_000)}:profile:{$i}", \range(1, 500)), null],
            'small' => [['id' => 17, 'name' => 'a name', 'roles' => ['admin', 'editor'], 'at' => 1_700_000_000], null],
        ];
    }

    private static function dto(mixed $row): Dto
    {
        /** @var array{id: int, name: string, email: string, active: bool, score: float, tags: list<string>} $row */
        return new Dto($row['id'], $row['name'], $row['email'], $row['active'], $row['score'], $row['tags']);
    }

    /**
     * @return list<Entry|Owner>
     */
    private static function mixed(mixed $rows): array
    {
        $all = [];
        $owner = new Owner('nobody');
        $before = null;
        foreach ((array) $rows as $i => $row) {
            $dto = self::dto($row);
            if ((int) $i % 10 === 0) {
                $all[] = $owner = new Owner($dto->name);
            }
            $entry = new Entry((int) $i, $owner, $dto);
            $entry->before = $before;
            $before = (int) $i % 5 === 0 ? null : $entry;
            $all[] = $entry;
        }

        return $all;
    }

    private function int(int $least, int $most): int
    {
        return $this->random->getInt($least, $most);
    }

    /**
     * @return list<array<string, mixed>>
     */
    private function rows(int $count, bool $isDistinct): array
    {
        $rows = [];
        for ($i = 1; $i <= $count; ++$i) {
            $other = $isDistinct ? " {$i}" : '';
            $rows[] = [
                'id' => $i,
                'name' => "User {$i}",
                'email' => "user{$i}@example.com",
                'active' => $this->int(0, 3) > 0,
                'score' => $this->int(0, 10_000) / 100 + 0.5,
                'tags' => ["alpha{$other}", "beta{$other}", "gamma{$other}"],
                'created_at' => '2024-01-15 10:30:00' . $other,
            ];
        }

        return $rows;
    }

    private function deep(int $depth): mixed
    {
        return $depth === 0 ? 'bottom' : ['level' => $depth, 'name' => "level {$depth}", 'child' => $this->deep($depth - 1)];
    }

    /**
     * @return array<string, mixed>
     */
    private function session(): array
    {
        return [
            '_token' => \bin2hex($this->random->getBytes(20)),
            '_previous' => ['url' => 'https://shop.example/products/17?page=2'],
            '_flash' => ['old' => [], 'new' => ['status']],
            'status' => 'Saved.',
            'login_web' => 4711,
            'password_hash_web' => '$2y$10$' . \bin2hex($this->random->getBytes(26)),
            'locale' => 'en',
            'cart' => \array_map(fn(int $i): array => ['sku' => "SKU-{$this->int(1000, 9999)}", 'count' => $i, 'price' => $this->int(100, 9999) / 100 + 0.25, 'options' => ['size' => 'M', 'gift' => false]], \range(1, 5)),
            'seen' => \array_map(fn(): int => $this->int(1, 5000), \range(1, 20)),
        ];
    }

    /**
     * @return array<string, mixed>
     */
    private function document(): array
    {
        $comments = [];
        for ($i = 1; $i <= 40; ++$i) {
            $comments[] = [
                'id' => $i * 7,
                'author' => ['id' => $this->int(1, 30), 'name' => "Author {$this->int(1, 30)}", 'verified' => $i % 3 === 0],
                'text' => \str_repeat("Comment {$i}. ", $this->int(1, 6)),
                'likes' => $this->int(0, 500),
                'replies' => $i % 4 === 0 ? [['id' => $i * 7 + 1, 'text' => 'Thanks!', 'likes' => $i]] : [],
            ];
        }

        return ['id' => 99, 'title' => 'An article', 'body' => \str_repeat('Lorem ipsum dolor sit amet. ', 40), 'tags' => ['php', 'cache'], 'comments' => $comments];
    }

    /**
     * @return array<string, array<string, mixed>>
     */
    private function keyed(int $count): array
    {
        $rows = [];
        for ($i = 0; $i < $count; ++$i) {
            $rows[\bin2hex($this->random->getBytes(6)) . 'k'] = ['rank' => $i, 'hits' => $this->int(0, 100_000), 'label' => "label {$this->int(1, 20)}"];
        }

        return $rows;
    }

    /**
     * @return list<array<string, mixed>>
     */
    private function optional(int $count): array
    {
        $rows = [];
        for ($i = 0; $i < $count; ++$i) {
            $row = ['id' => $i, 'type' => ['page', 'post', 'event'][$i % 3]];
            $row += $i % 2 === 0 ? ['summary' => "Summary {$i}"] : [];
            $row += $i % 5 === 0 ? ['parent' => $this->int(0, $count)] : [];
            $rows[] = $row;
        }

        return $rows;
    }
}
