<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Format;
use Polypack\Raw;
use Polypack\Type\Bin;
use Polypack\Type\UInt64;

/**
 * Reads lazily: unpacks one value of a message by its path, and returns values that stay packed.
 *
 * Plan: the public methods; find() and one method for each kind of container; keys.
 *
 * Only the containers on the path are opened, and all other values are stepped over. Extensions are off during the
 * search, so that they decode only the value at the path.
 *
 * @internal
 */
trait LazyReads
{
    /** @var int where the latest match starts. A match with a later equal key replaces an earlier one */
    private $foundStart = 0;
    /** @var int offset after the latest match */
    private $foundEnd = 0;
    /** @var int the value of $budget at the start of the latest match */
    private $foundBudget = 0;
    /** @var int the value of $memory at the start of the latest match */
    private $foundMemory = 0;
    /** @var array<int, int|string|Bin|UInt64|array{int}> the trail that leads to the latest match */
    private $foundTrail = [];
    /** @var bool whether the names of records in the value at the path are limited to maxBytes */
    private $limitsNames = false;
    /** @var int offset of the value found, at which the second search stops; -1 in the first search */
    private $target = -1;

    /**
     * Unpacks only the value at a path in the next value. The read position doesn't move.
     *
     * The path is an RFC 6901 pointer, like the paths of errors. "" is the whole value; "/users/3/name" is an entry of
     * a map in an array in a map. "~0" stands for "~", and "~1" for "/". An element of an array is named by its index
     * in decimal, and a field of a record by its name. An entry of a map is named by its key: a str or a bin by its
     * bytes, an int in decimal, any other key by # and the index of the entry. In lossless mode a bin is named by 0x
     * and its bytes in lowercase hex. If a str and another key have the same name in lossless mode, the str is chosen.
     * Values inside what an extension returns have no path.
     *
     * If unpack() succeeds, get() returns what the unpacked value has at the path. If several keys are equal, or become
     * the same key of a PHP array, the last one counts. But unpack() may fail even if get() finds a value, because only
     * unpack() reads all bytes. So get() doesn't validate a message.
     *
     * It reads no further than necessary. If the path leads only through arrays, it stops after the value. If the path
     * leads through maps or records, it reads the outermost of them to the end, because the last of equal keys wins.
     * Default mode checks only the heads of skipped values. The other modes, and options for records, check skipped
     * values as unpack() does.
     *
     * Extensions decode only the value at the path, after everything else was read. So a fault behind that value is
     * reported before a fault of its extension, which unpack() would report first. With the path "", get() behaves like
     * unpack().
     *
     * @param mixed $default returned when there is no value at the path
     *
     * @throws UnpackingFailedException for a fault in the bytes that were read, with the offset and path that unpack()
     *                                  reports
     * @throws InvalidOptionException   when the path isn't a pointer
     */
    public function get(string $path, mixed $default = null): mixed
    {
        $position = $this->offset;
        try {
            if ($path === '') { // reports the same fault as unpack(), and reads the bytes once
                return self::unpack();
            }
            $depth = $this->lookup($path);
            if ($depth < 0) {
                return $default;
            }

            return $this->value($depth, 0);
        } catch (Unwind) {
            throw $this->failure();
        } finally {
            $this->offset = $position;
        }
    }

    /**
     * Returns the value at a path in the next value, without unpacking it; see get(). The read position doesn't move.
     *
     * Records in the value become maps, so that the result can be read on its own.
     *
     * @return ?Raw null when there is no value at the path
     *
     * @throws UnpackingFailedException see get(); `limit_exceeded` also when the names of records take more than
     *                                  maxBytes
     * @throws InvalidOptionException
     */
    public function getRaw(string $path): ?Raw
    {
        $position = $this->offset;
        try {
            $depth = $this->lookup($path, true);
            if ($depth < 0) {
                return null;
            }

            return $this->raw($this->records
                ? $this->plain($depth)
                : \substr($this->buffer, $this->foundStart, $this->foundEnd - $this->foundStart));
        } catch (Unwind) {
            throw $this->failure();
        } finally {
            $this->offset = $position;
        }
    }

    /**
     * Reads one value without unpacking it. Records in the value become maps, so that the result can be read on its
     * own.
     *
     * Default mode checks only heads. The other modes, and options for records, check the value as unpack() does.
     *
     * @throws UnpackingFailedException `limit_exceeded` when the names of records take more than maxBytes; see unpack()
     */
    public function unpackRaw(): Raw
    {
        $account = $this->account;
        $this->beginMessage();
        $start = $this->offset;
        $memory = $this->memory;
        $extensions = $this->extensions;
        $this->extensions = [];
        $this->namesLimited = $this->records;
        try {
            $this->stepOver($this->ground, 0);
            $end = $this->offset;
            if ($this->declarations()->isEmpty()) {
                $bytes = \substr($this->buffer, $start, $end - $start);
            } else {
                $this->namesLimited = false;
                $this->offset = $start;
                $this->account = $account; // the comparisons of the first reading don't count
                $this->begin();
                $this->memory = $memory; // the values of the first reading are freed
                $bytes = $this->plain($this->ground);
            }
        } catch (Unwind) {
            throw $this->failure();
        } finally {
            $this->namesLimited = false;
            $this->extensions = $extensions;
        }

        return $this->raw($bytes);
    }

    /**
     * Returns how deep the containers of the one value in the buffer nest.
     *
     * @internal
     *
     * @param bool $ownsRecordType whether ext values of the type of records belong to an application
     *
     * @throws UnpackingFailedException when the value isn't well-formed, has an invalid timestamp, or bytes follow it
     */
    public function measure(bool $ownsRecordType): int
    {
        $this->ownsRecordType = $ownsRecordType;
        $this->begin();
        $nesting = $this->leap(1, 0, 0, checksTimestamps: true);
        if ($nesting < 0) {
            $this->lossless = true; // no map is refused because its keys collide
            try {
                $this->findFault(0, 0);
            } catch (Unwind) {
                throw $this->failure();
            }
        }
        $this->expectEnd();

        return $nesting;
    }

    /**
     * Unpacks the one value in the buffer, only to find faults.
     *
     * @internal
     *
     * @param bool $ownsRecordType as in measure()
     *
     * @throws UnpackingFailedException when the options refuse the value, or bytes follow it
     */
    public function judge(bool $ownsRecordType): void
    {
        $this->ownsRecordType = $ownsRecordType;
        $this->native = $this->native && !$ownsRecordType;
        $this->unpack();
        $this->expectEnd();
    }

    private function raw(string $bytes): Raw
    {
        $reader = $this->blank ??= (clone $this)->reset();
        $names = $this->declarations->copiedNames ?? 0;
        if ($this->maxValues !== null && $names > 0) {
            // A name in a map is a value, which it isn't in a record (spec/06-limits.md#maxvalues).
            $reader = clone $reader;
            $reader->maxValues = $this->maxValues + $names;
        }

        return new Raw($bytes, $reader);
    }

    /**
     * Moves to the value at a path. Returns the depth of the value, or -1 when there is no value at the path.
     *
     * Afterwards only the records that are declared before the value are known.
     */
    private function lookup(string $path, bool $limitNames = false): int
    {
        $tokens = Pointer::tokens($path);
        $extensions = $this->extensions;
        $this->extensions = [];
        try {
            $account = $this->account;
            $this->beginMessage();
            $this->limitsNames = $limitNames && $this->records;
            $start = $this->offset;
            $memory = $this->memory;
            if (!$this->find($tokens, 0, $this->ground, 0, true)) {
                return -1;
            }
            if ($this->records) {
                // Search again from the start up to the value, because the first search may have read declarations that
                // come after the value.
                $this->offset = $start;
                $this->account = $account; // the comparisons of the first search don't count
                $this->begin();
                $this->memory = $memory; // the values of the first search are freed
                $this->target = $this->foundStart;
                $this->find($tokens, 0, $this->ground, 0, true);
            }
        } finally {
            $this->target = -1;
            $this->namesLimited = false;
            $this->extensions = $extensions;
        }
        $this->offset = $this->foundStart;
        $this->budget = $this->foundBudget;
        $this->memory = $this->foundMemory;
        $this->trail = $this->foundTrail;

        return $this->ground + \count($tokens);
    }

    /**
     * Looks for the value at the path inside the next value. Moves past the next value, unless the search ends early.
     *
     * @param list<string> $tokens
     * @param int          $at    index of the next token
     * @param bool         $early whether the search may end right after the value, because nothing after the value can
     *                            matter
     */
    private function find(array $tokens, int $at, int $depth, int $owed, bool $early): bool
    {
        $head = $this->offset;
        if (!isset($tokens[$at])) {
            $this->foundStart = $head;
            $this->foundBudget = $this->budget;
            $this->foundMemory = $this->memory;
            $this->foundTrail = [];
            for ($i = $this->ground; $i < $depth; ++$i) {
                $this->foundTrail[$i] = $this->trail[$i];
            }
            if ($head !== $this->target) {
                $this->namesLimited = $this->limitsNames;
                $this->namesLeft = $this->maxBytes;
                $this->stepOver($depth, $owed);
                $this->namesLimited = false;
                $this->foundEnd = $this->offset;
            }

            return true;
        }
        if (!isset($this->buffer[$head])) {
            throw $this->noValue($head, $depth);
        }
        $byte = \ord($this->buffer[$head]);
        if ($byte >= 0x80 && $byte < 0xa0) { // fixmap, fixarray
            return $byte < 0x90
                ? $this->findEntry($tokens, $at, $byte & 0x0f, $head, $head + 1, $depth, $owed)
                : $this->findElement($tokens, $at, $byte & 0x0f, $head, $head + 1, $depth, $owed, $early);
        }
        switch ($byte) {
            case 0xdc: // array 16
                return $this->findElement($tokens, $at, $this->uint16($head, $depth), $head, $head + 3, $depth, $owed, $early);
            case 0xdd: // array 32
                return $this->findElement($tokens, $at, $this->uint32($head, $depth), $head, $head + 5, $depth, $owed, $early);
            case 0xde: // map 16
                return $this->findEntry($tokens, $at, $this->uint16($head, $depth), $head, $head + 3, $depth, $owed);
            case 0xdf: // map 32
                return $this->findEntry($tokens, $at, $this->uint32($head, $depth), $head, $head + 5, $depth, $owed);
        }
        if ($this->records) {
            $names = $this->recordNames($byte, $head, $depth, $owed);
            if ($names !== null) {
                return $this->findField($tokens, $at, $names, $depth, $owed);
            }
        }
        $this->stepOver($depth, $owed);

        return false;
    }

    /**
     * @param list<string> $tokens
     */
    private function findElement(
        array $tokens,
        int $at,
        int $count,
        int $head,
        int $offset,
        int $depth,
        int $owed,
        bool $early,
    ): bool {
        $this->open($count, $head, $offset, $depth, $owed);
        $index = Pointer::index($tokens[$at]);
        if ($early && ($index < 0 || $index >= $count)) {
            return false;
        }
        $found = false;
        $leaps = $index > 0 && $index < $count && !$this->checkUtf8 && !$this->records;
        $first = $leaps && $this->leap($index, $depth + 1, $owed + $count - $index) >= 0 ? $index : 0;
        for ($i = $first; $i < $count; ++$i) {
            $this->trail[$depth] = $i;
            $behind = $owed + $count - $i - 1;
            if ($i !== $index) {
                $this->stepOver($depth + 1, $behind);
                continue;
            }
            $found = $this->find($tokens, $at + 1, $depth + 1, $behind, $early);
            if ($early || $this->hasArrived($found)) {
                return $found;
            }
        }

        return $found;
    }

    /**
     * @param list<string> $tokens
     */
    private function findEntry(array $tokens, int $at, int $count, int $head, int $offset, int $depth, int $owed): bool
    {
        $this->open(2 * $count, $head, $offset, $depth, $owed);
        $token = $tokens[$at];
        $judgesKeys = $this->checkUtf8 || $this->records;
        $seen = [];
        $findsDuplicates = $this->checkUtf8;
        if ($findsDuplicates && $count > 0) {
            $this->weigh($this->mapWeight($count), $head, $depth);
        }
        if ($findsDuplicates && $count > Collisions::FREE && $this->collides($count, $head)) {
            $findsDuplicates = $this->lossless ? false : throw $this->tooCostly($head, $depth);
        }
        $best = 1;
        $found = false;
        for ($i = 0; $i < $count; ++$i) {
            $behind = $owed + 2 * ($count - $i - 1);
            $keyHead = $this->offset;
            $length = isset($this->buffer[$keyHead]) ? \ord($this->buffer[$keyHead]) ^ 0xa0 : 0xff;
            if ($length < 0x20 && !$judgesKeys && isset($this->buffer[$keyHead + $length])) { // most keys are fixstr
                $key = \substr($this->buffer, $keyHead + 1, $length);
                $this->offset = $keyHead + 1 + $length;
                $this->trail[$depth] = $key;
                $fit = $key === $token ? 4 : 0;
            } else {
                $isRecord = $this->startsInstance($keyHead);
                $identity = $judgesKeys ? $this->judgedKey($depth, $behind + 1) : $this->steppedKey($depth, $behind + 1);
                $key = $isRecord ? [$i] : $this->keyBetween($keyHead, $this->offset, $i);
                $this->trail[$depth] = $key;
                if ($findsDuplicates) {
                    if (isset($seen[$identity])) {
                        throw $this->duplicateKey($keyHead, $depth + 1);
                    }
                    $seen[$identity] = true;
                }
                $fit = $this->fit($token, $key);
            }
            if ($fit < $best) {
                $this->stepOver($depth + 1, $behind);
                continue;
            }
            $best = $fit;
            $found = $this->find($tokens, $at + 1, $depth + 1, $behind, false);
            if ($this->hasArrived($found)) {
                return true;
            }
        }

        return $found;
    }

    /**
     * @param list<string> $tokens
     * @param list<string> $names
     */
    private function findField(array $tokens, int $at, array $names, int $depth, int $owed): bool
    {
        $found = false;
        $behind = $owed + \count($names);
        foreach ($names as $name) {
            --$behind;
            $this->trail[$depth] = $name;
            if ($name !== $tokens[$at]) {
                $this->stepOver($depth + 1, $behind);
                continue;
            }
            $found = $this->find($tokens, $at + 1, $depth + 1, $behind, false);
            if ($this->hasArrived($found)) {
                return true;
            }
        }

        return $found;
    }

    /**
     * Tells whether the value was found and the read position is $target, where the second search stops.
     */
    private function hasArrived(bool $found): bool
    {
        return $found && $this->offset === $this->target;
    }

    // Keys

    /**
     * Decodes a key as the mode requires, and returns its identity. Equal keys of a map have equal identities.
     */
    private function judgedKey(int $depth, int $owed): string|int
    {
        if ($this->lossless) {
            return $this->identities()->identity($this->losslessKey($depth, $owed));
        }
        if (!isset($this->buffer[$this->offset])) {
            throw $this->noValue($this->offset, $depth);
        }

        return $this->key(\ord($this->buffer[$this->offset]), $depth);
    }

    /**
     * Steps over a key of any kind. A fault inside the key has the path of the map, however deep the fault is.
     *
     * @return int always 0, because these keys are never compared
     */
    private function steppedKey(int $depth, int $owed): int
    {
        $pathEnd = $this->pathEnd;
        $this->pathEnd = \min($pathEnd, $depth);
        $this->stepOver($depth + 1, $owed);
        $this->pathEnd = $pathEnd;

        return 0;
    }

    /**
     * Tells whether an instance of a record starts at the offset, rather than a positive fixint.
     */
    private function startsInstance(int $head): bool
    {
        if (!isset($this->buffer[$head])) {
            return false;
        }
        $byte = \ord($this->buffer[$head]);
        if ($this->shared !== null) { // with a dictionary, the bytes 40 to 7f are never ints
            return $byte >= 0x40 && $byte < 0x80;
        }

        return $this->declarations()->startsInstance($byte);
    }

    /**
     * Returns the key between two offsets as the trail keeps it. The key isn't an instance of a record.
     *
     * @return int|string|Bin|UInt64|array{int}
     */
    private function keyBetween(int $head, int $end, int $entry): int|string|Bin|UInt64|array
    {
        $byte = \ord($this->buffer[$head]);

        $family = Format::family($byte);
        if ($family === 'int') {
            return $this->intAt($head);
        }
        if ($family !== 'str' && $family !== 'bin') {
            return [$entry];
        }
        $body = $head + ($byte < 0xc0 ? 1 : self::headLength($byte));
        $bytes = \substr($this->buffer, $body, $end - $body);

        return $family === 'bin' ? new Bin($bytes) : $bytes;
    }

    /**
     * Decodes an int that is known to be in the buffer.
     */
    private function intAt(int $head): int|UInt64
    {
        $byte = \ord($this->buffer[$head]);
        if ($byte < 0x80 || $byte >= 0xe0) { // positive and negative fixint
            return $byte < 0x80 ? $byte : $byte - 0x100;
        }
        if ($byte === 0xcf || $byte === 0xd3) { // uint 64, int 64
            $bits = $this->int64($head, 0);

            return $bits < 0 && $byte === 0xcf ? UInt64::fromBits($bits) : $bits;
        }
        $length = 1 << ($byte & 3);
        $number = $this->bigEndian($head + 1, $length);
        $isNegative = $byte >= 0xd0 && $number >> 8 * $length - 1 === 1;

        return $isNegative ? $number - (1 << 8 * $length) : $number;
    }

    /**
     * Returns how well a key fits a token. The key that fits best wins; if several fit equally well, the last of them
     * wins.
     *
     * @param int|string|Bin|UInt64|array{int} $key
     *
     * @return int<0, 4> 0 if the key doesn't fit
     */
    private function fit(string $token, int|string|Bin|UInt64|array $key): int
    {
        if (\is_string($key)) {
            return $key === $token ? 4 : 0;
        }
        if (\is_array($key)) {
            return "#{$key[0]}" === $token ? 1 : 0;
        }
        if (!$this->lossless) { // in a PHP array, a bin or int key is the same as the equal string
            return ($key instanceof Bin ? $key->data : (string) $key) === $token ? 4 : 0;
        }
        if ($key instanceof Bin) {
            return '0x' . \bin2hex($key->data) === $token ? 2 : 0;
        }

        return (string) $key === $token ? 3 : 0;
    }
}
