<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\BufferUnpacker;
use Polypack\Extension;
use Polypack\Type\Bin;

/**
 * One message that the FakeEngine decodes.
 */
final class FakeDecoding
{
    private readonly int $start;
    private bool $ran = false;
    /** @var array<int, int|string|Bin> the latest entry of each depth */
    private array $steps = [];

    /**
     * @param array{int, int}       $budgets    comparisons and bytes of memory
     * @param array<int, Extension> $extensions
     */
    public function __construct(
        private readonly string $buffer,
        public int $offset,
        private readonly bool $isStrict,
        private readonly int $depthLeft,
        public array $budgets,
        private readonly array $extensions,
        private readonly BufferUnpacker $unpacker,
    ) {
        $this->start = $offset;
    }

    public function value(int $depth, int $owed): mixed
    {
        $head = $this->offset;
        $byte = $this->number('C', 1);

        return match (true) {
            $byte < 0x80 => $byte,
            $byte >= 0xe0 => $byte - 0x100,
            $byte < 0x90 => $this->map($byte & 0x0f, $head, $depth, $owed),
            $byte < 0xa0 => $this->array($byte & 0x0f, $head, $depth, $owed),
            $byte < 0xc0 => $this->str($byte & 0x1f),
            default => match ($byte) {
                0xc0 => null,
                0xc1 => $this->fail(),
                0xc2 => false,
                0xc3 => true,
                0xc4, 0xc5, 0xc6 => $this->bytes($this->length($byte - 0xc4)),
                0xca => $this->real('G', 4),
                0xcb => $this->real('E', 8),
                0xcc => $this->number('C', 1),
                0xcd => $this->number('n', 2),
                0xce => $this->number('N', 4),
                0xd0 => $this->signed('C', 1),
                0xd1 => $this->signed('n', 2),
                0xd2 => $this->signed('N', 4),
                0xd3 => $this->number('J', 8),
                0xd9, 0xda, 0xdb => $this->str($this->length($byte - 0xd9)),
                0xdc, 0xdd => $this->array($this->length($byte - 0xdb), $head, $depth, $owed),
                0xde, 0xdf => $this->map($this->length($byte - 0xdd), $head, $depth, $owed),
                default => $this->uncommon($byte, $head, $depth, $owed), // ext, uint 64
            },
        };
    }

    private function array(int $count, int $head, int $depth, int $owed): mixed
    {
        $this->open($count, $depth, $owed);
        if (!$this->pays(0, $count === 0 ? 0 : 200 + 64 * $count)) {
            return $this->askUnpacker($head, $depth, $owed);
        }
        $array = [];
        for ($i = 0; $i < $count; ++$i) {
            $array[] = $this->child($i, $depth, $owed + $count - $i - 1);
        }

        return $array;
    }

    private function map(int $count, int $head, int $depth, int $owed): mixed
    {
        $this->open(2 * $count, $depth, $owed);
        $comparisons = $count > 256 ? $count * ($count - 1) >> 1 : 0;
        if (!$this->pays($comparisons, $count === 0 ? 0 : 320 + 144 * $count)) {
            return $this->askUnpacker($head, $depth, $owed);
        }
        $map = [];
        for ($i = 0; $i < $count; ++$i) {
            $byte = \ord($this->buffer[$this->offset] ?? "\xc1");
            $isBin = $byte >= 0xc4 && $byte <= 0xc6;
            $isInt = $byte < 0x80 || $byte >= 0xe0 || ($byte >= 0xcc && $byte <= 0xd3 && $byte !== 0xcf);
            if (!$isBin && !$isInt && !($byte >= 0xa0 && $byte < 0xc0) && !($byte >= 0xd9 && $byte <= 0xdb)) {
                $this->fail(); // uint 64, which may be valid: no test has it after an extension
            }
            $key = $this->value($depth, 0);
            \assert(\is_int($key) || \is_string($key));
            if ($this->isStrict && \array_key_exists($key, $map)) {
                $this->fail();
            }
            $map[$key] = $this->child($isBin ? new Bin((string) $key) : $key, $depth, $owed + 2 * ($count - $i - 1));
        }

        return $map;
    }

    private function child(int|string|Bin $step, int $depth, int $owed): mixed
    {
        $this->steps[$depth] = $step;

        return $this->value($depth + 1, $owed);
    }

    private function open(int $children, int $depth, int $owed): void
    {
        if ($depth >= $this->depthLeft || $children + $owed > \strlen($this->buffer) - $this->offset) {
            $this->fail();
        }
    }

    /**
     * Takes from the budgets what a container takes, unless that is too much.
     */
    private function pays(int $comparisons, int $memory): bool
    {
        if ($comparisons > \max(0, $this->budgets[0]) || $memory > $this->budgets[1]) {
            return false;
        }
        $this->budgets[0] -= $comparisons;
        $this->budgets[1] -= $memory;

        return true;
    }

    private function uncommon(int $byte, int $head, int $depth, int $owed): mixed
    {
        if ($byte === 0xcf) {
            $number = $this->number('J', 8);

            return $number >= 0 ? $number : $this->askUnpacker($head, $depth, $owed);
        }
        $length = $byte >= 0xd4 ? 1 << $byte - 0xd4 : $this->length($byte - 0xc7);
        $type = $this->signed('C', 1);
        $this->bytes($length);
        $isOurs = $type === -1 || ($type === 0x72 && $length < 3); // what the unpacker has to judge before an extension
        if (isset($this->extensions[$type]) && !$isOurs) {
            $this->ran = true;
        }

        return $this->askUnpacker($head, $depth, $owed);
    }

    private function askUnpacker(int $head, int $depth, int $owed): mixed
    {
        if (!$this->ran) {
            throw new FakeDecline();
        }
        $this->offset = $head;
        $steps = \array_slice($this->steps, 0, $depth);
        [$comparisons, $memory] = $this->budgets;
        $value = $this->unpacker->unpackInside($this->buffer, $this->start, $this->offset, $steps, $owed, $comparisons, $memory);
        $this->budgets = [$comparisons, $memory];

        return $value;
    }

    private function fail(): never
    {
        if (!$this->ran) {
            throw new FakeDecline();
        }
        $this->unpacker->failInside($this->buffer, $this->start);
    }

    private function str(int $length): string
    {
        $str = $this->bytes($length);

        return $this->isStrict && !\mb_check_encoding($str, 'UTF-8') ? $this->fail() : $str;
    }

    private function bytes(int $length): string
    {
        if ($length > \strlen($this->buffer) - $this->offset) {
            $this->fail();
        }
        $this->offset += $length;

        return \substr($this->buffer, $this->offset - $length, $length);
    }

    /**
     * @param int $width 0 for one byte, 1 for two, 2 for four
     */
    private function length(int $width): int
    {
        return $this->number(['C', 'n', 'N'][$width], 1 << $width);
    }

    private function number(string $format, int $length): int
    {
        $number = \unpack("{$format}a", $this->bytes($length))['a'] ?? null;
        \assert(\is_int($number));

        return $number;
    }

    private function signed(string $format, int $length): int
    {
        $bits = 64 - 8 * $length;

        return $this->number($format, $length) << $bits >> $bits;
    }

    private function real(string $format, int $length): float
    {
        $real = \unpack("{$format}a", $this->bytes($length))['a'] ?? null;
        \assert(\is_float($real));

        return $real;
    }
}
