<?php

declare(strict_types=1);

namespace Polypack\Native;

use Polypack\Decoder\Unwind;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Type\Bin;
use Polypack\Type\UInt64;

/**
 * Where messages of the unpacker cross over to the engine, and what the engine asks of the unpacker
 * (docs/decisions/0020-native-seam.md).
 *
 * @internal
 */
trait Decoding
{
    /** @var bool whether there is an engine to ask */
    private $native = false;
    /** @var int the constants of UnpackOptions that were chosen */
    private $options = 0;

    /**
     * Lets the engine decode the message at the read position.
     *
     * @return ?Result null when it declines: no extension has run, the position is the same, and the PHP code decodes
     *                 the message
     */
    private function unpackNatively(): ?Result
    {
        $offset = $start = $this->offset;
        try {
            $result = \polypack_decode(
                $this->buffer,
                $offset,
                $this->options,
                $this->ground,
                $this->maxDepth,
                $this->maxValues,
                $this->maxCollisions,
                $this->maxBytes,
                $this->extensions,
                $this,
            );
        } catch (\Throwable $error) {
            $this->offset = $start; // an extension may have moved it
            throw $error;
        }
        if ($result !== null) {
            $this->offset = $offset;
        }

        return $result;
    }

    /**
     * Tells whether the value at the read position is one for the engine: a container. Crossing over costs more than a
     * scalar.
     */
    private function startsContainer(): bool
    {
        $byte = \ord($this->buffer[$this->offset] ?? "\xc0");

        return ($byte >= 0x80 && $byte < 0xa0) // fixmap, fixarray
            || ($byte >= 0xdc && $byte < 0xe0) // array 16 to map 32
            || ($this->records && ($byte === 0xd4 || $byte === 0xd5)); // fixext 1 and 2, which may declare a record
    }

    /**
     * Decodes one value of a message that the engine is decoding, with all that is in it. The engine asks for values
     * that it has no way for, once an extension has run and it can decline no longer, and for those of extensions.
     *
     * @internal
     *
     * @param string                                 $buffer the bytes that the engine reads; an extension may have
     *                                                       given the unpacker others
     * @param int                                    $offset of the value; afterwards, of what follows
     * @param list<int|string|Bin|UInt64|array{int}> $steps  what leads from the message to the value
     * @param int                                    $owed   values that the containers around it still have to deliver
     *
     * @throws UnpackingFailedException with the path in the message
     */
    final public function unpackInside(string $buffer, int &$offset, array $steps, int $owed): mixed
    {
        $reader = $this->reader($buffer, $offset);
        $depth = $this->ground;
        foreach ($steps as $step) {
            $reader->trail[$depth] = $step;
            ++$depth;
        }
        try {
            $value = $reader->value($depth, $owed);
        } catch (Unwind) {
            throw $reader->failure();
        }
        $offset = $reader->offset;

        return $value;
    }

    /**
     * Words the fault of a message in which the engine found one after an extension had run. The message is read once
     * more, by the PHP code and without extensions, which have had their turn.
     *
     * @internal
     *
     * @param int $start where the message starts
     *
     * @throws UnpackingFailedException
     */
    final public function failInside(string $buffer, int $start): never
    {
        $reader = $this->reader($buffer, $start);
        $reader->native = false;
        $reader->extensions = [];
        $reader->decode();
        throw new \LogicException('the engine refused a message that is valid');
    }

    /**
     * Returns a copy for one value in a message: what an extension does to the unpacker meanwhile changes nothing in
     * it.
     */
    private function reader(string $buffer, int $offset): static
    {
        $reader = clone $this;
        $reader->buffer = $buffer;
        $reader->offset = $offset;
        $reader->begin();

        return $reader;
    }
}
