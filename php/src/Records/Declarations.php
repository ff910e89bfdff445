<?php

declare(strict_types=1);

namespace Polypack\Records;

/**
 * Holds the records that a message has declared so far, for decoding (spec/05-records.md#declaration). With a
 * dictionary, it starts with the records of the dictionary (spec/05-records.md#shared).
 *
 * T is what is kept for each record. When decoding, it is the list of names. When scanning a stream, it is the count
 * and the position of the names.
 *
 * @internal
 *
 * @template T
 */
final class Declarations
{
    /** A record has long names if they take more bytes than this in total. Comparing fewer bytes costs little. */
    public const LONG_NAMES = 1024;

    /** @var array<int, T> by id, for ids of one byte */
    private array $single = [];
    /** @var array<int, array<int, T>> by first and second byte, for ids of two bytes */
    private array $pairs = [];
    /** @var array<int, bool> by first byte: whether the latest declaration with this byte has an id of two bytes */
    private array $isPair = [];
    /** Whether any record has long names. The decoder then copies tables of the names, to compare them only once. */
    public bool $hasLongNames = false;
    /** How many names of records PlainCopying has written in maps. */
    public int $copiedNames = 0;
    /** @var array<string, array<array-key, int>|\stdClass> tables that table() has made, by the bytes of the id */
    private array $tables = [];

    /**
     * Forgets everything, because declarations live only until the end of their message.
     */
    public function clear(): void
    {
        if ($this->isPair !== []) {
            $this->single = [];
            $this->pairs = [];
            $this->isPair = [];
            $this->hasLongNames = false;
            $this->copiedNames = 0;
            $this->tables = [];
        }
    }

    /**
     * Starts with the declarations of $base, as if the message had just made them. PHP copies the arrays only when a
     * declaration is added.
     *
     * @param self<T> $base
     */
    public function startWith(self $base): void
    {
        $this->single = $base->single;
        $this->pairs = $base->pairs;
        $this->isPair = $base->isPair;
        $this->hasLongNames = $base->hasLongNames;
    }

    /**
     * Adds the declarations of a dictionary that was loaded in the middle of a message. The message's own declarations
     * take precedence.
     *
     * @param self<T> $base
     */
    public function addFrom(self $base): void
    {
        $this->single += $base->single;
        $this->isPair += $base->isPair;
        $this->hasLongNames = $this->hasLongNames || $base->hasLongNames;
        foreach ($base->pairs as $low => $pairs) {
            $this->pairs[$low] = ($this->pairs[$low] ?? []) + $pairs;
        }
    }

    /**
     * Declares that a byte is the first byte of ids of two bytes, even if no record has such an id.
     */
    public function usePairs(int $low): void
    {
        $this->isPair[$low] = true;
    }

    /**
     * Tells whether the id at the offset is declared. If the second byte of a pair is missing, the first byte decides.
     *
     * @param int $byte the byte at the offset
     */
    public function knows(int $byte, string $buffer, int $offset): bool
    {
        return isset($this->isPair[$byte])
            && (!$this->isPair[$byte] || !isset($buffer[$offset + 1]) || isset($this->pairs[$byte][\ord($buffer[$offset + 1])]));
    }

    public function isEmpty(): bool
    {
        return $this->isPair === [];
    }

    /**
     * @param T $record
     */
    public function declare(int $id, mixed $record): void
    {
        $this->isPair[$id] = false;
        $this->single[$id] = $record;
        if ($this->hasLongNames) {
            unset($this->tables[\chr($id)]);
        }
    }

    /**
     * @param T $record
     */
    public function declarePair(int $low, int $high, mixed $record): void
    {
        $this->isPair[$low] = true;
        $this->pairs[$low][$high] = $record;
        if ($this->hasLongNames) {
            unset($this->tables[\chr($low) . \chr($high)]);
        }
    }

    /**
     * Tells whether the byte is declared as an id, or as the first byte of pairs.
     */
    public function startsInstance(int $byte): bool
    {
        return isset($this->isPair[$byte]);
    }

    /**
     * Tells whether ids that start with the byte have a second byte. The byte must be one for which startsInstance()
     * returns true.
     */
    public function isPair(int $byte): bool
    {
        return $this->isPair[$byte];
    }

    /**
     * @return T
     */
    public function get(int $id): mixed
    {
        return $this->single[$id];
    }

    /**
     * Returns the record whose id is the byte alone. Such ids are the most common, and one call is faster than calls of
     * startsInstance(), isPair() and get().
     *
     * @return ?T null when the byte alone is not the id of a record
     */
    public function single(int $byte): mixed
    {
        return ($this->isPair[$byte] ?? true) ? null : $this->single[$byte];
    }

    /**
     * @return ?T null when the pair was never declared
     */
    public function getPair(int $low, int $high): mixed
    {
        return $this->pairs[$low][$high] ?? null;
    }

    /**
     * Returns an array whose keys, or an object whose properties, are the names of a record. The caller may change the
     * result, which is a copy of a table. The table is made only once per declaration, because making it compares names
     * that share a hash.
     *
     * @param string       $id       the bytes of the id
     * @param list<string> $names    for an object, no name may start with a NUL byte
     * @param bool         $isObject must be the same in each call
     *
     * @return array<array-key, int>|\stdClass with the position of each name
     */
    public function table(string $id, array $names, bool $isObject): array|\stdClass
    {
        $table = $this->tables[$id] ??= $isObject ? (object) \array_flip($names) : \array_flip($names);

        return \is_object($table) ? clone $table : $table;
    }
}
