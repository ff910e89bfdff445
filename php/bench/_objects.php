<?php

declare(strict_types=1);

namespace Polypack\Bench;

/** Objects that a user of a library packs: a hundred for each workload, whose classes are in _objects.php.txt. */
final class Objects
{
    private const COUNT = 100;

    /**
     * What each object is made of.
     *
     * @return array<string, list<array<string, mixed>|int>> by workload
     */
    public static function plain(): array
    {
        $numbers = \range(1, self::COUNT);

        return [
            'objects-fields' => \array_map(static fn(int $i): array => ['id' => $i, 'name' => "point {$i}"], $numbers),
            'objects-array' => \array_map(static fn(int $i): array => ['id' => $i, 'name' => "point {$i}", 'tags' => ['a', 'b'], 'at' => null], $numbers),
            'objects-transformer' => \array_fill(0, self::COUNT, 0),
            'objects-second' => $numbers,
        ];
    }
}
