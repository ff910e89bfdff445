<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Chooses how a column of ints is written (spec/10-snapshot.md#ints): each int minus the least one, or each delta minus
 * the least delta. A delta is an int minus the one before it. All these numbers get as many bits as the greatest needs;
 * widened() makes it 8 or more. If the ints span 2⁵⁶ or more, they are written unchanged, in 64 bits each.
 *
 * @internal
 */
final class IntColumn
{
    /** Deltas are chosen only if they save more than this many bytes. */
    private const GAIN = 2;

    /**
     * @param non-empty-list<int> $ints
     * @param int                 $base what a reader adds to each number that it unpacks
     */
    private function __construct(
        public readonly array $ints,
        public readonly bool $isDeltas,
        public readonly int $base,
        public readonly int $width,
    ) {}

    /**
     * @param non-empty-list<int> $ints
     */
    public static function of(array $ints): self
    {
        $count = \count($ints);
        $least = \min($ints);
        $range = \max($ints) - $least;
        if (!\is_int($range) || // @phpstan-ignore function.alreadyNarrowedType
            $range >> Format::MOST_BITS !== 0) {
            return new self($ints, false, 0, 64);
        }
        $width = Bits::width($range);
        if ($count > 2) {
            $leastDelta = $mostDelta = $ints[1] - $ints[0];
            $before = $ints[1];
            for ($i = 2; $i < $count; ++$i) {
                $delta = $ints[$i] - $before;
                $before = $ints[$i];
                if ($delta < $leastDelta) {
                    $leastDelta = $delta;
                } elseif ($delta > $mostDelta) {
                    $mostDelta = $delta;
                }
            }
            $deltaWidth = Bits::width($mostDelta - $leastDelta);
            if ($deltaWidth <= Format::MOST_BITS && Bits::bytes($count - 1, $deltaWidth) + self::GAIN < Bits::bytes($count, $width)) {
                return new self($ints, true, $leastDelta, $deltaWidth);
            }
        }

        return new self($ints, false, $least, $width);
    }

    /**
     * Returns the same ints, not as deltas, with at least 8 bits each.
     */
    public function widened(): self
    {
        $least = \min($this->ints);
        $range = \max($this->ints) - $least;

        return new self($this->ints, false, $least, \max(8, Bits::width($range)));
    }

    /**
     * Returns how many bytes bits() returns.
     */
    public function bytes(): int
    {
        return Bits::bytes(\count($this->ints) - ($this->isDeltas ? 1 : 0), $this->width);
    }

    public function bits(): string
    {
        if (!$this->isDeltas) {
            if ($this->base === 0) {
                return Bits::pack($this->ints, $this->width);
            }
            $numbers = [];
            foreach ($this->ints as $int) {
                $numbers[] = $int - $this->base;
            }

            return Bits::pack($numbers, $this->width);
        }
        if ($this->width === 0) {
            return '';
        }
        $numbers = [];
        $before = $this->ints[0];
        for ($i = 1, $count = \count($this->ints); $i < $count; ++$i) {
            $numbers[] = $this->ints[$i] - $before - $this->base;
            $before = $this->ints[$i];
        }

        return Bits::pack($numbers, $this->width);
    }
}
