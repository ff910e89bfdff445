<?php

declare(strict_types=1);

namespace Polypack\Native;

use Polypack\Decoder\Account;
use Polypack\Decoder\Unwind;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Type\Bin;
use Polypack\Type\UInt64;

/**
 * Hands messages of the unpacker over to the engine, and decodes the values that the engine asks for
 * (docs/decisions/0020-native-seam.md).
 *
 * @internal
 */
trait Decoding
{
    /** @var bool whether an engine is active */
    private $native = false;
    /** @var int the chosen constants of UnpackOptions, combined with | */
    private $options = 0;
    /**
     * @var ?array{int, string, Account} the message for which accountOf() was last called: its start, its buffer and
     * its account
     */
    private $asked;

    /**
     * Lets the engine decode the message at the read position. If the engine declines, no extension has run yet, and
     * PHP code decodes the message.
     *
     * @param int $start offset of the message, at its header if it has one
     */
    private function unpackNatively(int $start): mixed
    {
        $isInside = $this->call !== null && $this->isInside();
        $offset = $this->offset;
        $askedBefore = $this->asked; // this method may run inside itself, if an extension uses this unpacker
        $this->asked = null;
        try {
            $value = \polypack_decode(
                $this->buffer,
                $offset,
                $this->options,
                $this->ground,
                $this->maxDepth,
                $this->maxValues,
                $this->maxBytes,
                $isInside ? $this->account->comparisons ?? $this->maxCollisions : $this->maxCollisions,
                $isInside ? $this->memory : $this->maxMemory,
                $this->extensions,
                $this,
                $this->shared?->known()->pack(),
            );
        } catch (\Throwable $error) {
            $this->offset = $start; // an extension may have moved the position
            throw $error;
        } finally {
            if ($this->ground > 0) {
                $this->takeBack($this->asked[2] ?? null); // @phpstan-ignore nullCoalesce.offset (accountOf() sets it)
            }
            $this->asked = $askedBefore;
        }
        if ($value === $this) {
            $this->begin();
            $this->start = $start;

            return $this->decodeInPhp();
        }
        $this->offset = $offset;

        return $value;
    }

    /**
     * Tells whether the value at the read position may be a container. Scalars aren't worth the cost of calling the
     * engine.
     */
    private function startsContainer(): bool
    {
        $byte = \ord($this->buffer[$this->offset] ?? "\xc0");

        return ($byte >= $this->fixintEnd && $byte < 0xa0) // an instance, fixmap, fixarray
            || ($byte >= 0xdc && $byte < 0xe0) // array 16 to map 32
            || ($this->records && ($byte === 0xd4 || $byte === 0xd5)); // fixext 1 and 2, which may declare a record
    }

    /**
     * Decodes one value, with everything inside it, of a message that the engine is decoding. The engine asks for ext
     * values that extensions decode, and for ints that become GMP, Decimal or BcMath objects. After an extension has
     * run, the engine can no longer decline. From then on, it also asks for other values that it can't decode itself,
     * and for containers that may exceed maxCollisions or maxMemory.
     *
     * @internal
     *
     * @param string                                 $buffer      the bytes that the engine reads; an extension may have
     *                                                            given other bytes to the unpacker
     * @param int                                    $start       offset of the message, after its header if it has one
     * @param int                                    $offset      offset of the value; set to the offset after it
     * @param list<int|string|Bin|UInt64|array{int}> $steps       indexes and keys that lead to the value
     * @param int                                    $owed        values that the containers around the value still have
     *                                                            to deliver after it
     * @param int                                    $comparisons what is left of maxCollisions; updated
     * @param int                                    $memory      what is left of maxMemory, in bytes; updated
     *
     * @throws UnpackingFailedException with a path that starts at the message
     */
    final public function unpackInside(
        string $buffer,
        int $start,
        int &$offset,
        array $steps,
        int $owed,
        int &$comparisons,
        int &$memory,
    ): mixed {
        $reader = $this->reader($buffer, $offset);
        $reader->start = $start;
        $reader->memory = $memory;
        $reader->account = $this->accountOf($buffer, $start);
        $reader->account->comparisons = $comparisons;
        $depth = $this->ground;
        foreach ($steps as $step) {
            $reader->trail[$depth] = $step;
            ++$depth;
        }
        $bytes = $this->buffer;
        $position = $this->offset;
        $scanner = $this->scanner;
        $account = $this->account;
        $memoryLeft = $this->memory;
        try {
            $this->buffer = ''; // an extension that uses this unpacker finds it empty
            $this->offset = 0;
            $this->scanner = null;
            $value = $reader->value($depth, $owed);
        } catch (Unwind) {
            throw $reader->failure();
        } finally {
            $this->buffer = $bytes;
            $this->offset = $position;
            $this->scanner = $scanner;
            $this->account = $account;
            $this->memory = $memoryLeft;
        }
        $offset = $reader->offset;
        $memory = $reader->memory;
        $comparisons = $reader->account->comparisons;

        return $value;
    }

    /**
     * Stores what is left of maxCollisions and maxMemory after the engine has decoded a message in the data of an
     * extension. The inner and the outer message share these limits.
     *
     * @internal
     */
    final public function leaveInside(int $comparisons, int $memory): void
    {
        $this->account()->comparisons = $comparisons;
        $this->memory = $memory;
    }

    /**
     * Subtracts the key comparisons of a message in the data of an extension from what is left in this unpacker's
     * account. The rest never grows, because $inside may have counted fewer comparisons than were already subtracted.
     *
     * @param ?Account $inside an account of the inner message, which may have failed; null for none
     */
    private function takeBack(?Account $inside): void
    {
        if ($inside === null) {
            return;
        }
        $account = $this->account();
        $comparisons = $account->comparisons;
        $budget = $account->budget;
        $account->takeBack($inside);
        $account->comparisons = \min($account->comparisons, $comparisons);
        $account->budget = \min($account->budget, $budget);
    }

    /**
     * Returns the account of the message that the engine is decoding. Keeps the account for later calls, so that the
     * key comparisons of a message are counted only once.
     */
    private function accountOf(string $buffer, int $start): Account
    {
        if ($this->asked === null || $this->asked[0] !== $start || $this->asked[1] !== $buffer) {
            $account = $this->ground === 0 ? null : $this->account?->inside();
            $this->asked = [$start, $buffer, $account ?? new Account($this->maxCollisions, $this->maxCollisions)];
        }

        return $this->asked[2];
    }

    /**
     * Throws the error for a message in which the engine found a fault after an extension had run. The PHP code reads
     * the message again, but without extensions, because they must not run twice.
     *
     * @internal
     *
     * @param int $start offset of the message, after its header if it has one
     *
     * @throws UnpackingFailedException
     */
    final public function failInside(string $buffer, int $start): never
    {
        $reader = $this->reader($buffer, $start);
        $reader->extensions = [];
        try {
            $reader->decodeInPhp();
        } finally {
            if ($this->ground > 0) {
                $this->takeBack($reader->account);
            }
        }
        throw new \LogicException('the engine refused a message that is valid');
    }

    /**
     * Returns a copy of this unpacker that reads the buffer from an offset. Whatever extensions do to this unpacker
     * doesn't affect the copy.
     */
    private function reader(string $buffer, int $offset): static
    {
        $reader = clone $this;
        unset($reader->memory, $reader->account); // they may be PHP references, which a clone would share
        $reader->memory = $this->memory;
        $reader->account = $this->account;
        $reader->buffer = $buffer;
        $reader->offset = $offset;
        $reader->begin();

        return $reader;
    }
}
