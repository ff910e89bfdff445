<?php

declare(strict_types=1);

namespace Polypack\Decoder;

/**
 * Adds up what the keys of one wide map cost (spec/06-limits.md#collisions).
 *
 * In lossless mode a map becomes an array first, where digits are ints, and then an object, where they aren't. So its
 * cost is the greater of the two. A map that can't become an object becomes Entries, whose keys are sorted.
 *
 * @internal
 */
final class CountedKeys
{
    private readonly Buckets $asArray;

    /** Null while it's the same as $asArray. */
    private ?Buckets $asObject = null;

    private bool $canBeObject = true;

    public function __construct(private readonly bool $lossless)
    {
        $this->asArray = new Buckets();
    }

    public function addStr(string $key): void
    {
        // PHP's arrays turn a canonical decimal number into an int.
        $first = $key === '' ? '' : $key[0];
        $isInt = ($first === '-' || ($first >= '0' && $first <= '9')) && (string) (int) $key === $key;
        if ($this->lossless) {
            $this->canBeObject = $this->canBeObject && $first !== "\x00";
            if ($isInt) {
                $this->asObject ??= clone $this->asArray;
            }
            $this->asObject?->add($key);
        }
        $this->asArray->add($isInt ? (int) $key : $key);
    }

    /**
     * Adds a bin or an int, which is a string of digits above 2⁶³−1.
     */
    public function addOther(string|int $key): void
    {
        if ($this->lossless) {
            $this->canBeObject = false;
        } elseif (\is_int($key)) {
            $this->asArray->add($key);
        } else {
            $this->addStr($key);
        }
    }

    /**
     * Adds a key that no array can have.
     */
    public function addImpossible(): void
    {
        $this->canBeObject = false;
    }

    /**
     * Returns the comparisons; -1 when there is no hash table in lossless mode.
     */
    public function comparisons(): int
    {
        if ($this->lossless && !$this->canBeObject) {
            return -1;
        }

        return \max($this->asArray->comparisons, $this->asObject->comparisons ?? 0);
    }
}
