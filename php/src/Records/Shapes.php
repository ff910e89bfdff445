<?php

declare(strict_types=1);

namespace Polypack\Records;

/**
 * The records that a message has declared so far, on the writing side (spec/05-records.md#declaration).
 *
 * Ids go from 40 to 7f in the order of first use and then start again; the shape that loses its id is declared again when it
 * comes back.
 *
 * @internal
 */
final class Shapes
{
    private const FIRST_ID = 0x40;
    private const LAST_ID = 0x7f;

    private int $next = self::FIRST_ID;
    /** @var array<string, int> ids by packed names */
    private array $ids = [];
    /** @var array<int, string> packed names by id */
    private array $holders = [];
    /**
     * @var array<int, array<string, array{list<string>, string}>> the names and the id, as a byte, of what was written last, by
     *                                                             count of names and first name: a shortcut for rows, which spares
     *                                                             packing their names. Has no type, as the properties of Encoder
     */
    public $latest = [];

    /**
     * Forgets everything: declarations live until the end of the message.
     */
    public function clear(): void
    {
        if ($this->holders !== []) {
            $this->next = self::FIRST_ID;
            $this->ids = [];
            $this->holders = [];
            $this->latest = [];
        }
    }

    /**
     * Returns the head of an instance: the id, behind a declaration when it has none yet.
     *
     * @param list<string> $names  different from each other
     * @param string       $packed the names as array
     */
    public function head(array $names, string $packed): string
    {
        $id = $this->ids[$packed] ?? null;
        if ($id !== null) {
            $this->latest[\count($names)][$names[0] ?? ''] = [$names, \chr($id)];

            return \chr($id);
        }
        $id = $this->next;
        $this->next = $id === self::LAST_ID ? self::FIRST_ID : $id + 1;
        $loser = $this->holders[$id] ?? null;
        if ($loser !== null) {
            unset($this->ids[$loser]);
            $this->latest = [];
        }
        $this->ids[$packed] = $id;
        $this->holders[$id] = $packed;
        $this->latest[\count($names)][$names[0] ?? ''] = [$names, \chr($id)];

        return "\xd4\x72" . \chr($id) . $packed;
    }
}
