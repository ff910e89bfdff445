<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Writes one value as a snapshot (spec/10-snapshot.md). The bytes depend only on the value and the options. The
 * specification has a rule for each choice. No rule looks at where a string or an array came from.
 *
 * @internal
 */
final class Writer extends ColumnWriter
{
    /** @var array<string, int> numbers of shapes, by ObjectForm::$shape or the key that useArrayShape() makes */
    private array $shapes = [];

    /** @var array<int, int> numbers of objects, by object id */
    private array $objects = [];

    /** @var array<string, int> numbers of references, by their id */
    private array $references = [];

    /** @var array<int, array<int, array<array-key, mixed>>> by shape and place: the latest array, for `d9` (#same) */
    private array $latest = [];

    private bool $hasReferences = false;

    public function __construct(
        private readonly Graph $graph,
        private int $elements,
        private readonly string $floats,
    ) {}

    public function write(mixed $value): string
    {
        $this->graph->walk($value);
        $this->hasReferences = $this->graph->references !== [];
        $this->value($value);

        return $this->out;
    }

    protected function value(mixed $value): void
    {
        if (\is_string($value)) {
            $this->string($value);
        } elseif (\is_int($value)) {
            $this->int($value);
        } elseif (\is_array($value)) {
            $this->array($value);
        } elseif ($value === null) {
            $this->out .= "\xc0";
        } elseif (\is_bool($value)) {
            $this->out .= $value ? "\xc3" : "\xc2";
        } elseif (\is_float($value)) {
            $this->out .= "\xc8" . self::double($value);
        } elseif (\is_object($value)) {
            $this->object($value);
        } else {
            $this->out .= "\xc0"; // a resource, which the option `unserializable` = `null` allows
        }
    }

    /**
     * @param array<array-key, mixed> $array
     */
    private function array(array $array): void
    {
        $count = \count($array);
        if (\array_is_list($array)) {
            $this->list($array, $count);

            return;
        }
        if ($count <= Format::MOST_KEYS) {
            $keys = \array_keys($array);
            if (self::areStrings($keys)) {
                $shape = $this->useArrayShape($keys);
                $this->slots($array, $shape);

                return;
            }
        }
        $this->map($array, $count);
    }

    /**
     * @param list<mixed> $list
     */
    private function list(array $list, int $count): void
    {
        if ($count >= Format::LEAST_ROWS) {
            $table = $this->tableOf($list, $count);
            if ($table !== null) {
                $this->out .= "\xd5" . self::uint($count);
                $this->table($table, $count);

                return;
            }
            if ($count >= Format::LEAST_CELLS) {
                $column = $this->columnOf($list);
                if ($column->kind !== Format::MIXED) {
                    $this->elements -= $column->charge;
                    $this->out .= "\xd4" . self::uint($count);
                    $this->column($column);

                    return;
                }
            }
        }
        $this->out .= $count < 16 ? \chr(Format::LIST + $count) : "\xd3" . self::uint($count);
        $this->children($list);
    }

    /**
     * @param array<array-key, mixed> $map
     */
    private function map(array $map, int $count): void
    {
        $keys = \array_keys($map);
        $table = $column = null;
        if (!$this->hasReferences || !$this->isReferring($map)) {
            $values = \array_values($map);
            $table = $count >= Format::LEAST_ROWS ? $this->tableOf($values, $count) : null;
            $column = $table === null && $count >= Format::LEAST_CELLS ? $this->columnOf($values) : null;
        }
        $isColumn = $column !== null && $column->kind !== Format::MIXED;
        // the values count towards `max_elements` before the keys do (spec/10-snapshot.md#limits)
        if ($isColumn) {
            $this->elements -= $column->charge;
        }
        $this->out .= ($table !== null ? "\xd8" : ($isColumn ? "\xd7" : "\xd6")) . self::uint($count);
        $this->keys($keys);
        if ($table !== null) {
            $this->table($table, $count);
        } elseif ($isColumn) {
            $this->column($column);
        } else {
            $this->children($map);
        }
    }

    /**
     * @param list<int|string> $keys
     */
    private function keys(array $keys): void
    {
        $column = Column::ofKeys($keys, $this->elements);
        $this->elements -= $column->charge;
        $this->column($column);
        if ($column->kind === Format::MIXED) {
            foreach ($keys as $key) {
                \is_int($key) ? $this->int($key) : $this->string($key);
            }
        }
    }

    /**
     * Writes values that follow one another.
     *
     * @param array<array-key, mixed> $values
     */
    private function children(array $values): void
    {
        foreach ($values as $key => $value) {
            if (!$this->hasReferences || !$this->reference($values, $key)) {
                $this->value($value);
            }
        }
    }

    /**
     * Writes the values of a shape.
     *
     * @param array<array-key, mixed> $values
     */
    private function slots(array $values, int $shape): void
    {
        $place = 0;
        foreach ($values as $key => $value) {
            if (!$this->hasReferences || !$this->reference($values, $key)) {
                if (\is_array($value) && $value !== []) {
                    $this->arrayAt($value, $shape, $place);
                } else {
                    $this->value($value);
                }
            }
            ++$place;
        }
    }

    /**
     * @param non-empty-array<array-key, mixed> $array
     */
    private function arrayAt(array $array, int $shape, int $place): void
    {
        $latest = $this->latest[$shape][$place] ?? null;
        // an array with references may contain itself, and comparing such an array is a fatal error
        $isKept = !$this->hasReferences || $this->isFlat($array);
        if ($isKept && $latest === $array && \count($array) < $this->elements && Column::isFlat($array)) {
            $this->elements -= \count($array) + 1;
            $this->out .= "\xd9";

            return;
        }
        $this->array($array);
        // set after writing, because an array inside this one may have become the latest at the same place
        if ($isKept) {
            $this->latest[$shape][$place] = $array;
        } else {
            unset($this->latest[$shape][$place]);
        }
    }

    /**
     * Writes an element of an array if it is a reference that occurs more than once. Returns whether it was written.
     *
     * @param array<array-key, mixed> $array
     */
    private function reference(array $array, int|string $key): bool
    {
        $id = $this->graph->reference($array, $key);
        if ($id === null) {
            return false;
        }
        if (isset($this->references[$id])) {
            $this->out .= "\xdb" . self::uint($this->references[$id]);
        } else {
            $this->references[$id] = \count($this->references);
            $this->out .= "\xda";
            $this->value($array[$key]);
        }

        return true;
    }

    private function object(object $object): void
    {
        if ($object instanceof \UnitEnum) {
            $this->useShape(ObjectForm::case($object::class, $object->name));

            return;
        }
        $id = \spl_object_id($object);
        if (isset($this->objects[$id])) {
            $this->out .= "\xdc" . self::uint($this->objects[$id]);

            return;
        }
        $form = $this->graph->forms[$id] ?? null;
        if ($form === null) {
            $this->out .= "\xc0";

            return;
        }
        if ($form->head !== Format::NEW_CASE) { // cases of missing enums have no number
            $this->objects[$id] = \count($this->objects);
        }
        $shape = $this->useShape($form);
        if ($form->head === Format::NEW_OBJECT) {
            $this->slots($form->values, $shape);
        } elseif ($form->values !== []) {
            $this->value($form->values[0]);
        }
    }

    /**
     * Writes the shape of an array, or its number if the shape was written before. Returns the number.
     *
     * @param list<string> $keys
     */
    private function useArrayShape(array $keys): int
    {
        $name = 'a' . ObjectForm::joined($keys);
        $number = $this->shapes[$name] ?? null;
        if ($number !== null) {
            $this->shape($number);

            return $number;
        }
        $this->shapes[$name] = $number = \count($this->shapes);
        $this->out .= "\xce" . \chr(\count($keys));
        foreach ($keys as $key) {
            $this->string($key);
        }

        return $number;
    }

    private function useShape(ObjectForm $form): int
    {
        $number = $this->shapes[$form->shape] ?? null;
        if ($number !== null) {
            $this->shape($number);

            return $number;
        }
        $this->shapes[$form->shape] = $number = \count($this->shapes);
        $this->out .= \chr($form->head);
        $this->string($form->class);
        if ($form->head === Format::NEW_OBJECT) {
            $this->out .= \chr($form->flags) . \chr(\count($form->names)) . \chr($form->declared) . \chr(\count($form->absent));
        } elseif ($form->head === Format::NEW_DATA) {
            $this->out .= \chr($form->flags);
        }
        foreach ($form->names as $name) {
            $this->string($name);
        }
        foreach ($form->absent as $name) {
            $this->string($name);
        }

        return $number;
    }

    private function shape(int $number): void
    {
        $this->out .= $number < 32 ? \chr(Format::SHAPE + $number) : "\xcd" . self::uint($number - 32);
    }

    /**
     * Returns the table for these rows, or null if the rows can't form a table (spec/10-snapshot.md#tables). For a
     * table, also counts its columns towards `max_elements`, and gives the objects their numbers.
     *
     * @param list<mixed> $rows
     *
     * @return ?array{list<string>|ObjectForm, list<Column>, list<array<array-key, mixed>>} the shape, its columns, and
     *     the rows
     */
    private function tableOf(array $rows, int $count): ?array
    {
        $first = $rows[0];
        if (\is_array($first)) {
            /** @var list<string> $shape areStrings() checks it below */
            $shape = \array_keys($first);
            if ($shape === [] || \count($shape) > Format::MOST_KEYS || !self::areStrings($shape)) {
                return null;
            }
            foreach ($rows as $key => $row) {
                if (!\is_array($row) || \array_keys($row) !== $shape || ($this->hasReferences && $this->graph->reference($rows, $key) !== null)) {
                    return null;
                }
            }
            $keys = $shape;
        } elseif (\is_object($first)) {
            [$shape, $objects, $rows] = $this->objectRows($rows);
            if ($shape === null) {
                return null;
            }
            $keys = \array_keys($shape->names);
        } else {
            return null;
        }

        $columns = [];
        $elements = $this->elements;
        $pays = false;
        foreach ($keys as $key) {
            /** @var list<mixed> $cells */
            $cells = \array_column($rows, $key);
            $column = $this->hasReferences && ($this->hasReference($rows, $key) || $this->isMixed($cells))
                ? Column::mixed($cells)
                : Column::of($cells, $elements, $this->floats);
            $elements -= $column->charge;
            $pays = $pays || $column->pays();
            $columns[] = $column;
        }
        if (!$pays) {
            return null;
        }
        $this->elements = $elements;
        foreach ($objects ?? [] as $object) {
            $this->objects[\spl_object_id($object)] = \count($this->objects);
        }

        return [$shape, $columns, $rows];
    }

    /**
     * @param list<mixed> $rows
     *
     * @return array{?ObjectForm, list<object>, list<array<int, mixed>>}
     */
    private function objectRows(array $rows): array
    {
        $none = [null, [], []];
        $shape = null;
        $objects = $values = $ids = [];
        foreach ($rows as $key => $row) {
            if (!\is_object($row) || $row instanceof \UnitEnum || ($this->hasReferences && $this->graph->reference($rows, $key) !== null)) {
                return $none;
            }
            $id = \spl_object_id($row);
            $form = $this->graph->forms[$id] ?? null;
            if ($form === null || $form->head !== Format::NEW_OBJECT || isset($this->objects[$id]) || isset($ids[$id])) {
                return $none;
            }
            $shape ??= $form;
            if ($form->shape !== $shape->shape || $form->names === []) {
                return $none;
            }
            $ids[$id] = true;
            $objects[] = $row;
            $values[] = $form->values;
        }

        return [$shape, $objects, $values];
    }

    /**
     * @param list<array<array-key, mixed>> $rows
     */
    private function hasReference(array $rows, int|string $key): bool
    {
        foreach ($rows as $row) {
            if ($this->graph->reference($row, $key) !== null) {
                return true;
            }
        }

        return false;
    }

    /**
     * @param list<mixed> $cells
     */
    private function columnOf(array $cells): Column
    {
        if ($this->hasReferences && ($this->isReferring($cells) || $this->isMixed($cells))) {
            return Column::mixed($cells);
        }

        return Column::of($cells, $this->elements, $this->floats);
    }

    /**
     * @param array{list<string>|ObjectForm, list<Column>, list<array<array-key, mixed>>} $table
     */
    private function table(array $table, int $count): void
    {
        [$shape, $columns, $rows] = $table;
        $number = $shape instanceof ObjectForm ? $this->useShape($shape) : $this->useArrayShape($shape);
        $keys = $shape instanceof ObjectForm ? \array_keys($shape->names) : $shape;
        $mixed = [];
        foreach ($columns as $place => $column) {
            $this->column($column);
            if ($column->kind === Format::MIXED) {
                $mixed[$place] = $keys[$place];
            }
        }
        if ($mixed === []) {
            return;
        }
        foreach ($rows as $row) {
            foreach ($mixed as $place => $key) {
                if (!$this->hasReferences || !$this->reference($row, $key)) {
                    $value = $row[$key];
                    if (\is_array($value) && $value !== []) {
                        $this->arrayAt($value, $number, $place);
                    } else {
                        $this->value($value);
                    }
                }
            }
        }
    }

    /**
     * @param array<array-key, mixed> $array
     */
    private function isFlat(array $array): bool
    {
        return Column::isFlat($array) && !($this->hasReferences && $this->isReferring($array));
    }

    /**
     * Tells whether any element of an array is a reference that occurs more than once.
     *
     * @param array<array-key, mixed> $array
     */
    private function isReferring(array $array): bool
    {
        foreach ($array as $key => $_) {
            if ($this->graph->reference($array, $key) !== null) {
                return true;
            }
        }

        return false;
    }

    /**
     * Tells whether a cell is an array for which isFlat() is false. The column must then be of the kind "mixed"
     * (spec/10-snapshot.md#columns).
     *
     * @param list<mixed> $cells
     */
    private function isMixed(array $cells): bool
    {
        foreach ($cells as $cell) {
            if (\is_array($cell) && !$this->isFlat($cell)) {
                return true;
            }
        }

        return false;
    }

    /**
     * @param list<int|string> $keys
     */
    private static function areStrings(array $keys): bool
    {
        foreach ($keys as $key) {
            if (!\is_string($key)) {
                return false;
            }
        }

        return true;
    }
}
