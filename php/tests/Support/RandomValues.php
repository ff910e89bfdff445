<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\Type\Map;
use Polypack\Type\Timestamp;
use Polypack\Type\UInt64;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Makes values to pack, at the borders of what is packed in one way or another; the same for the same seed.
 */
final class RandomValues
{
    private const BORDERS = [
        0, 0x40, 0x80, 0x100, 0x10000, 0x80000000, 0x100000000, \PHP_INT_MAX, -0x20, -0x80, -0x8000, -0x80000000, \PHP_INT_MIN,
    ];
    private const FLOATS = [
        0.0, -0.0, 1.0, -1.5, 0.1, \INF, -\INF, \NAN, \PHP_FLOAT_MAX, \PHP_FLOAT_MIN / 4, 3.4028234663852886e38, -3.4028234663852886e38,
        3.4028235677973366e38, -3.4028235677973366e38, 3.4028235e38, 1e-45,
    ];
    private const NAMES = ['id', 'name', 'a', 'b', '', "a\0", 'é', "\xff", 'a/b', '~', '-1x', 'n5'];

    private readonly Randomizer $random;

    public function __construct(int $seed)
    {
        $this->random = new Randomizer(new Xoshiro256StarStar($seed));
    }

    /**
     * @phpstan-impure
     */
    public function int(int $least, int $most): int
    {
        return $this->random->getInt($least, $most);
    }

    public function next(): mixed
    {
        return $this->value($this->int(0, 4));
    }

    private function value(int $depth): mixed
    {
        if ($depth > 0) {
            $kind = $this->int(0, 11);
            if ($kind < 3) {
                return $this->list($depth - 1);
            }
            if ($kind < 7) {
                return $this->map($depth - 1);
            }
            if ($kind === 7) {
                return $this->object($depth - 1);
            }
        }

        return $this->scalar($this->int(0, 9));
    }

    private function scalar(int $kind): mixed
    {
        return match ($kind) {
            0 => null,
            1 => $this->int(0, 1) === 0,
            2, 3, 4 => $this->number(),
            5, 6 => $this->float(),
            7, 8 => $this->string(),
            default => $this->leaf(),
        };
    }

    private function number(): int
    {
        if ($this->int(0, 2) === 0) {
            return $this->int(\PHP_INT_MIN, \PHP_INT_MAX) >> $this->int(0, 63);
        }

        return $this->near(self::BORDERS[$this->int(0, \count(self::BORDERS) - 1)], -2, 2);
    }

    private function near(int $border, int $least, int $most): int
    {
        $number = \gmp_add($border, $this->int($least, $most));

        return \gmp_cmp($number, \PHP_INT_MIN) < 0 || \gmp_cmp($number, \PHP_INT_MAX) > 0 ? $border : \gmp_intval($number);
    }

    private function float(): float
    {
        return $this->int(0, 1) === 0
            ? self::FLOATS[$this->int(0, \count(self::FLOATS) - 1)]
            : $this->int(-1_000_000, 1_000_000) / 64;
    }

    private function string(): string
    {
        $length = match ($this->int(0, 9)) {
            0, 1 => $this->int(30, 34),
            2 => $this->int(254, 258),
            3 => $this->int(1, 60) === 1 ? $this->int(65534, 65538) : 3,
            default => $this->int(0, 12),
        };
        $text = \str_repeat($this->int(0, 1) === 0 ? 'x' : 'é', $length);

        return $this->int(0, 4) === 0 ? \substr($text, 0, -1) . "\xff" : \substr($text, 0, $length);
    }

    /**
     * An object without values inside.
     */
    private function leaf(): mixed
    {
        return match ($this->int(0, 9)) {
            0 => new Bin($this->string()),
            1 => new Ext($this->int(-129, 128), $this->string()),
            2 => new Ext(0x72, \str_repeat('r', $this->int(0, 3))),
            3 => new Timestamp($this->number(), $this->int(0, 1) * $this->int(0, 999_999_999)),
            4 => UInt64::fromBits($this->number()),
            5 => \gmp_init(\sprintf('%u', $this->number())),
            6 => \gmp_sub($this->number(), $this->int(0, 1)),
            7 => Suit::Hearts,
            8 => Weekday::Monday,
            default => $this->int(1, 10) === 1 ? new \DateInterval('P1D') : null,
        };
    }

    private function object(int $depth): object
    {
        return match ($this->int(0, 6)) {
            0 => (object) $this->map($depth),
            6 => new \ArrayIterator($this->map($depth)),
            1 => new \ArrayObject($this->map($depth)),
            2 => new Map($this->map($depth)),
            3 => new Entries([[$this->key(), $this->value($depth)], [$this->value($depth), 64]]),
            4 => new Entries([]),
            default => new Wrapped($this->value($depth)),
        };
    }

    private function key(): int|string
    {
        return $this->int(0, 3) === 0 ? $this->number() : self::NAMES[$this->int(0, \count(self::NAMES) - 1)];
    }

    /**
     * Mostly of numbers, or strings, with other values here and there. PHP keeps some lists as hash tables, and some
     * elements as references.
     *
     * @return array<array-key, mixed>
     */
    private function list(int $depth): array
    {
        $count = match ($this->int(0, 11)) {
            0 => $this->int(60, 70),
            1 => $this->int(0, 20) === 0 ? $this->int(2046, 2120) : $this->int(6, 10),
            2 => $this->int(15, 18),
            default => $this->int(0, 18),
        };
        $kind = $this->int(0, 5);
        $list = [];
        $border = self::BORDERS[$this->int(0, \count(self::BORDERS) - 1)];
        for ($i = 0; $i < $count; ++$i) {
            $list[] = match ($kind) {
                0 => $this->float(),
                1 => $this->int(-1000, 1000) / 8,
                2 => $this->string(),
                3 => $this->near($border, -40, 200),
                4 => $border,
                default => $count > 20 ? $this->number() : $this->value($depth),
            };
        }
        if ($count > 0 && $this->int(0, 2) === 0) {
            $list[$this->int(0, $count - 1)] = $this->scalar($this->int(0, 9));
        }
        if ($count > 0 && $this->int(0, 3) === 0) {
            $element = &$list[$this->int(0, $count - 1)];
            $element = $this->scalar($this->int(0, 8));
            unset($element);
        }
        if ($this->int(0, 5) === 0) { // a hash table
            $list['x'] = 1;
            unset($list['x']);
        }

        return $list;
    }

    /**
     * Often with the same names as another one.
     *
     * @return array<array-key, mixed>
     */
    private function map(int $depth): array
    {
        $map = [];
        $count = $this->int(0, 40) === 0 ? $this->int(14, 70) : $this->int(0, 4);
        for ($i = 0; $i < $count; ++$i) {
            $key = $count > 10 ? "n{$this->int(0, 99)}" : ($this->int(0, 5) === 0 ? $this->key() : self::NAMES[$i]);
            $map[$key] = $this->value($depth);
        }

        return $map;
    }
}
