<?php

declare(strict_types=1);

namespace Polypack\Decoder;

/**
 * Counts the comparisons that the keys of one wide map cost (spec/06-limits.md#collisions).
 *
 * In lossless mode a map first becomes an array, which turns keys of digits into ints. Then it becomes an object, which
 * turns these ints back into strings. The map costs the greater of the two numbers of comparisons. A map that can't
 * become an object becomes Entries, and costs nothing.
 *
 * @internal
 */
final class CountedKeys
{
    private readonly Buckets $asArray;

    /** Null as long as it would equal $asArray. */
    private ?Buckets $asObject = null;

    private bool $canBeObject = true;

    /** The offsets of the keys in the buffer, in 4 bytes each. */
    private string $offsets = '';

    public function __construct(private readonly bool $lossless)
    {
        $this->asArray = new Buckets();
    }

    /**
     * @param int $offset offset of the key in the buffer, for withoutRepeats()
     */
    public function addStr(string $key, int $offset = 0): void
    {
        $this->offsets .= \pack('N', $offset);
        $this->putStr($key, false);
    }

    /**
     * Adds a key that is an int or a bin. An int above 2⁶³−1 is given as a string of digits.
     */
    public function addOther(string|int $key, int $offset): void
    {
        $this->offsets .= \pack('N', $offset);
        if ($this->lossless) {
            $this->canBeObject = false;
        } else {
            $this->asArray->add(self::inArray($key));
        }
    }

    private function putStr(string $key, bool $isRepeat): void
    {
        $inArray = self::inArray($key);
        if ($this->lossless) {
            $this->canBeObject = $this->canBeObject && ($key[0] ?? '') !== "\x00";
            if (\is_int($inArray)) {
                $this->asObject ??= clone $this->asArray;
            }
            $this->asObject?->add($key, $isRepeat);
        }
        $this->asArray->add($inArray, $isRepeat);
    }

    /**
     * Returns the array key that PHP makes of a string or an int. A string that looks like an int becomes an int.
     */
    private static function inArray(string|int $key): string|int
    {
        $first = \is_int($key) || $key === '' ? '' : $key[0];

        return ($first === '-' || ($first >= '0' && $first <= '9')) && (string) (int) $key === $key ? (int) $key : $key;
    }

    /**
     * Notes a key of a kind that neither an array nor an object can have.
     */
    public function addImpossible(): void
    {
        $this->canBeObject = false;
    }

    /**
     * Returns the number of comparisons, or -1 for a map that becomes Entries, because Entries need no hash table.
     */
    public function comparisons(): int
    {
        if ($this->lossless && !$this->canBeObject) {
            return -1;
        }

        return \max($this->asArray->comparisons, $this->asObject->comparisons ?? 0);
    }

    /**
     * Counts the keys again, but treats repeated keys as a hash table does: it compares a repeated key but doesn't add
     * it. Repeated keys are found by sorting, which colliding keys can't slow down.
     *
     * @param \Closure(int): (int|string) $keyAt reads the key at an offset of the buffer
     */
    public function withoutRepeats(\Closure $keyAt): self
    {
        $keys = [];
        foreach (\unpack('N*', $this->offsets) as $offset) {
            $keys[] = (string) $keyAt($offset);
        }
        $sorted = $keys;
        \asort($sorted, \SORT_STRING); // asort() is stable, so the first of equal keys comes first
        $repeats = [];
        $before = null;
        foreach ($sorted as $i => $key) {
            if ($key === $before) {
                $repeats[$i] = true;
            }
            $before = $key;
        }
        if ($repeats === []) {
            return $this;
        }
        unset($sorted);
        $again = new self($this->lossless);
        foreach ($keys as $i => $key) {
            $again->putStr($key, isset($repeats[$i]));
        }

        return $again;
    }
}
