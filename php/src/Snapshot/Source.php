<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

use Polypack\Exception\ErrorCode;

/**
 * Reads the smallest parts of a snapshot: bytes, counts, ints and strings. It checks that each fits the bytes that
 * remain. It also counts the values that take less than a byte each.
 *
 * @internal
 */
abstract class Source
{
    protected int $at = 0;

    protected readonly int $end;

    /** How many more values may take less than a byte each. */
    protected int $elements;

    /** @var list<string> */
    protected array $strings = [];

    public function __construct(
        protected readonly string $bytes,
        protected readonly int $maxDepth,
        protected readonly int $maxElements,
    ) {
        $this->end = \strlen($bytes);
        $this->elements = $maxElements;
    }

    protected function byte(int $at): int
    {
        if ($this->at >= $this->end) {
            throw Failure::end($at, 'a value has no complete head');
        }

        return \ord($this->bytes[$this->at++]);
    }

    protected function take(int $length, int $at): string
    {
        $start = $this->at;
        if ($length > $this->end - $start) {
            throw $this->tooLong($length, $at);
        }
        $this->at = $start + $length;

        return \substr($this->bytes, $start, $length);
    }

    protected function tooLong(int $length, int $at): Failure
    {
        $remaining = $this->end - $this->at;

        return Failure::end($at, "a value takes {$length} bytes but {$remaining} remain");
    }

    protected function uint(int $at): int
    {
        $value = $shift = 0;
        do {
            $byte = $this->byte($at);
            $value |= ($byte & 0x7f) << $shift;
            $shift += 7;
        } while ($byte > 0x7f && $shift < 35);
        if ($byte > 0x7f || $value > Format::MOST) {
            throw new Failure(ErrorCode::OutOfRange, 'a count is greater than 4294967295', 'the input is damaged', $at);
        }

        return $value;
    }

    protected function sint(int $at): int
    {
        $value = $shift = 0;
        do {
            $byte = $this->byte($at);
            $value |= ($byte & 0x7f) << $shift;
            $shift += 7;
        } while ($byte > 0x7f && $shift < 70);
        if ($byte > 0x7f || ($shift === 70 && $byte > 1)) {
            throw new Failure(ErrorCode::OutOfRange, 'an int of a column has more than 64 bits', 'the input is damaged', $at);
        }

        return (($value >> 1) & \PHP_INT_MAX) ^ -($value & 1);
    }

    protected static function number(string $format, string $bytes): int
    {
        $numbers = \unpack($format, $bytes);

        return \is_array($numbers) && \is_int($numbers[1]) ? $numbers[1] : 0;
    }

    protected static function double(string $bytes): float
    {
        $numbers = \unpack('e', $bytes);

        return \is_array($numbers) && \is_float($numbers[1]) ? $numbers[1] : 0.0;
    }

    protected function numbered(int $length, int $at): string
    {
        $start = $this->at;
        if ($length > $this->end - $start) {
            throw $this->tooLong($length, $at);
        }
        $this->at = $start + $length;
        $string = \substr($this->bytes, $start, $length);
        if ($length >= Format::SHORTEST) {
            $this->strings[] = $string;
        }

        return $string;
    }

    protected function earlier(int $number, int $at): string
    {
        return $this->strings[$number] ?? throw Failure::invalid("string {$number} has not been there", $at);
    }

    /**
     * Reads a value that must be a string, such as the name of a class or a key of a shape.
     */
    protected function text(): string
    {
        $at = $this->at;
        $head = $this->byte($at);
        if ($head >= Format::STRING && $head < Format::SHAPE) {
            return $this->numbered($head & 0x1f, $at);
        }
        if ($head >= Format::EARLIER && $head < Format::NIL) {
            return $this->earlier($head - Format::EARLIER, $at);
        }

        return match ($head) {
            Format::STRING8 => $this->numbered($this->byte($at), $at),
            Format::LONG_STRING => $this->long($at),
            Format::EARLIER8 => $this->earlier(48 + $this->byte($at), $at),
            Format::ANY_EARLIER => $this->earlier(304 + $this->uint($at), $at),
            default => throw Failure::invalid('a string should stand here', $at),
        };
    }

    /**
     * Reads a string whose length is a count. A string of 2 to 255 bytes gets a number.
     */
    protected function long(int $at): string
    {
        $length = $this->uint($at);

        return $length <= Format::LONGEST ? $this->numbered($length, $at) : $this->take($length, $at);
    }

    /**
     * Counts values that take less than a byte each, and throws if there are more than `max_elements`.
     */
    protected function charge(int $values, int $at): void
    {
        if ($values > $this->elements) {
            throw Failure::elements($this->maxElements, $at);
        }
        $this->elements -= $values;
    }

    /**
     * Checks the depth of a container. Also checks that its values, and those that the containers around it still owe,
     * fit the bytes that remain.
     */
    protected function open(int $count, int $owed, int $depth, int $at): void
    {
        if ($depth >= $this->maxDepth) {
            throw Failure::depth($this->maxDepth, $at);
        }
        $remaining = $this->end - $this->at;
        if ($count + $owed > $remaining) {
            $promised = $count + $owed;

            throw Failure::end($at, "a container and those around it promise {$promised} values but {$remaining} bytes remain");
        }
    }

    /**
     * Reads the count of a map, or of a list that is a column or a table. Refuses 0, and checks the depth.
     */
    protected function count(int $depth, int $at): int
    {
        $count = $this->uint($at);
        if ($count === 0) {
            throw Failure::invalid('a column has no cells', $at);
        }
        if ($depth >= $this->maxDepth) {
            throw Failure::depth($this->maxDepth, $at);
        }

        return $count;
    }
}
