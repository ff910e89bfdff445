<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

use Polypack\Exception\ErrorCode;

/**
 * Writes ints, floats, strings, counts and columns of a snapshot (spec/10-snapshot.md#columns).
 *
 * @internal
 */
abstract class ColumnWriter
{
    protected string $out = Format::HEADER;

    /** @var array<string, int> by string of 2 to 255 bytes: its number (spec/10-snapshot.md#strings) */
    private array $strings = [];

    abstract protected function value(mixed $value): void;

    protected function int(int $value): void
    {
        if ($value >= -32 && $value < 64) {
            $this->out .= \chr($value & 0xff);
        } elseif ($value >= -0x80 && $value < 0x80) {
            $this->out .= "\xc4" . \chr($value & 0xff);
        } elseif ($value >= -0x8000 && $value < 0x8000) {
            $this->out .= "\xc5" . \pack('v', $value);
        } elseif ($value >= -0x8000_0000 && $value < 0x8000_0000) {
            $this->out .= "\xc6" . \pack('V', $value);
        } else {
            $this->out .= "\xc7" . \pack('P', $value);
        }
    }

    public static function double(float $value): string
    {
        return \is_nan($value) ? "\0\0\0\0\0\0\xf8\x7f" : \pack('e', $value);
    }

    protected function string(string $value): void
    {
        $length = \strlen($value);
        if ($length > Format::LONGEST) {
            if ($length > Format::MOST) {
                throw new Failure(ErrorCode::OutOfRange, "a string has {$length} bytes", 'it may have 4294967295');
            }
            $this->out .= "\xca" . self::uint($length) . $value;

            return;
        }
        if ($length >= Format::SHORTEST) {
            $number = $this->strings[$value] ?? null;
            if ($number !== null) {
                $this->out .= match (true) {
                    $number < 48 => \chr(Format::EARLIER + $number),
                    $number < 304 => "\xcb" . \chr($number - 48),
                    default => "\xcc" . self::uint($number - 304),
                };

                return;
            }
            $this->strings[$value] = \count($this->strings);
        }
        $this->out .= $length < 32 ? \chr(Format::STRING + $length) . $value : "\xc9" . \chr($length) . $value;
    }

    protected function column(Column $column): void
    {
        $kind = $column->kind | ($column->isNullable ? Format::NULLABLE : 0);
        $this->out .= \chr($kind);
        if ($column->isNullable) {
            $this->out .= Bits::pack(\array_map(static fn(mixed $cell): int => $cell === null ? 0 : 1, $column->all), 1);
        }
        switch ($column->kind) {
            case Format::CONSTANT:
                $this->value($column->cells[0]);
                break;
            case Format::DECIMALS:
                $this->out .= \chr($column->digits);
                $this->ints($column->ints, true);
                break;
            case Format::INTS:
            case Format::DELTAS:
                $this->ints($column->ints, false);
                break;
            case Format::BOOLS:
                /** @var list<bool> $cells */
                $cells = $column->cells;
                $this->out .= Bits::pack(\array_map(\intval(...), $cells), 1);
                break;
            case Format::DOUBLES:
                $this->doubles($column->cells);
                break;
            case Format::STRINGS:
                $this->blob($column->cells);
                break;
            case Format::CHOICES:
                $this->choices($column->cells);
                break;
            default:
        }
    }

    private function ints(?IntColumn $ints, bool $hasKind): void
    {
        \assert($ints !== null); // columns of ints, deltas and decimals always have an IntColumn
        if ($hasKind) {
            $this->out .= \chr($ints->isDeltas ? Format::DELTAS : Format::INTS);
        }
        if ($ints->isDeltas) {
            $this->out .= self::sint($ints->ints[0]);
        }
        $this->out .= self::sint($ints->base) . \chr($ints->width) . $ints->bits();
    }

    /**
     * @param list<mixed> $cells
     */
    private function doubles(array $cells): void
    {
        foreach ($cells as $cell) {
            if (\is_float($cell)) {
                $this->out .= self::double($cell);
            }
        }
    }

    /**
     * @param list<mixed> $cells
     */
    private function blob(array $cells): void
    {
        /** @var non-empty-list<string> $cells */
        $lengths = \array_map(\strlen(...), $cells);
        $longest = \max($lengths);
        $width = $longest > 0xff ? ($longest > 0xffff ? 4 : 2) : 1;
        $this->out .= \chr($width) . Bits::pack($lengths, 8 * $width) . \implode('', $cells);
    }

    /**
     * @param list<mixed> $cells
     */
    private function choices(array $cells): void
    {
        /** @var list<string> $cells */
        /** @var array<array-key, int> $choices */
        $choices = [];
        $numbers = '';
        foreach ($cells as $cell) {
            $numbers .= \chr($choices[$cell] ??= \count($choices));
        }
        $this->out .= \chr(\count($choices) - 1);
        foreach ($choices as $choice => $_) {
            $this->string((string) $choice);
        }
        $this->out .= $numbers;
    }

    /**
     * Returns the bytes of a count: seven bits in each, the lowest first. The top bit is set in all bytes but the last.
     */
    public static function uint(int $value): string
    {
        $bytes = '';
        while ($value > 0x7f || $value < 0) {
            $bytes .= \chr($value & 0x7f | 0x80);
            $value = ($value >> 7) & 0x01ff_ffff_ffff_ffff;
        }

        return $bytes . \chr($value);
    }

    /**
     * Returns the bytes of an int, written as a count: 0, −1, 1, −2, 2 … become the counts 0, 1, 2, 3, 4 … (zigzag).
     */
    public static function sint(int $value): string
    {
        return self::uint(($value << 1) ^ ($value >> 63));
    }
}
