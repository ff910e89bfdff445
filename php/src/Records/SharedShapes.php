<?php

declare(strict_types=1);

namespace Polypack\Records;

use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;

/**
 * Holds the shapes of a message that is written with a dictionary (spec/05-records.md#shared). Shapes of the dictionary
 * have ids without a declaration. Other shapes are declared, with ids that the dictionary leaves free.
 *
 * A new shape that may be published is published at its first use, before its id is written.
 *
 * @internal
 */
final class SharedShapes extends Shapes
{
    /** The dictionary at the start of the message. */
    private ?Dictionary $dictionary = null;
    /** How many shapes the dictionary has or may get. */
    private int $reach = 0;
    /** The ids for declarations: the number of the first, how many there are, and whether they are pairs. */
    private int $first = 0;
    private int $count = 0;
    private bool $hasPairs = false;
    /** Number of declarations in the message so far. */
    private int $declared = 0;

    public function __construct(private readonly SharedRecords $shared) {}

    public function another(): static
    {
        return new static($this->shared);
    }

    public function startMessage(): void
    {
        parent::startMessage();
        $this->declared = 0;
        try {
            $dictionary = $this->shared->forPacking();
        } catch (UnpackingFailedException $cause) {
            throw PackingFailedException::dictionary($cause);
        }
        if ($dictionary === $this->dictionary) {
            return;
        }
        if ($this->dictionary !== null && \count($dictionary) < \count($this->dictionary)) { // sharing has stopped
            $this->known = $this->latest = $this->holders = [];
        }
        $this->dictionary = $dictionary;
        $this->reach = $this->shared->reach();
        [$this->first, $this->count, $this->hasPairs] = Dictionary::ownIds($this->reach);
    }

    /**
     * Gives a shape an id, and returns the head of its instance: the id alone if the dictionary has the shape or gets
     * it now, else a declaration.
     */
    public function declare(Shape $shape): string
    {
        if ($shape->sharedId === '') {
            $number = $this->shared->known()->numberOf($shape->packed) ?? $this->publish($shape);
            // If the dictionary has grown beyond the reach, this message may already use the id with this number for a
            // declaration of its own.
            if ($number !== null && $number < $this->reach) {
                $shape->sharedId = Dictionary::id($number);
            }
        }
        if ($shape->sharedId !== '') {
            $shape->message = $this->message;

            return $shape->id = $shape->sharedId;
        }

        $slot = $this->declared % $this->count;
        ++$this->declared;
        $id = Dictionary::id($this->first + $slot, $this->hasPairs);
        $loser = $this->holders[$slot] ?? null;
        if ($loser !== null && $loser->id === $id) { // if the ids differ, $loser has another id by now
            $loser->message = 0;
        }
        $this->holders[$slot] = $shape;
        $shape->id = $id;
        $shape->message = $this->message;

        return ($this->hasPairs ? "\xd5\x72" : "\xd4\x72") . $id . $shape->packed;
    }

    /**
     * Returns the dictionary for the engine, how many shapes it has or may get, and whether a message declares shapes
     * that the dictionary lacks, instead of publishing them.
     *
     * @return ?array{Dictionary, int, bool} null if the dictionary isn't loaded yet, or sharing has stopped
     */
    public function forEngine(): ?array
    {
        $dictionary = $this->shared->forEngine();

        return $dictionary === null ? null : [$dictionary, $this->shared->reach(), !$this->shared->publishes()];
    }

    private function publish(Shape $shape): ?int
    {
        try {
            return $this->shared->publish($shape->names, $shape->packed);
        } catch (UnpackingFailedException $cause) {
            throw PackingFailedException::dictionary($cause);
        }
    }

    /**
     * Returns the header for a message that is packed already. By now the dictionary, whose fingerprint is in the
     * header, has all shapes that the message uses.
     *
     * @throws PackingFailedException if sharing has stopped since the message began. The fingerprint of the dictionary,
     *                                which is empty now, would fit every reader
     */
    public function header(): string
    {
        $known = $this->shared->known();
        if ($this->dictionary !== null && \count($known) < \count($this->dictionary)) {
            throw PackingFailedException::dictionary(UnpackingFailedException::otherShapes());
        }

        return "\xc1\x50" . $known->fingerprint();
    }
}
