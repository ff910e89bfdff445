<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Reads columns (spec/10-snapshot.md#columns).
 *
 * @internal
 */
abstract class ColumnReader extends Source
{
    abstract protected function value(int $owed, int $depth): mixed;

    /**
     * Tells whether an array is flat (spec/10-snapshot.md#same): without floats, arrays, objects and references, and
     * with at most 255 elements. Cases of enums may be in it. Only a flat array may be written once for many cells.
     *
     * @param array<array-key, mixed> $array
     */
    abstract protected function isFlat(array $array): bool;

    /**
     * Tells whether an object stands for a case of an unknown enum.
     */
    abstract protected function isCase(object $value): bool;

    /**
     * Reads one column. If the column is mixed, returns null for the cells, which the caller must then read.
     *
     * @param bool $mayBeMixed whether a mixed column is allowed; if not, it is a fault
     *
     * @return array{?list<mixed>, bool} the cells, and whether each of them takes at least a byte
     */
    protected function column(int $count, int $depth, int $container, bool $mayBeMixed = false): array
    {
        $at = $this->at;
        $kind = $this->byte($container);
        $present = $count;
        $isThere = '';
        if ($kind > 0x7f) {
            if (($kind & 0x7f) < Format::INTS) {
                throw Failure::invalid(\sprintf('a column has the kind 0x%02x', $kind), $at);
            }
            $this->charge($count, $at);
            $isThere = $this->take(($count + 7) >> 3, $at);
            $present = self::present($isThere, $count);
        }
        switch ($kind & 0x7f) {
            case Format::MIXED:
                if (!$mayBeMixed) {
                    throw Failure::invalid('a column of a list is mixed', $at);
                }

                return [null, true];
            case Format::CONSTANT:
                $cells = $this->constant($count, $depth, $at);
                $pays = false;
                break;
            case Format::INTS:
            case Format::DELTAS:
                [$cells, $width] = $this->ints($kind & 0x7f, $present, $at);
                $pays = $width >= 8;
                break;
            case Format::BOOLS:
                $this->charge($present, $at);
                $cells = [];
                foreach (Bits::unpack($this->take(($present + 7) >> 3, $at), $present, 1) as $bit) {
                    $cells[] = $bit === 1;
                }
                $pays = false;
                break;
            case Format::DOUBLES:
                $numbers = \unpack('e*', $this->take(8 * $present, $at));
                $cells = $numbers === false ? [] : \array_values($numbers);
                $pays = true;
                break;
            case Format::DECIMALS:
                [$cells, $pays] = $this->decimals($present, $at);
                break;
            case Format::STRINGS:
                $cells = $this->blob($present, $at);
                $pays = true;
                break;
            case Format::CHOICES:
                $cells = $this->choices($present, $at);
                $pays = true;
                break;
            default:
                throw Failure::invalid(\sprintf('a column has the kind 0x%02x', $kind), $at);
        }

        return $isThere === '' ? [$cells, $pays] : [self::spread($cells, $isThere, $count), false];
    }

    private static function present(string $isThere, int $count): int
    {
        $present = 0;
        for ($i = 0; $i < $count; ++$i) {
            $present += \ord($isThere[$i >> 3]) >> ($i & 7) & 1;
        }

        return $present;
    }

    /**
     * @param list<mixed> $present
     *
     * @return list<mixed>
     */
    private static function spread(array $present, string $isThere, int $count): array
    {
        $cells = [];
        $next = 0;
        for ($i = 0; $i < $count; ++$i) {
            $cells[] = (\ord($isThere[$i >> 3]) >> ($i & 7) & 1) === 1 ? $present[$next++] : null;
        }

        return $cells;
    }

    /**
     * @return list<mixed>
     */
    private function constant(int $count, int $depth, int $at): array
    {
        $start = $this->at;
        $value = $this->value(0, $depth + 1);
        $each = 1;
        if (\is_array($value)) {
            if (!$this->isFlat($value)) {
                throw Failure::invalid('an array of a constant column may not be shared', $start);
            }
            $each = \count($value) + 1;
        } elseif (\is_object($value) && !$value instanceof \UnitEnum && !$this->isCase($value)) {
            throw Failure::invalid('an object can not be constant', $start);
        }
        $this->charge($count * $each, $at);

        return \array_fill(0, $count, $value);
    }

    /**
     * @return array{list<int>, int} the ints, and how many bits each takes
     */
    private function ints(int $kind, int $count, int $at): array
    {
        $first = $kind === Format::DELTAS ? $this->sint($at) : 0;
        $base = $this->sint($at);
        $width = $this->byte($at);
        if ($width > Format::MOST_BITS && $width !== 64) {
            throw Failure::invalid("ints have {$width} bits", $at);
        }
        if ($width < 8) {
            $this->charge($count, $at);
        }
        $numbers = $kind === Format::DELTAS ? \max(0, $count - 1) : $count;
        $cells = Bits::unpack($this->take(Bits::bytes($numbers, $width), $at), $numbers, $width);
        if ($kind === Format::DELTAS) {
            return [$count === 0 ? [] : self::summed($first, $base, $cells), $width];
        }
        if ($base !== 0) {
            foreach ($cells as $i => $cell) {
                $cells[$i] = self::sum($cell, $base);
            }
        }

        return [$cells, $width];
    }

    /**
     * @param list<int> $deltas
     *
     * @return list<int>
     */
    private static function summed(int $first, int $base, array $deltas): array
    {
        $cells = [$first];
        foreach ($deltas as $delta) {
            $first = self::sum(self::sum($first, $delta), $base);
            $cells[] = $first;
        }

        return $cells;
    }

    /**
     * Adds two ints of 64 bits, modulo 2⁶⁴.
     */
    private static function sum(int $a, int $b): int
    {
        $sum = $a + $b;
        if (\is_int($sum)) { // @phpstan-ignore function.alreadyNarrowedType
            return $sum;
        }
        // @phpstan-ignore deadCode.unreachable
        $low = ($a & 0xffff_ffff) + ($b & 0xffff_ffff);

        return ((($a >> 32) + ($b >> 32) + ($low >> 32)) << 32) | ($low & 0xffff_ffff);
    }

    /**
     * @return array{list<float>, bool}
     */
    private function decimals(int $count, int $at): array
    {
        $digits = $this->byte($at);
        $kind = $this->byte($at);
        if ($digits > Format::MOST_DIGITS || ($kind !== Format::INTS && $kind !== Format::DELTAS)) {
            throw Failure::invalid('decimals have no valid head', $at);
        }
        [$wholes, $width] = $this->ints($kind, $count, $at);
        $divisor = 10.0 ** $digits;
        $cells = [];
        foreach ($wholes as $whole) {
            $cells[] = $whole / $divisor;
        }

        return [$cells, $width >= 8];
    }

    /**
     * @return list<string>
     */
    private function blob(int $count, int $at): array
    {
        $width = $this->byte($at);
        if ($width !== 1 && $width !== 2 && $width !== 4) {
            throw Failure::invalid("lengths have {$width} bytes", $at);
        }
        $lengths = Bits::unpack($this->take($count * $width, $at), $count, 8 * $width);
        $start = $this->at;
        $this->take(\array_sum($lengths), $at);
        $cells = [];
        foreach ($lengths as $length) {
            $cells[] = \substr($this->bytes, $start, $length);
            $start += $length;
        }

        return $cells;
    }

    /**
     * @return list<string>
     */
    private function choices(int $count, int $at): array
    {
        $most = $this->byte($at);
        $choices = [];
        for ($i = 0; $i <= $most; ++$i) {
            $choices[] = $this->text();
        }
        $cells = [];
        foreach (Bits::unpack($this->take($count, $at), $count, 8) as $number) {
            $cells[] = $choices[$number] ?? throw Failure::invalid('a cell chooses a string that is not there', $at);
        }

        return $cells;
    }
}
