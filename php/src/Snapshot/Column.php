<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Chooses how a column of cells is written (spec/10-snapshot.md#columns). The choice depends only on the cells, on the
 * option `floats`, and on how much of `max_elements` is left.
 *
 * @internal
 */
final class Column
{
    private const TENS = [1.0, 10.0, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

    /**
     * @param list<mixed> $cells  the cells to write: without null if the column is nullable, only one if constant
     * @param list<mixed> $all    the cells with null, if the column is nullable
     * @param int         $charge how many values count towards `max_elements` (spec/10-snapshot.md#limits)
     */
    private function __construct(
        public readonly int $kind,
        public readonly array $cells,
        public readonly int $charge = 0,
        public readonly bool $isNullable = false,
        public readonly array $all = [],
        public readonly ?IntColumn $ints = null,
        public readonly int $digits = 0,
    ) {}

    /**
     * @param list<mixed> $cells at least one
     * @param int         $most  the greatest charge allowed
     * @param string      $floats the option `floats`
     */
    public static function of(array $cells, int $most, string $floats): self
    {
        $column = self::best($cells, $floats);
        if ($column->charge <= $most) {
            return $column;
        }
        if ($column->ints !== null && !$column->isNullable) {
            return new self($column->kind === Format::DECIMALS ? Format::DECIMALS : Format::INTS, $cells, 0, ints: $column->ints->widened(), digits: $column->digits);
        }

        return new self(Format::MIXED, $cells);
    }

    /**
     * @param list<mixed> $cells
     */
    public static function mixed(array $cells): self
    {
        return new self(Format::MIXED, $cells);
    }

    /**
     * Makes a column of the keys of a map: a column of ints, of strings, or a mixed one.
     *
     * @param list<int|string> $keys
     */
    public static function ofKeys(array $keys, int $most): self
    {
        $column = (\is_int($keys[0]) ? self::ints($keys) : self::strings($keys)) ?? self::mixed($keys);

        return $column->charge <= $most ? $column : self::mixed($keys);
    }

    /**
     * Tells whether each cell takes at least a byte.
     */
    public function pays(): bool
    {
        return $this->charge === 0;
    }

    /**
     * @param list<mixed> $cells
     */
    private static function best(array $cells, string $floats): self
    {
        $constant = self::constant($cells);
        if ($constant !== null) {
            return $constant;
        }
        $present = $cells;
        if (\in_array(null, $cells, true)) {
            $present = [];
            foreach ($cells as $cell) {
                if ($cell !== null) {
                    $present[] = $cell;
                }
            }
        }
        $first = $present[0] ?? null;
        $isNullable = \count($present) !== \count($cells);
        $column = match (true) {
            \is_int($first) => self::ints($present),
            \is_string($first) => self::strings($present),
            \is_float($first) => self::floats($present, $floats),
            \is_bool($first) => self::bools($present),
            default => null,
        };
        if ($column === null) {
            return new self(Format::MIXED, $cells);
        }
        if (!$isNullable) {
            return $column;
        }

        return new self($column->kind, $column->cells, $column->charge + \count($cells), true, $cells, $column->ints, $column->digits);
    }

    /**
     * @param list<mixed> $cells
     */
    private static function constant(array $cells): ?self
    {
        $first = $cells[0];
        // A column of floats is never constant, because 0.0 === -0.0 although their bytes differ. Arrays that contain
        // arrays are never compared, because comparing arrays that contain themselves is a fatal error.
        if (\is_float($first) || (\is_array($first) ? !self::isFlat($first) : \is_object($first) && !Incomplete::isCase($first))) {
            return null;
        }
        foreach ($cells as $cell) {
            if ($cell !== $first) {
                return null;
            }
        }

        return new self(Format::CONSTANT, [$first], \count($cells) * (\is_array($first) ? \count($first) + 1 : 1));
    }

    /**
     * Tells whether an array is flat (spec/10-snapshot.md#same): it has at most 255 elements, and each is null, bool,
     * int, string or the case of an enum. The caller must also check that no element is a reference.
     *
     * @param array<array-key, mixed> $array
     */
    public static function isFlat(array $array): bool
    {
        if (\count($array) > Format::MOST_SHARED) {
            return false;
        }
        foreach ($array as $value) {
            if (\is_float($value) || \is_array($value) || (\is_object($value) && !Incomplete::isCase($value)) || (!\is_scalar($value) && !\is_object($value) && $value !== null)) {
                return false;
            }
        }

        return true;
    }

    /**
     * @param list<mixed> $cells
     */
    private static function ints(array $cells): ?self
    {
        foreach ($cells as $cell) {
            if (!\is_int($cell)) {
                return null;
            }
        }
        /** @var non-empty-list<int> $cells */
        $ints = IntColumn::of($cells);

        return new self($ints->isDeltas ? Format::DELTAS : Format::INTS, $cells, $ints->width < 8 ? \count($cells) : 0, ints: $ints);
    }

    /**
     * @param list<mixed> $cells
     */
    private static function bools(array $cells): ?self
    {
        foreach ($cells as $cell) {
            if (!\is_bool($cell)) {
                return null;
            }
        }

        return new self(Format::BOOLS, $cells, \count($cells));
    }

    /**
     * @param list<mixed> $cells
     */
    private static function floats(array $cells, string $floats): ?self
    {
        foreach ($cells as $cell) {
            if (!\is_float($cell)) {
                return null;
            }
        }
        /** @var non-empty-list<float> $cells */
        $count = \count($cells);
        if ($floats !== 'raw') {
            [$digits, $wholes] = self::wholes($cells);
            if ($wholes !== null) {
                $ints = IntColumn::of($wholes);
                if ($floats === 'decimal' ? $ints->bytes() < 8 * $count : 2 * $ints->bytes() <= 8 * $count) {
                    return new self(Format::DECIMALS, $cells, $ints->width < 8 ? $count : 0, ints: $ints, digits: $digits);
                }
            }
        }

        return new self(Format::DOUBLES, $cells);
    }

    /**
     * Finds the least d with which every cell is exactly an int divided by 10^d. Returns d and these ints. Returns
     * [0, null] if d would exceed 9, an int would reach 2⁵⁰ in absolute value, or a cell is NaN or −0.0.
     *
     * @param non-empty-list<float> $cells
     *
     * @return array{int, ?non-empty-list<int>}
     */
    private static function wholes(array $cells): array
    {
        $limit = 2.0 ** Format::DECIMAL_BITS;
        $digits = 0;
        foreach ($cells as $cell) {
            while (true) {
                $scaled = $cell * self::TENS[$digits];
                if (!(\abs($scaled) < $limit)) {
                    return [0, null];
                }
                $whole = \round($scaled);
                if ($whole / self::TENS[$digits] === $cell) {
                    break;
                }
                if (++$digits > Format::MOST_DIGITS) {
                    return [0, null];
                }
            }
        }
        $wholes = [];
        foreach ($cells as $cell) {
            $scaled = $cell * self::TENS[$digits];
            if (!(\abs($scaled) < $limit) || ($cell === 0.0 && \fdiv(1.0, $cell) < 0.0)) {
                return [0, null];
            }
            $wholes[] = (int) \round($scaled);
        }

        return [$digits, $wholes];
    }

    /**
     * @param list<mixed> $cells
     */
    private static function strings(array $cells): ?self
    {
        $count = \count($cells);
        if ($count < Format::LEAST_STRINGS) {
            return null;
        }
        $longest = $total = 0;
        foreach ($cells as $cell) {
            if (!\is_string($cell)) {
                return null;
            }
            $length = \strlen($cell);
            $total += $length;
            $longest = $length > $longest ? $length : $longest;
        }
        if ($longest > Format::MOST) {
            return null;
        }
        $bytes = $count * ($longest > 0xff ? $longest > 0xffff ? 4 : 2 : 1) + $total;
        /** @var list<string> $cells */
        if (self::repeats($cells)) {
            /** @var array<array-key, true> $choices */
            $choices = [];
            foreach ($cells as $cell) {
                $choices[$cell] = true;
                if (\count($choices) > Format::MOST_CHOICES) {
                    return new self(Format::STRINGS, $cells);
                }
            }
            $chosen = $count;
            foreach ($choices as $choice => $_) {
                $chosen += 2 + \strlen((string) $choice);
            }
            if ($chosen < $bytes) {
                return new self(Format::CHOICES, $cells);
            }
        }

        return new self(Format::STRINGS, $cells);
    }

    /**
     * Tells whether a sample of the cells contains a string twice. Only then is a column of choices tried.
     *
     * @param list<string> $cells
     */
    private static function repeats(array $cells): bool
    {
        $count = \count($cells);
        $sampled = \min($count, Format::SAMPLE);
        $sample = [];
        for ($i = 0; $i < $sampled; ++$i) {
            $sample[$cells[\intdiv($i * $count, $sampled)]] = true;
        }

        return \count($sample) < $sampled;
    }
}
