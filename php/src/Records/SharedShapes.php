<?php

declare(strict_types=1);

namespace Polypack\Records;

use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;

/**
 * The shapes of a message that is written with a dictionary (spec/05-records.md#shared): those of the dictionary have
 * their ids without a declaration, the others get the ids that the dictionary leaves.
 *
 * A shape that the dictionary lacks is published at once, before its id is written.
 *
 * @internal
 */
final class SharedShapes extends Shapes
{
    /** The dictionary at the start of the message. */
    private ?Dictionary $dictionary = null;
    /** How many shapes it has or may get. */
    private int $reach = 0;
    /** The number of the first id for declarations, how many there are, and whether they are pairs. */
    private int $first = 0;
    private int $count = 0;
    private bool $hasPairs = false;
    /** How many ids the message has declared so far. */
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
        if ($this->dictionary !== null && \count($dictionary) < \count($this->dictionary)) { // the store was lost
            $this->known = $this->latest = $this->holders = [];
        }
        $this->dictionary = $dictionary;
        $this->reach = $this->shared->reach();
        [$this->first, $this->count, $this->hasPairs] = Dictionary::ownIds($this->reach);
    }

    /**
     * Returns the head of an instance of a shape that has no id yet in this message.
     */
    public function declare(Shape $shape): string
    {
        if ($shape->sharedId === '') {
            $number = $this->shared->known()->numberOf($shape->packed) ?? $this->publish($shape);
            // If others extend the dictionary beyond the reach, this message may have declared its new ids for other
            // shapes.
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
        if ($loser !== null && $loser->id === $id) { // otherwise it has another id by now
            $loser->message = 0;
        }
        $this->holders[$slot] = $shape;
        $shape->id = $id;
        $shape->message = $this->message;

        return ($this->hasPairs ? "\xd5\x72" : "\xd4\x72") . $id . $shape->packed;
    }

    /**
     * Returns what an engine needs to know: the dictionary, how many shapes it has or may get, and whether a message
     * declares those that it lacks.
     *
     * @return ?array{Dictionary, int, bool} null when a store would have to be asked
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
        } catch (\Throwable $cause) { // not what the store throws: SharedRecords catches that
            throw PackingFailedException::dictionary($cause);
        }
    }

    /**
     * Returns the header of a message, with the fingerprint of the dictionary. By now it has all shapes that the
     * message uses.
     */
    public function header(): string
    {
        return "\xc1\x50" . $this->shared->known()->fingerprint();
    }
}
