<?php

declare(strict_types=1);

namespace Polypack\Records;

/**
 * Holds the shapes that a message has declared so far, for encoding (spec/05-records.md#declaration). Each message
 * declares its own records. The subclass SharedShapes also has a dictionary.
 *
 * Ids go from 0x40 to 0x7f in the order of first use, and then start over. A shape that has lost its id to another
 * shape is declared again at its next use. Declarations live until the end of the message. The packed names are kept
 * for the next messages, so that a series of similar small messages packs the names only once.
 *
 * @internal
 */
class Shapes
{
    private const FIRST_ID = 0x40;
    private const LAST_ID = 0x7f;

    /** Limits of $known: shapes, and bytes of their packed names. At a limit, undeclared shapes are dropped. */
    private const MAX_KNOWN = 256;
    private const MAX_BYTES = 65536;

    /**
     * @var int the number of the current message, greater than 0
     */
    public $message = 1;
    /**
     * @var array<int, array<string, Shape>> the shape that of() returned last, by count of names and first name. With
     *                                       it, a packer finds the shape of a row without packing the names. There is
     *                                       no native type, because PHP would check it on each assignment
     */
    public $latest = [];
    private int $next = self::FIRST_ID;
    /** @var array<string, Shape> by packed names */
    protected array $known = [];
    /**
     * @var array<int, Shape> by id, the shape that got this id last; it may have another id by now. In SharedShapes,
     * the key is the number of the id among the ids for declarations, from 0
     */
    protected array $holders = [];
    /** @var int<0, max> bytes of the packed names in $known */
    private int $bytes = 0;

    /**
     * Returns a new object, without shapes, for another packer with the same options.
     */
    public function another(): self
    {
        return new self();
    }

    /**
     * Forgets the declarations of the previous message.
     */
    public function startMessage(): void
    {
        ++$this->message;
        $this->next = self::FIRST_ID;
        if ($this->bytes > self::MAX_BYTES) {
            $this->forgetUndeclared();
            $this->holders = [];
        }
    }

    /**
     * Returns the shape with these names, and puts it into $latest.
     *
     * @param list<string> $names  all different
     * @param string       $packed the packed array of the names
     */
    public function of(array $names, string $packed): Shape
    {
        $shape = $this->known[$packed] ?? null;
        if ($shape === null) {
            if (\count($this->known) >= self::MAX_KNOWN || $this->bytes > self::MAX_BYTES) {
                $this->forgetUndeclared();
            }
            $this->bytes += \strlen($packed);
            $this->known[$packed] = $shape = new Shape($names, $packed);
        }

        return $this->latest[\count($names)][$names[0] ?? ''] = $shape;
    }

    /**
     * Gives a shape an id, and returns the declaration, which is the head of the first instance.
     */
    public function declare(Shape $shape): string
    {
        $id = $this->next;
        $this->next = $id === self::LAST_ID ? self::FIRST_ID : $id + 1;
        $byte = \chr($id);
        $loser = $this->holders[$id] ?? null;
        if ($loser !== null && $loser->id === $byte) { // if the ids differ, $loser has another id by now
            $loser->message = 0;
        }
        $this->holders[$id] = $shape;
        $shape->id = $byte;
        $shape->message = $this->message;

        return "\xd4\x72" . $byte . $shape->packed;
    }

    private function forgetUndeclared(): void
    {
        $this->known = [];
        $this->latest = [];
        $this->bytes = 0;
        foreach ($this->holders as $shape) {
            if ($shape->message === $this->message) {
                $this->known[$shape->packed] = $shape;
                $this->bytes += \strlen($shape->packed);
            }
        }
    }
}
