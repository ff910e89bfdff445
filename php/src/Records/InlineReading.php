<?php

declare(strict_types=1);

namespace Polypack\Records;

use Polypack\Decoder\Collisions;
use Polypack\Decoder\Unwind;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Type\Entries;
use Polypack\Utf8;

/**
 * Reads declarations and instances (spec/05-records.md) for the decoder. Decoder/General.php explains the parameters.
 *
 * @internal
 */
trait InlineReading
{
    /**
     * Prepares for canonicalizing, where records become maps. From now on, a message fails with `limit_exceeded` if the
     * names of its records would take more than maxBytes in these maps (spec/06-limits.md#names-of-records).
     *
     * @internal
     *
     * @param bool $foldsFloats whether a float and an int of equal value are the same key
     */
    public function forCanonical(bool $foldsFloats): static
    {
        $this->namesLimited = true;
        $this->foldsFloats = $foldsFloats;

        return $this;
    }

    /**
     * @return Declarations<list<string>>
     */
    private function declarations(): Declarations
    {
        return $this->declarations ??= new Declarations();
    }

    /**
     * Decodes a declaration and its first instance, from the id on.
     *
     * @param int<1, 2> $length of the id in bytes
     *
     * @return array<array-key, mixed>|\stdClass|Entries
     */
    private function declaration(int $length, int $head, int $offset, int $depth, int $owed): array|\stdClass|Entries
    {
        $names = $this->declare($length, $head, $offset, $depth, $owed);

        if ($this->isColliding($head)) {
            return $this->sortedFields($names, $depth, $owed);
        }

        return $this->declarations()->hasLongNames
            ? $this->longFields($offset, $length, $names, $depth, $owed)
            : $this->fields($names, $depth, $owed);
    }

    /**
     * Reads a declaration from the id on, up to the values of its first instance.
     *
     * @param int<1, 2> $length of the id in bytes
     *
     * @return list<string> the names
     */
    private function declare(int $length, int $head, int $offset, int $depth, int $owed): array
    {
        if (!$this->records) {
            throw $this->fault($head, $depth, UnpackingFailedException::recordsAreOff(...));
        }
        $byte = \ord($this->buffer[$head]);
        if ($byte !== 0xd4 && $byte !== 0xd5) {
            throw $this->invalidRecord('must have the head byte 0xd4 or 0xd5', $head, $depth);
        }
        $id = \ord($this->buffer[$offset]);
        $least = $length === 1 ? 0x40 : 0x60;
        if ($id < $least || $id > 0x7f) {
            throw $this->invalidRecord(\sprintf('has the id 0x%02x, outside 0x%02x to 0x7f', $id, $least), $head, $depth);
        }
        if ($depth >= $this->maxDepth) {
            throw $this->tooDeep($head, $depth);
        }

        $names = $this->names($head, $offset + $length, $depth, $owed);
        if ($this->offset - $offset > Declarations::LONG_NAMES) {
            $this->declarations()->hasLongNames = true;
        }
        if ($length === 1) {
            $this->declarations()->declare($id, $names);
        } else {
            $this->declarations()->declarePair($id, \ord($this->buffer[$offset + 1]), $names);
        }
        if ($this->namesLimited) {
            $this->countNames($names, $head, $depth);
        }

        return $names;
    }

    /**
     * Decodes an instance, or a positive fixint if no record is declared for the byte. In strict mode or with a
     * dictionary, an undeclared byte is refused as `unknown_record`.
     *
     * @return int|array<array-key, mixed>|\stdClass|Entries
     */
    private function instanceOrInt(int $byte, int $head, int $depth, int $owed): int|array|\stdClass|Entries
    {
        $names = $this->declarations()->single($byte)
            ?? ($this->shared === null ? null : $this->loadedSingle($this->shared, $byte, $head, $depth));
        if ($names === null) {
            $names = $this->namesOfPair($byte, $head, $depth);
            if ($names === null) {
                $this->offset = $head + 1;

                return $byte;
            }
            $offset = $head + 2;
        } else {
            $offset = $head + 1;
        }
        $count = \count($names);
        if ($depth >= $this->maxDepth || $count + $owed > \strlen($this->buffer) - $offset || $count > $this->budget) {
            throw $this->refused($count, $owed, $head, $offset, $depth);
        }
        $this->budget -= $count;
        $this->offset = $offset;
        if ($count > 0) {
            $this->weigh($this->mapWeight($count), $head, $depth);
        }
        $collides = $count > Collisions::FREE && $this->collides($count, $head);
        if ($collides && !$this->lossless) {
            throw $this->tooCostly($head, $depth);
        }
        if ($this->namesLimited) {
            $this->countNames($names, $head, $depth);
        }

        if ($collides) {
            return $this->sortedFields($names, $depth, $owed);
        }

        return $this->declarations()->hasLongNames
            ? $this->longFields($head, $offset - $head, $names, $depth, $owed)
            : $this->fields($names, $depth, $owed);
    }

    /**
     * Subtracts from $namesLeft the bytes that the head and the names of a record take when it is written as a map.
     * Fails if $namesLeft becomes negative.
     *
     * @param list<string> $names
     */
    private function countNames(array $names, int $head, int $depth): void
    {
        $count = \count($names);
        $this->namesLeft -= $count < 0x10 ? 1 : ($count < 0x10000 ? 3 : 5);
        foreach ($names as $name) {
            $length = \strlen($name);
            $this->namesLeft -= $length + ($length < 0x20 ? 1 : ($length < 0x100 ? 2 : ($length < 0x10000 ? 3 : 5)));
        }
        if ($this->namesLeft < 0) {
            $maxBytes = $this->maxBytes;
            throw $this->fault($head, $depth, static fn(int $at, string $path): UnpackingFailedException
                => UnpackingFailedException::names($maxBytes, $at, $path));
        }
    }

    /**
     * Returns the names of the record with an id of two bytes.
     *
     * @return ?list<string> null when no id starts with the byte, so it is a positive fixint; strict mode and readers
     *                       with a dictionary refuse the byte instead
     */
    private function namesOfPair(int $byte, int $head, int $depth): ?array
    {
        if (!$this->declarations()->startsInstance($byte)) {
            return $this->strict || $this->shared !== null
                ? throw $this->unknownRecord(\sprintf('0x%02x', $byte), $head, $depth)
                : null;
        }
        if (!isset($this->buffer[$head + 1])) {
            throw $this->noHead($head, $depth);
        }
        $high = \ord($this->buffer[$head + 1]);

        return $this->declarations()->getPair($byte, $high)
            ?? throw $this->unknownRecord(\sprintf('0x%02x 0x%02x', $byte, $high), $head, $depth);
    }

    /**
     * Reads the array of names at $head. It requires two bytes for each name: at least one for the name itself, and one
     * for the value in the first instance.
     *
     * @param int $declaration offset of the declaration's head byte
     *
     * @return list<string>
     */
    private function names(int $declaration, int $head, int $depth, int $owed): array
    {
        if (!isset($this->buffer[$head])) {
            throw $this->noValue($head, $depth);
        }
        $byte = \ord($this->buffer[$head]);
        $offset = $head + 1;
        if ($byte >= 0x90 && $byte < 0xa0) { // fixarray
            $count = $byte & 0x0f;
        } elseif ($byte === 0xdc) { // array 16
            $count = $this->uint16($head, $depth);
            $offset += 2;
        } elseif ($byte === 0xdd) { // array 32
            $count = $this->uint32($head, $depth);
            $offset += 4;
        } elseif ($byte === 0xc1) {
            throw $this->reserved($head, $depth);
        } else {
            throw $this->invalidRecord('is not followed by an array of names', $head, $depth);
        }
        if (2 * $count + $owed > \strlen($this->buffer) - $offset) {
            throw $this->noChildren(2 * $count + $owed, $head, $offset, $depth);
        }
        if ($count > $this->budget) {
            throw $this->tooMany($declaration, $depth);
        }
        $this->budget -= $count;
        if ($count > 0) {
            $this->weigh(self::ARRAY_WEIGHT + self::ELEMENT_WEIGHT * $count + $this->mapWeight($count), $declaration, $depth);
        }

        $this->offset = $offset;
        if ($count > Collisions::FREE && $this->collides($count, $declaration)) {
            return $this->lossless ? $this->sortedNames($count, $depth) : throw $this->tooCostly($declaration, $depth);
        }
        $names = [];
        $seen = [];
        for ($i = 0; $i < $count; ++$i) {
            $nameHead = $this->offset;
            $name = $this->shortName($nameHead) ?? $this->name($nameHead, $depth);
            if (isset($seen[$name])) {
                throw $this->invalidRecord('has the same name twice', $nameHead, $depth);
            }
            $seen[$name] = true;
            $names[] = $name;
        }

        return $names;
    }

    /**
     * Reads names that must not become a hash table, because too many share a bucket. After the last name, or at the
     * first fault, it finds repeated names by sorting.
     *
     * @return list<string>
     */
    private function sortedNames(int $count, int $depth): array
    {
        $names = [];
        $heads = [];
        try {
            while (\count($names) < $count) {
                $heads[] = $this->offset;
                $names[] = $this->name($this->offset, $depth);
            }
        } catch (Unwind $fault) {
            if (self::firstRepeated($names) < 0) {
                throw $fault;
            }
        }
        $repeated = self::firstRepeated($names);
        if ($repeated >= 0) {
            throw $this->invalidRecord('has the same name twice', $heads[$repeated], $depth);
        }

        return $names;
    }

    /**
     * Reads a name that is a valid fixstr, the most common form. Returns null for all other names.
     */
    private function shortName(int $head): ?string
    {
        $length = \ord($this->buffer[$head] ?? "\0") - 0xa0;
        if ($length < 0 || $length > 0x1f) {
            return null;
        }
        $name = \substr($this->buffer, $head + 1, $length);
        if (\strlen($name) < $length || ($this->checkUtf8 && !Utf8::isValid($name))) {
            return null;
        }
        $this->offset = $head + 1 + $length;

        return $name;
    }

    private function name(int $head, int $depth): string
    {
        if (!isset($this->buffer[$head])) {
            throw $this->noValue($head, $depth);
        }
        $byte = \ord($this->buffer[$head]);
        if (($byte < 0xa0 || $byte > 0xbf) && ($byte < 0xd9 || $byte > 0xdb)) {
            throw $byte === 0xc1
                ? $this->reserved($head, $depth)
                : $this->invalidRecord('has a name that is not a str', $head, $depth);
        }
        $name = $this->value($depth, 0);
        \assert(\is_string($name));

        return $name;
    }

    /**
     * Decodes the values of one instance. It decodes valid values of the most common formats itself, and leaves all
     * other values to value().
     *
     * @param list<string> $names
     *
     * @return array<array-key, mixed>|\stdClass|Entries
     */
    private function fields(array $names, int $depth, int $owed): array|\stdClass|Entries
    {
        $buffer = $this->buffer;
        $offset = $this->offset;
        $end = \strlen($buffer);
        $fixintEnd = $this->fixintEnd;
        $checkUtf8 = $this->checkUtf8;
        $values = [];
        $owed += \count($names);
        foreach ($names as $name) {
            --$owed;
            if ($offset < $end) {
                $byte = \ord($buffer[$offset]);
                if ($byte < $fixintEnd) { // positive fixint
                    $values[$name] = $byte;
                    ++$offset;
                    continue;
                }
                if ($byte >= 0xa0 && $byte < 0xc0) { // fixstr
                    $length = $byte & 0x1f;
                    $str = \substr($buffer, $offset + 1, $length);
                    if (\strlen($str) === $length && (!$checkUtf8 || Utf8::isValid($str))) {
                        $values[$name] = $str;
                        $offset += $length + 1;
                        continue;
                    }
                } elseif ($byte === 0xc0) { // nil
                    $values[$name] = null;
                    ++$offset;
                    continue;
                } elseif ($byte === 0xc2 || $byte === 0xc3) { // false, true
                    $values[$name] = $byte === 0xc3;
                    ++$offset;
                    continue;
                } elseif ($byte === 0xce && isset($buffer[$offset + 4])) { // uint 32
                    $values[$name] = \unpack('Na', $buffer, $offset + 1)['a'];
                    $offset += 5;
                    continue;
                } elseif ($byte === 0xcb && isset($buffer[$offset + 8])) { // float 64
                    $values[$name] = \unpack('Ea', $buffer, $offset + 1)['a'];
                    $offset += 9;
                    continue;
                } elseif ($byte === 0xcd && isset($buffer[$offset + 2])) { // uint 16
                    $values[$name] = \ord($buffer[$offset + 1]) << 8 | \ord($buffer[$offset + 2]);
                    $offset += 3;
                    continue;
                } elseif ($byte === 0xd9 && isset($buffer[$offset + 1])) { // str 8
                    $length = \ord($buffer[$offset + 1]);
                    $str = \substr($buffer, $offset + 2, $length);
                    if (\strlen($str) === $length && (!$checkUtf8 || Utf8::isValid($str))) {
                        $values[$name] = $str;
                        $offset += $length + 2;
                        continue;
                    }
                }
            }
            $this->trail[$depth] = $name;
            $this->offset = $offset;
            $values[$name] = $this->value($depth + 1, $owed);
            $offset = $this->offset;
        }
        $this->offset = $offset;
        if (!$this->lossless) {
            return $values;
        }

        return self::haveNul($names) ? new Entries(self::entriesOf($values)) : (object) $values;
    }

    /**
     * Decodes the values of one instance of a message with long names. It copies a table that has all names already,
     * and puts the values into the copy. Adding the names one by one would make PHP compare names with equal hashes. An
     * instance of few bytes could then take long, because it doesn't contain its names.
     *
     * @param int          $id     offset of the id
     * @param int          $length length of the id in bytes
     * @param list<string> $names
     *
     * @return array<array-key, mixed>|\stdClass|Entries
     */
    private function longFields(int $id, int $length, array $names, int $depth, int $owed): array|\stdClass|Entries
    {
        if ($this->lossless && self::haveNul($names)) {
            return $this->sortedFields($names, $depth, $owed);
        }
        $table = $this->declarations()->table(\substr($this->buffer, $id, $length), $names, $this->lossless);
        $owed += \count($names);
        foreach ($table as &$value) { // @phpstan-ignore foreach.nonIterable (of an object, its properties)
            $this->trail[$depth] = $names[$value];
            --$owed;
            $value = $this->value($depth + 1, $owed);
        }
        unset($value);

        // The loop turned the elements into references. array_slice() makes a copy without references.
        return \is_array($table) ? \array_slice($table, 0, preserve_keys: true) : $table;
    }

    /**
     * Tells whether any of the names starts with a NUL byte. PHP allows no such name for a property of an object.
     *
     * @param list<string> $names
     */
    private static function haveNul(array $names): bool
    {
        foreach ($names as $name) {
            if ($name !== '' && $name[0] === "\x00") {
                return true;
            }
        }

        return false;
    }

    /**
     * Decodes the values of one instance into Entries, for names that must not become keys of a hash table or can't
     * name properties.
     *
     * @param list<string> $names
     */
    private function sortedFields(array $names, int $depth, int $owed): Entries
    {
        $entries = [];
        $owed += \count($names);
        foreach ($names as $name) {
            --$owed;
            $this->trail[$depth] = $name;
            $entries[] = [$name, $this->value($depth + 1, $owed)];
        }

        return new Entries($entries);
    }

    // Methods for lazy reads (Decoder/LazyReads.php)

    /**
     * Opens the record at the read position, and moves to its first value.
     *
     * @return ?list<string> the names; null when the value isn't a record, or is a declaration whose id is incomplete
     */
    private function recordNames(int $byte, int $head, int $depth, int $owed): ?array
    {
        if ($byte < $this->fixintEnd) {
            return null;
        }
        if ($byte < 0x80) {
            $names = $this->instanceNames($byte, $head, $depth);
            if ($names !== null) {
                $offset = $head + ($this->declarations()->isPair($byte) ? 2 : 1);
                $this->open(\count($names), $head, $offset, $depth, $owed);
            }

            return $names;
        }
        if ($byte !== 0xd4 && $byte !== 0xd5) {
            return null;
        }
        $length = $byte === 0xd4 ? 1 : 2;
        if (!isset($this->buffer[$head + 1 + $length]) || $this->buffer[$head + 1] !== "\x72") {
            return null;
        }

        return $this->declare($length, $head, $head + 2, $depth, $owed);
    }

    /**
     * Returns the names of the instance at $head; null when the byte is a positive fixint.
     *
     * @return ?list<string>
     */
    private function instanceNames(int $byte, int $head, int $depth): ?array
    {
        return $this->declarations()->single($byte)
            ?? ($this->shared === null ? null : $this->loadedSingle($this->shared, $byte, $head, $depth))
            ?? $this->namesOfPair($byte, $head, $depth);
    }

    private function invalidRecord(string $why, int $head, int $depth): Unwind
    {
        return $this->fault($head, $depth, static fn(int $at, string $path): UnpackingFailedException
            => UnpackingFailedException::invalidRecord($why, $at, $path));
    }

    private function unknownRecord(string $id, int $head, int $depth): Unwind
    {
        $isShared = $this->shared !== null;

        return $this->fault($head, $depth, static fn(int $at, string $path): UnpackingFailedException
            => UnpackingFailedException::unknownRecord($id, $isShared, $at, $path));
    }
}
