<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Makes values with objects and references at random, the same for the same seed: many rows and columns, since these
 * are where a writer chooses.
 */
final class RandomGraphs
{
    private const STRINGS = ['', 'a', 'id', 'name', 'red', 'green', '5', '-7', "\0\xff", 'a longer text that is not short at all, with 60 bytes or more'];

    private readonly Randomizer $random;

    /** @var list<object> */
    private array $objects = [];

    /** @var list<mixed> each a reference */
    private array $references = [];

    /**
     * @param bool $hasObjects without them, there are maps in their places, and no cases of enums
     * @param bool $hasHooks   whether there are objects with hooks of writing, or without some of their properties
     */
    public function __construct(int $seed, private readonly bool $hasObjects = true, private readonly bool $hasHooks = false)
    {
        $this->random = new Randomizer(new Xoshiro256StarStar($seed));
    }

    public function next(): mixed
    {
        $this->objects = $this->references = [];
        for ($i = 0; $i < 2; ++$i) {
            do {
                $value = $this->scalar();
            } while (\is_object($value)); // native serialize takes references to objects for objects
            $this->references[] = &$value;
            unset($value);
        }

        return $this->value(3);
    }

    /**
     * Changes, removes or adds bytes.
     */
    public function changed(string $bytes): string
    {
        for ($i = $this->upTo(3); $i > 0 && \strlen($bytes) > 4; --$i) {
            $at = 3 + $this->upTo(\strlen($bytes) - 4);
            $bytes = match ($this->upTo(4)) {
                1 => \substr_replace($bytes, \chr($this->upTo(256) - 1), $at, 1),
                2 => \substr_replace($bytes, \chr(0x60 + $this->upTo(0xa0) - 1), $at, 0),
                3 => \substr_replace($bytes, '', $at, $this->upTo(3)),
                default => \substr_replace($bytes, \chr(\ord($bytes[$at]) ^ (1 << $this->upTo(8) - 1)), $at, 1),
            };
        }

        return $bytes;
    }

    private function upTo(int $most): int
    {
        return $this->random->getInt(1, \max(1, $most));
    }

    private function value(int $depth): mixed
    {
        if ($depth <= 0) {
            return $this->scalar();
        }

        return match ($this->upTo(10)) {
            1, 2 => $this->scalar(),
            3 => $this->list($depth),
            4 => $this->column(),
            5, 6 => $this->rows($depth),
            7 => $this->map($depth),
            8 => $this->hasObjects ? $this->object($depth) : $this->map($depth),
            9 => $this->objects === [] ? null : $this->objects[$this->upTo(\count($this->objects)) - 1],
            default => $this->referring($depth),
        };
    }

    private function scalar(): mixed
    {
        return match ($this->upTo(7)) {
            1 => null,
            2 => $this->upTo(2) === 1,
            3 => $this->random->getInt(-5, 300),
            4 => $this->random->getInt(\PHP_INT_MIN, \PHP_INT_MAX) >> $this->upTo(63),
            5 => $this->random->getInt(-1000, 1000) / [1, 4, 100, 3][$this->upTo(4) - 1] + 0.0,
            6 => $this->hasObjects ? Suit::cases()[$this->upTo(2) - 1] : null,
            default => self::STRINGS[$this->upTo(\count(self::STRINGS)) - 1] . ($this->upTo(3) === 1 ? $this->upTo(30) : ''),
        };
    }

    /**
     * @return list<mixed>
     */
    private function list(int $depth): array
    {
        $list = [];
        for ($i = $this->upTo(6); $i > 1; --$i) {
            $list[] = $this->value($depth - 1);
        }

        return $list;
    }

    /**
     * @return array<array-key, mixed>
     */
    private function column(): array
    {
        $count = $this->upTo(40);
        $isNullable = $this->upTo(3) === 1;
        $start = $this->random->getInt(-1000, 1000);
        $step = $this->random->getInt(-3, 3);
        $range = 1 << $this->upTo(40);
        $kind = $this->upTo(7);
        $cells = [];
        for ($i = 0; $i < $count; ++$i) {
            $cells[] = $isNullable && $this->upTo(5) === 1 ? null : match ($kind) {
                1 => $start + $step * $i,
                2 => $start + $this->upTo($range),
                3 => $this->upTo(2) === 1,
                4 => $this->random->getInt(-500, 500) / 100,
                5 => 'word ' . $this->upTo(6),
                6 => "text {$i}",
                default => ['x', 5],
            };
        }

        return $this->upTo(3) === 1 ? \array_combine(\array_map(static fn(int $i): int => $i * 3 + 1, \array_keys($cells)), $cells) : $cells;
    }

    /**
     * @return list<mixed>
     */
    private function rows(int $depth): array
    {
        $count = $this->upTo(12);
        $isObjects = $this->upTo(2) === 1 && $this->hasObjects;
        $isHooked = $this->hasHooks && $this->upTo(2) === 1;
        $columns = [];
        for ($i = $this->upTo(5); $i > 0; --$i) {
            $cells = \array_values($this->column());
            $columns["k{$i}"] = static fn(int $row): mixed => $cells[$row % \count($cells)];
        }
        if ($this->upTo(2) === 1) {
            $columns['other'] = fn(): mixed => $this->value(\max(0, $depth - 2));
        }
        $rows = [];
        for ($i = 0; $i < $count; ++$i) {
            $row = \array_map(static fn(\Closure $cell): mixed => $cell($i), $columns);
            if ($this->upTo(40) === 1) {
                $row['k1'] = &$this->references[0];
            }
            if ($isObjects) {
                $row = $isHooked ? $this->hooked(0) : (object) $row;
                $this->objects[] = $row;
            }
            $rows[] = $row;
        }

        return $rows;
    }

    /**
     * @return array<array-key, mixed>
     */
    private function map(int $depth): array
    {
        $map = [];
        for ($i = $this->upTo(6); $i > 0; --$i) {
            $map[$this->upTo(3) === 1 ? $this->random->getInt(-3, 20) : self::STRINGS[$this->upTo(8) - 1]] = $this->value($depth - 1);
        }

        return $map;
    }

    private function object(int $depth): object
    {
        if ($this->hasHooks && $this->upTo(2) === 1) {
            return $this->objects[] = $this->hooked($depth);
        }
        $object = match ($this->upTo(5)) {
            1 => new Point($this->upTo(9)),
            2 => (new Person('name', $this->upTo(99), ['x']))->remember($this->list($depth - 1)),
            3 => new \ArrayObject($this->list($depth - 1)),
            4 => (object) ['a' => $this->value($depth - 1), '5' => $this->scalar()],
            default => Loose::with('more', $this->value($depth - 1)),
        };
        $this->objects[] = $object;
        if ($object instanceof Point && $this->upTo(2) === 1) {
            foreach ($this->objects as $other) {
                $object->next = $other instanceof Point ? $other : null;
            }
        }

        return $object;
    }

    private function hooked(int $depth): object
    {
        $person = new Person('name', $this->upTo(99));
        if ($this->upTo(2) === 1) {
            $person->late = 'late';
        }
        $person->anything = &$this->references[$this->upTo(\count($this->references)) - 1];
        $point = new Point($this->upTo(9));
        unset($point->next);
        $legacy = new Legacy();
        $legacy->text = $this->upTo(4) === 1 ? null : 'text ' . $this->upTo(5);

        return match ($this->upTo(6)) {
            1 => $person,
            2 => $point,
            3 => $legacy,
            4 => (new Sleeper())->set($this->upTo(999)),
            5 => Loose::with('k' . $this->upTo(3), $this->value($depth - 1)),
            default => new Hooked('h', $this->value($depth - 1)),
        };
    }

    /**
     * @return array<array-key, mixed>
     */
    private function referring(int $depth): array
    {
        $array = $this->list($depth - 1);
        $array[] = &$this->references[$this->upTo(2) - 1];
        if ($this->upTo(4) === 1) {
            $array['self'] = &$array;
            $this->references[] = &$array; // else it would be the only one, and no reference to PHP
        }

        return $array;
    }
}
