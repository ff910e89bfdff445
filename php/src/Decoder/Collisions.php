<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Records\Declarations;

/**
 * Finds the maps of a message whose keys would cost too many comparisons (spec/06-limits.md#collisions).
 *
 * The walk visits the heads of the message, and collects the keys of each wide map, which has more than FREE entries.
 * It takes about as long as decoding. So the decoder uses this class only when the message would exceed the budget if
 * all keys of each wide map shared a bucket; see WideMaps.php.
 *
 * Plan: find(), which adds up the cost of a message; the walk; records.
 *
 * @internal
 */
final class Collisions
{
    /**
     * Maps with up to this many entries aren't counted, because they cost at most 128 comparisons per entry.
     */
    public const FREE = 256;

    /** How many keys of a map are added at a time, at most. */
    private const BATCH = 256;

    /**
     * Length of the head for each head byte from c0 to df. It includes the type of an ext, and all bytes of a number.
     */
    private const HEAD_LENGTHS = "\x01\x01\x01\x01\x02\x03\x05\x03\x04\x06\x05\x09\x02\x03\x05\x09"
        . "\x02\x03\x05\x09\x02\x02\x02\x02\x02\x02\x03\x05\x03\x05\x03\x05";

    /** Number of comparisons counted, without those of maps that exceeded the budget. */
    public int $comparisons = 0;

    /**
     * @var list<array{int, CountedKeys, bool}> wide maps and records in the order of their heads. Each has the offset
     * of its head, its keys, and whether it is a record
     */
    private array $maps = [];

    /** @var Declarations<list<string>> */
    private readonly Declarations $declarations;

    /** @var array<int|string, CountedKeys> the keys of wide records, by id */
    private array $ofRecords = [];

    /**
     * @param bool                        $lossless whether maps become objects or Entries rather than arrays
     * @param bool                        $records  whether records are read
     * @param ?Declarations<list<string>> $shared   the shapes of a dictionary; with one, the bytes 40 to 7f are never
     *                                              ints
     */
    public function __construct(
        private readonly string $buffer,
        private readonly bool $lossless,
        private readonly int $maxDepth,
        private readonly bool $records = false,
        private readonly ?Declarations $shared = null,
    ) {
        $this->declarations = new Declarations();
    }

    /**
     * Adds up the cost of the wide maps in a message, in the order of their heads. Returns the maps that cost more than
     * what is left of the budget; their cost isn't added. In lossless mode it also returns wide maps that can't become
     * objects.
     *
     * @param bool $exactly whether $comparisons must be exact. If not, it stays 0 when a quick estimate shows that the
     *                      budget suffices
     *
     * @return array<int, true> by the offset of the head
     */
    public function find(int $start, int $budget, bool $exactly): array
    {
        $this->comparisons = 0;
        $this->maps = [];
        $this->ofRecords = [];
        $this->declarations->clear();
        if ($this->shared !== null) {
            $this->declarations->startWith($this->shared);
        }
        $this->walk($start);
        $atMost = 0;
        foreach ($exactly ? [] : $this->maps as [, $keys]) {
            $atMost += \max(0, $keys->atMost());
        }
        $exactly = $exactly || $atMost > $budget;
        $found = [];
        $mayRepeat = \strlen($this->buffer) < 0x1_0000_0000; // otherwise the offset of a key might not fit in 4 bytes
        foreach ($this->maps as [$head, $keys, $isRecord]) {
            $comparisons = $exactly ? $keys->comparisons() : \min(0, $keys->atMost());
            if ($comparisons > $budget - $this->comparisons && $mayRepeat && !$isRecord) {
                $comparisons = \min($comparisons, $keys->withoutRepeats());
            }
            if ($comparisons < 0 || $comparisons > $budget - $this->comparisons) {
                $found[$head] = true;
            } else {
                $this->comparisons += $comparisons;
            }
        }

        return $found;
    }

    // The walk

    /**
     * Walks over a message up to its end, or up to the first fault that the heads show.
     */
    private function walk(int $start): void
    {
        $buffer = $this->buffer;
        $end = \strlen($buffer);
        $offset = $start;
        $todo = 1; // values that are still to come
        $ends = []; // for each container around the next value: $todo when that container has ended
        $open = 0;
        $records = $this->records;
        $steps = $this->steps();
        // The innermost wide map around the next value: its keys, the number of keys still to come, and the value of
        // $todo at which the next key comes or the map ends.
        $keys = null;
        $left = 0;
        $keyAt = 0;
        $around = []; // these three variables for each wide map around the innermost one
        $batch = []; // offsets of keys that $keys has to add
        while ($todo > 0 && $offset < $end) {
            $byte = \ord($buffer[$offset]);
            while ($todo === $keyAt) {
                if ($left > 0) {
                    \assert($keys !== null);
                    if (isset($batch[self::BATCH - 1])) {
                        $keys->add($batch);
                        $batch = [];
                    }
                    // Fast path: collects keys while $steps has the lengths of key and value. Leaves the last entry.
                    $before = $left;
                    while ($left > 1 && !isset($batch[self::BATCH - 1])) {
                        $value = $offset + $steps[$buffer[$offset]];
                        if ($value >= $end || ($next = $value + $steps[$buffer[$value]]) >= $end) {
                            break;
                        }
                        $batch[] = $offset;
                        $offset = $next;
                        --$left;
                    }
                    $todo -= 2 * ($before - $left);
                    // The next entry may have any key and value.
                    --$left;
                    $keyAt = $todo - 2;
                    $byte = \ord($buffer[$offset]);
                    if ($records && $this->startsInstance($byte)) {
                        $keys->addImpossible();
                    } else {
                        $batch[] = $offset;
                    }
                    break;
                }
                $keys?->add($batch);
                $batch = [];
                [$keys, $left, $keyAt] = \array_pop($around) ?? [null, 0, 0];
            }

            --$todo;
            $head = $offset;
            if ($byte >= 0xa0 && $byte < 0xc0) { // fixstr
                $offset += 1 + ($byte & 0x1f);
                continue;
            }
            if ($byte < 0x80 || $byte >= 0xe0) { // positive and negative fixint
                if (!$records || !$this->startsInstance($byte)) {
                    ++$offset;
                    continue;
                }
                $children = $this->instance($byte, $head, $offset);
            } elseif ($byte < 0xa0) { // fixmap, fixarray
                ++$offset;
                $children = $byte < 0x90 ? ($byte & 0x0f) << 1 : $byte & 0x0f;
            } else {
                $length = \ord(self::HEAD_LENGTHS[$byte - 0xc0]);
                $offset += $length;
                if ($offset > $end || $byte === 0xc1) {
                    break;
                }
                if ($byte < 0xc4 || ($byte > 0xc9 && $byte < 0xd4)) { // nil, bool, float and int
                    continue;
                }
                if ($byte >= 0xdc) { // array 16 to map 32
                    $count = $this->number($head + 1, $length - 1);
                    $children = $byte < 0xde ? $count : 2 * $count;
                } else {
                    $body = $this->bodyLength($byte, $head);
                    $offset += $body;
                    if (!$records || $body > 2 || !$this->isDeclaration($byte, $head + $length, $body)) {
                        continue;
                    }
                    $children = $this->declaration($head, $offset, $todo);
                }
            }

            // A container begins here; $children is -1 for a faulty record.
            while ($open > 0 && $ends[$open - 1] > $todo) {
                --$open;
            }
            if ($children < 0 || $open >= $this->maxDepth || $children + $todo > $end - $offset) {
                break;
            }
            $ends[$open] = $todo;
            ++$open;
            if ($byte >= 0xde && $byte < 0xe0 && $children > 2 * self::FREE) {
                $keys?->add($batch);
                $batch = [];
                $around[] = [$keys, $left, $keyAt];
                $keys = new CountedKeys($buffer, $this->lossless);
                $left = $children >> 1;
                $keyAt = $todo + $children;
                $this->maps[] = [$head, $keys, false];
            }
            $todo += $children;
        }
        $keys?->add($batch);
    }

    /**
     * Returns the length of a value by its first byte. If further bytes decide the length, the number is greater than
     * any buffer.
     *
     * @return array<array-key, int>
     */
    private function steps(): array
    {
        $steps = [];
        for ($byte = 0; $byte < 0x100; ++$byte) {
            $steps[\chr($byte)] = match (true) {
                $byte < 0x40 || $byte >= 0xe0 || ($byte < 0x80 && !$this->records) => 1, // fixint
                $byte >= 0xa0 && $byte < 0xc0 => 1 + ($byte & 0x1f), // fixstr
                $byte >= 0xc0 && $byte < 0xc4 && $byte !== 0xc1, $byte >= 0xca && $byte < 0xd4
                    => \ord(self::HEAD_LENGTHS[$byte - 0xc0]), // nil, bool, float and int
                default => \PHP_INT_MAX >> 1,
            };
        }

        return $steps;
    }

    /**
     * Reads the length of the body of a str, bin or ext whose head is complete.
     */
    private function bodyLength(int $byte, int $head): int
    {
        return match ($byte) {
            0xc4, 0xc7, 0xd9 => $this->number($head + 1, 1),
            0xc5, 0xc8, 0xda => $this->number($head + 1, 2),
            0xc6, 0xc9, 0xdb => $this->number($head + 1, 4),
            default => 1 << $byte - 0xd4, // fixext
        };
    }

    /**
     * Reads a number that is known to be in the buffer.
     *
     * @param int $length 1, 2, 4 or 8 bytes
     */
    private function number(int $offset, int $length): int
    {
        $number = 0;
        for ($i = 0; $i < $length; ++$i) {
            $number = $number << 8 | \ord($this->buffer[$offset + $i]);
        }

        return $number;
    }

    // Records

    /**
     * Tells whether the byte starts an instance of a record rather than an int.
     */
    private function startsInstance(int $byte): bool
    {
        return $this->records && $byte >= 0x40 && $byte < 0x80
            && ($this->shared !== null || $this->declarations->startsInstance($byte));
    }

    /**
     * Moves past the id of an instance. Returns how many values the instance has, or -1 when the id is unknown or
     * incomplete.
     */
    private function instance(int $byte, int $head, int &$offset): int
    {
        $names = $this->declarations->single($byte);
        $offset = $head + 1;
        if ($names === null) {
            $offset = $head + 2;
            $names = isset($this->buffer[$head + 1])
                ? $this->declarations->getPair($byte, \ord($this->buffer[$head + 1]))
                : null;
        }
        if ($names === null) {
            return -1;
        }
        $this->addRecord(\substr($this->buffer, $head, $offset - $head), $names, $head);

        return \count($names);
    }

    /**
     * Tells whether an ext value declares a record. The byte before the body is the type.
     */
    private function isDeclaration(int $byte, int $body, int $length): bool
    {
        $isExt = $byte === 0xd4 || $byte === 0xd5 || ($byte > 0xc6 && $byte < 0xca);

        return $isExt && $length > 0 && $this->buffer[$body - 1] === "\x72";
    }

    /**
     * Notes the declaration of a record, and moves past the array of its names, which starts at the offset. Returns how
     * many values the record has, or -1 for a fault. If the last name is cut off, moves past the end of the buffer.
     *
     * @param int $owed how many values follow the record
     */
    private function declaration(int $head, int &$offset, int $owed): int
    {
        $buffer = $this->buffer;
        $id = \substr($buffer, $head + 2, $offset - $head - 2);
        $byte = \ord($buffer[$head]);
        $first = \ord($id[0] ?? "\x00");
        if (($byte !== 0xd4 && $byte !== 0xd5) || $first < ($byte === 0xd4 ? 0x40 : 0x60) || $first > 0x7f) {
            return -1;
        }
        $byte = \ord($buffer[$offset] ?? "\xc1");
        if ($byte >= 0x90 && $byte < 0xa0) { // fixarray
            $count = $byte & 0x0f;
            ++$offset;
        } elseif (($byte === 0xdc || $byte === 0xdd) && isset($buffer[$offset + 4])) { // array 16, array 32
            $length = $byte === 0xdc ? 2 : 4;
            $count = $this->number($offset + 1, $length);
            $offset += 1 + $length;
        } else {
            return -1;
        }
        $end = \strlen($buffer);
        if (2 * $count + $owed > $end - $offset) {
            return -1;
        }
        $names = [];
        while (\count($names) < $count) {
            $byte = \ord($buffer[$offset] ?? "\xc1");
            $isFix = $byte >= 0xa0 && $byte < 0xc0;
            $headLength = $isFix ? 1 : \ord(self::HEAD_LENGTHS[$byte & 0x1f]);
            if ((!$isFix && ($byte < 0xd9 || $byte > 0xdb)) || $headLength > $end - $offset) {
                return -1;
            }
            $length = $isFix ? $byte & 0x1f : $this->bodyLength($byte, $offset);
            $offset += $headLength;
            $names[] = \substr($buffer, $offset, $length);
            $offset += $length;
        }
        if (\strlen($id) === 1) {
            $this->declarations->declare($first, $names);
        } else {
            $this->declarations->declarePair($first, \ord($id[1]), $names);
        }
        unset($this->ofRecords[$id]);
        $this->addRecord($id, $names, $head);

        return $count;
    }

    /**
     * Adds a record to the maps whose collisions are counted, with its names as keys. Ignores a record of up to FREE
     * names.
     *
     * @param list<string> $names
     */
    private function addRecord(string $id, array $names, int $head): void
    {
        if (\count($names) <= self::FREE) {
            return;
        }
        if (!isset($this->ofRecords[$id])) {
            $this->ofRecords[$id] = new CountedKeys($this->buffer, $this->lossless);
            foreach ($names as $name) {
                $this->ofRecords[$id]->addKey($name);
            }
        }
        $this->maps[] = [$head, $this->ofRecords[$id], true]; // true: a record, in which no name occurs twice
    }
}
