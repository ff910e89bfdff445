<?php

declare(strict_types=1);

namespace Polypack\Packer;

use Polypack\Records\Shapes;

/**
 * Writes arrays and objects with str keys alone as records (spec/05-records.md), when the options ask for it.
 *
 * Maps that are asked for by name (Type\Map, Type\Entries, packMap()) stay maps. So does everything that objects pack by themselves,
 * because only they know where their bytes go and whether an id means there what it means here; and map keys, because the spec
 * says so.
 *
 * @internal
 */
trait Records
{
    /** @var ?Shapes null when records are off */
    protected $shapes = null;

    /**
     * @param array<array-key, mixed> $map
     * @param int                     $depth
     * @param string                  $out
     */
    abstract protected function anyFields($map, $depth, &$out): void;

    /**
     * Forgets the declarations of the message before, unless it is this one that goes on.
     */
    protected function startMessage(): void
    {
        if ($this->shapes !== null && $this->handovers === 0) {
            $this->shapes->clear();
        }
    }

    /**
     * Appends a map that nobody asked for by name: a record, if it can be one.
     *
     * @param array<array-key, mixed> $map
     */
    protected function appendKeyed(array $map, int $depth, string &$out): void
    {
        $head = $this->shapes !== null && $this->handovers === 0 && $depth < $this->maxDepth ? $this->recordHead(\array_keys($map), $depth) : null;
        if ($head === null) {
            $this->appendMap($map, $depth, $out);
        } else {
            $out .= $head;
            $this->anyFields($map, $depth, $out);
        }
    }

    /**
     * @param list<int|string> $keys
     *
     * @return ?string null when a key is no str
     */
    protected function recordHead(array $keys, int $depth): ?string
    {
        \assert($this->shapes !== null);
        $id = $this->shapes->latestId($keys);
        if ($id !== null) {
            return $id;
        }
        $packed = self::arrayHead(\count($keys));
        $names = [];
        foreach ($keys as $key) {
            if (!\is_string($key)) {
                return null;
            }
            $name = $this->keys[$key] ?? $this->key($key, $depth);
            if ($name[0] >= "\xc4" && $name[0] <= "\xc6") { // bin
                return null;
            }
            $packed .= $name;
            $names[] = $key;
        }

        return $this->shapes->head($names, $packed);
    }
}
