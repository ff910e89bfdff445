<?php

declare(strict_types=1);

namespace Polypack\Encoder;

use Polypack\Records\Shape;
use Polypack\Records\Shapes;
use Polypack\Records\SharedShapes;

/**
 * Writes arrays, stdClass and ArrayObject objects as records (spec/05-records.md), if the options ask for records and
 * all keys are str.
 *
 * Everything else with keys becomes a map: Type\Map, Type\Entries, iterators, and the argument of packMap(). Arrays
 * inside map keys become maps, because the specification forbids records there. Arrays that a pack() method packs also
 * become maps, because the method may put the bytes into another message, where the ids have no meaning.
 *
 * @internal
 */
trait Records
{
    /** @var ?Shapes null when records are off */
    private $shapes = null;
    /** @var bool whether arrays and objects get a header with a fingerprint (spec/05-records.md#header) */
    private $headed = false;
    /** @var bool whether a message with records is being packed */
    private $isBusy = false;

    /**
     * @param array<array-key, mixed> $map
     * @param int                     $depth
     * @param string                  $out
     */
    abstract protected function anyFields($map, $depth, &$out): void;

    /**
     * @param array<array-key, mixed> $map
     * @param int                     $depth
     * @param string                  $out
     */
    abstract protected function recordFields($map, $depth, &$out): void;

    /**
     * Packs a message with records. May be called only while $handovers is 0.
     *
     * @param mixed                        $value
     * @param 'pack'|'packArray'|'packMap' $method
     *
     * @return string
     */
    private function packMessage($value, $method)
    {
        if ($this->isBusy || ($this->around !== null && ($this->around->get()->handovers ?? 0) !== 0)) {
            return $this->packAside($value, $method);
        }
        if ($this->native && $method === 'pack') {
            $packed = $this->packNatively($value);
            if ($packed !== null) {
                return $this->headed ? $this->withHeader($packed) : $packed;
            }
        }
        \assert($this->shapes !== null);
        $this->isBusy = true;
        try {
            $this->shapes->startMessage();
            $out = '';
            if ($method === 'pack' || !\is_array($value)) {
                $this->append($value, $this->depth, $out);
            } elseif ($method === 'packArray') {
                $this->appendList($value, $this->depth, $out);
            } else {
                $this->appendMap($value, $this->depth, $out);
            }
        } finally {
            $this->isBusy = false;
        }

        return $this->headed ? $this->withHeader($out) : $out;
    }

    /**
     * Packs a value while a message is being packed, for code that interrupts the packing: a destructor, a signal
     * handler, or the callback of SharedRecords. Maps don't become records here. So the ids of the message stay valid,
     * and the callback isn't called again.
     *
     * @param mixed                        $value
     * @param 'pack'|'packArray'|'packMap' $method
     */
    private function packAside($value, $method): string
    {
        $trail = $this->trail;
        $this->handovers = 1;
        try {
            $packed = match (true) {
                $method === 'pack' || !\is_array($value) => self::pack($value),
                $method === 'packArray' => self::packArray($value),
                default => self::packMap($value),
            };
            if ($this->hasForeign) {
                $packed = $this->checkResult($packed, \is_object($value) ? $value : $this, $this->depth, true);
            }
        } finally {
            $this->handovers = 0;
            $this->trail = $trail;
            $this->own = null;
        }

        return $packed;
    }

    /**
     * Puts the header in front of a message.
     */
    private function withHeader(string $packed): string
    {
        return $this->shapes instanceof SharedShapes ? $this->shapes->header() . $packed : $packed;
    }

    /**
     * Appends a PHP array with its keys: as a record if records are allowed here and all keys are written as str,
     * otherwise as a map.
     *
     * @param array<array-key, mixed> $map
     * @param int                     $depth
     * @param string                  $out
     */
    final protected function appendKeyed($map, $depth, &$out): void
    {
        $shapes = $this->shapes;
        if ($shapes === null || $this->handovers !== 0 || $depth >= $this->maxDepth || $this->pathEnd !== \PHP_INT_MAX) {
            $this->appendMap($map, $depth, $out);

            return;
        }
        $keys = \array_keys($map);
        $shape = $shapes->latest[\count($keys)][$keys[0] ?? ''] ?? null;
        if ($shape === null || $shape->names !== $keys) {
            $shape = $this->shape($keys, $depth);
            if ($shape === null) {
                $this->appendMap($map, $depth, $out);

                return;
            }
        }
        $out .= $shape->message === $shapes->message ? $shape->id : $shapes->declare($shape);
        if ($this->loops === 'record') {
            $this->recordFields($map, $depth, $out);
        } else {
            $this->anyFields($map, $depth, $out);
        }
    }

    /**
     * Returns the head of a record with these names: its id, or a declaration if the names must be declared first.
     *
     * @param list<int|string> $keys
     *
     * @return ?string null when a key isn't written as str
     */
    private function recordHead(array $keys, int $depth): ?string
    {
        $shape = $this->shape($keys, $depth);
        \assert($this->shapes !== null);
        if ($shape === null) {
            return null;
        }

        return $shape->message === $this->shapes->message ? $shape->id : $this->shapes->declare($shape);
    }

    /**
     * @param list<int|string> $keys
     *
     * @return ?Shape null when a key isn't written as str
     */
    private function shape(array $keys, int $depth): ?Shape
    {
        \assert($this->shapes !== null);
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

        return $this->shapes->of($names, $packed);
    }
}
