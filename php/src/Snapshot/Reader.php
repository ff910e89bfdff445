<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

use Polypack\Exception\ErrorCode;

/**
 * Reads a snapshot (spec/10-snapshot.md). An object is made as soon as its head is read. There are two exceptions: a
 * row of a table is made after its cells, and an ArrayObject after its data. Either is made earlier if a value inside
 * refers to it. The hooks run after the last value, in the order in which their objects became complete. So the
 * hooks of inner objects run first.
 *
 * @internal
 */
final class Reader extends ShapeReader
{
    /** @var array<int, object|null> by number; null for an object that hasn't been made yet */
    private array $objects = [];

    /** @var array<int, Plan> by the number of the object: plans for rows of tables and for ArrayObjects */
    private array $plans = [];

    /** @var array<int, mixed> values of references, by number; each element is itself a PHP reference */
    private array $references = [];

    /** @var list<Hook> */
    private array $hooks = [];

    /**
     * @throws Failure
     */
    public function read(): mixed
    {
        $this->header();
        try {
            $value = $this->value(0, 0);
            if ($this->at !== $this->end) {
                $length = $this->end - $this->at;

                throw new Failure(ErrorCode::TrailingData, "{$length} bytes follow the value", 'the input is damaged', $this->at);
            }
            // Frees the reader's own references. Otherwise an element would stay a PHP reference even if no other
            // element shares its value.
            $this->shapes = $this->references = $this->strings = [];
            foreach ($this->hooks as $hook) {
                $hook->run();
            }
        } catch (\Throwable $failure) {
            Unfinished::keep($this->objects);

            throw $failure;
        }

        return $value;
    }

    private function header(): void
    {
        $there = \substr($this->bytes, 0, 2);
        if ($there !== Format::START) {
            if (\str_starts_with(Format::START, $there)) {
                throw Failure::end($this->end, 'a snapshot should start here');
            }

            if ($there === Envelope::START) {
                throw new Failure(ErrorCode::InvalidSnapshot, 'the input is a signed envelope', 'read it with polypack_unserialize_signed()', 0);
            }

            throw Failure::invalid('the input does not start as a snapshot does', 0);
        }
        if ($this->end < 4) {
            throw Failure::end($this->end, 'a snapshot has no complete header');
        }
        $version = \ord($this->bytes[2]);
        if ($version !== Format::VERSION) {
            throw new Failure(ErrorCode::InvalidSnapshot, "the snapshot has version {$version}", 'update the reader', 2);
        }
        if ($this->bytes[3] !== "\0") {
            throw new Failure(ErrorCode::InvalidSnapshot, 'the snapshot has flags that this version does not know', 'update the reader', 3);
        }
        $this->at = 4;
    }

    /**
     * @param int    $owed  values that the containers around this value still owe after it (spec/06-limits.md#counts)
     * @param ?Shape $shape the shape that has the value, at $place; null if the value isn't in a shape
     */
    protected function value(int $owed, int $depth, ?Shape $shape = null, int $place = 0): mixed
    {
        $at = $this->at;
        if ($at >= $this->end) {
            throw Failure::end($at);
        }
        $head = \ord($this->bytes[$at]);
        $this->at = $at + 1;
        if ($head < 0x40) {
            return $head;
        }
        if ($head < 0x60) {
            return $this->numbered($head & 0x1f, $at);
        }
        if ($head < 0x80) {
            return $this->shaped($head & 0x1f, $owed, $depth, $at, $shape, $place);
        }
        if ($head < 0x90) {
            $list = $this->list($head & 0x0f, $owed, $depth, $at);
            if ($shape !== null && $list !== []) {
                $shape->latest[$place] = $list;
            }

            return $list;
        }
        if ($head < 0xc0) {
            return $this->earlier($head - Format::EARLIER, $at);
        }
        if ($head >= Format::NEGATIVE) {
            return $head - 256;
        }
        switch ($head) {
            case Format::NIL:
                return null;
            case Format::FALSE:
                return false;
            case Format::TRUE:
                return true;
            case Format::INT8:
                $value = \ord($this->take(1, $at));

                return $value < 0x80 ? $value : $value - 0x100;
            case Format::INT16:
                $value = self::number('v', $this->take(2, $at));

                return $value < 0x8000 ? $value : $value - 0x1_0000;
            case Format::INT32:
                $value = self::number('V', $this->take(4, $at));

                return $value < 0x8000_0000 ? $value : $value - 0x1_0000_0000;
            case Format::INT64:
                return self::number('P', $this->take(8, $at));
            case Format::DOUBLE:
                return self::double($this->take(8, $at));
            case Format::STRING8:
                return $this->numbered($this->byte($at), $at);
            case Format::LONG_STRING:
                return $this->long($at);
            case Format::EARLIER8:
                return $this->earlier(48 + $this->byte($at), $at);
            case Format::ANY_EARLIER:
                return $this->earlier(304 + $this->uint($at), $at);
            case Format::ANY_SHAPE:
                return $this->shaped(32 + $this->uint($at), $owed, $depth, $at, $shape, $place);
            case Format::NEW_ARRAY:
            case Format::NEW_OBJECT:
            case Format::NEW_DATA:
            case Format::NEW_LEGACY:
            case Format::NEW_CASE:
                return $this->shaped($this->newShape($head, $at), $owed, $depth, $at, $shape, $place);
            case Format::SAME:
                return $this->same($shape, $place, $at);
            case Format::REFERENCE:
            case Format::NEW_REFERENCE:
                throw Failure::invalid('a reference stands where none may', $at);
            case Format::OBJECT:
                return $this->objectAgain($this->uint($at), $at);
            case Format::ANY_LIST:
                $array = $this->list($this->uint($at), $owed, $depth, $at);
                break;
            case Format::COLUMN_LIST:
                $count = $this->count($depth, $at);
                $array = $this->column($count, $depth, $at)[0] ?? [];
                break;
            case Format::TABLE_LIST:
                $array = $this->table($this->count($depth, $at), null, $owed, $depth, $at);
                break;
            case Format::MAP:
            case Format::COLUMN_MAP:
            case Format::TABLE_MAP:
                $array = $this->map($head, $owed, $depth, $at);
                break;
            default:
                throw Failure::invalid(\sprintf('the head byte 0x%02x is reserved', $head), $at);
        }
        if ($shape !== null && $array !== []) {
            $shape->latest[$place] = $array;
        }

        return $array;
    }

    /**
     * @return list<mixed>
     */
    private function list(int $count, int $owed, int $depth, int $at): array
    {
        $this->open($count, $owed, $depth, $at);
        $owed += $count;
        ++$depth;
        $list = [];
        $i = 0;
        try {
            for (; $i < $count; ++$i) {
                $head = $this->bytes[$this->at] ?? '';
                if ($head === "\xda" || $head === "\xdb") {
                    $list[] = &$this->reference(--$owed, $depth);
                } else {
                    $list[] = $this->value(--$owed, $depth);
                }
            }
        } catch (Failure $failure) {
            throw $failure->in($i);
        }

        return $list;
    }

    /**
     * @return array<array-key, mixed>
     */
    private function map(int $head, int $owed, int $depth, int $at): array
    {
        $count = $this->count($depth, $at);
        $keys = $this->keys($count);
        if ($head === Format::TABLE_MAP) {
            $values = $this->table($count, $keys, $owed, $depth, $at);
        } elseif ($head === Format::COLUMN_MAP) {
            $values = $this->column($count, $depth, $at)[0] ?? [];
        } else {
            $this->open($count, $owed, $depth, $at);
            $owed += $count;
            $values = [];
            $i = 0;
            try {
                for (; $i < $count; ++$i) {
                    $next = $this->bytes[$this->at] ?? '';
                    if ($next === "\xda" || $next === "\xdb") {
                        $values[] = &$this->reference(--$owed, $depth + 1);
                    } else {
                        $values[] = $this->value(--$owed, $depth + 1);
                    }
                }
            } catch (Failure $failure) {
                throw $failure->in($keys[$i]);
            }
        }

        return $this->combined($keys, $values, $at);
    }

    private function shaped(int $number, int $owed, int $depth, int $at, ?Shape $outer, int $place): mixed
    {
        $shape = $this->shapes[$number] ?? throw Failure::invalid("shape {$number} has not been there", $at);
        if ($shape->head === Format::NEW_CASE) {
            return $shape->case;
        }
        if ($shape->cost > 0) {
            $this->pay($shape->cost, 1, $at);
        }
        $plan = $shape->plan;
        if ($plan === null) {
            $array = $this->entries($shape, $owed, $depth, $at);
            if ($outer !== null) {
                $outer->latest[$place] = $array;
            }

            return $array;
        }
        if ($shape->head === Format::NEW_OBJECT) {
            $this->open(\count($shape->keys), $owed, $depth, $at);
            $this->objects[] = $object = $plan->make($at);
            [$values, $references] = $this->values($shape, $owed, $depth);
            $hook = $plan->fill($object, $values, $references, $at);
        } elseif ($plan->takesIterator && $shape->head === Format::NEW_DATA) {
            return $this->arrayObject($plan, $owed, $depth, $at);
        } else {
            $this->open(1, $owed, $depth, $at);
            $this->objects[] = $object = $plan->make($at);
            $start = $this->at;
            if ($shape->head === Format::NEW_LEGACY) {
                $hook = $plan->fillLegacy($object, $this->text(), $at);
            } else {
                $data = $this->value($owed, $depth + 1);
                if (!\is_array($data)) {
                    throw Failure::invalid('the data of an object are no array', $start);
                }
                $hook = $plan->fillData($object, $data, $at);
            }
        }
        if ($hook !== null) {
            $this->hooks[] = $hook;
        }

        return $object;
    }

    /**
     * Reads an ArrayObject or ArrayIterator. The last element of its data may name a class of iterators, which decides
     * what the object becomes. So the object is made after its data, or earlier if a value in them refers to it.
     */
    private function arrayObject(Plan $plan, int $owed, int $depth, int $at): object
    {
        $this->open(1, $owed, $depth, $at);
        $number = \count($this->objects);
        $this->objects[] = null;
        $this->plans[$number] = $plan;
        $start = $this->at;
        if (($this->bytes[$start] ?? '') === "\x84") { // a list of four, as writers write the data
            ++$this->at;
            $this->open(4, $owed, $depth + 1, $start);
            $data = $this->list(3, $owed + 1, $depth + 1, $start);
            $start = $this->at;
            try {
                if (($this->bytes[$start] ?? '') === "\xda" || ($this->bytes[$start] ?? '') === "\xdb") {
                    $data[] = &$this->reference($owed, $depth + 2);
                } else {
                    $data[] = $this->value($owed, $depth + 2);
                }
            } catch (Failure $failure) {
                throw $failure->in(ClassFacts::ITERATOR);
            }
        } else {
            $data = $this->value($owed, $depth + 1);
            if (!\is_array($data)) {
                throw Failure::invalid('the data of an object are no array', $start);
            }
        }
        $plan = $plan->withIterator($data, $this->objects[$number] !== null, $start);
        $this->objects[$number] = $object = $this->objects[$number] ?? $plan->make($at);
        $hook = $plan->fillData($object, $data, $at);
        if ($hook !== null) {
            $this->hooks[] = $hook;
        }

        return $object;
    }

    /**
     * @return array<string, mixed>
     */
    private function entries(Shape $shape, int $owed, int $depth, int $at): array
    {
        $owed += \count($shape->keys);
        $this->open(0, $owed, $depth, $at);
        ++$depth;
        $array = [];
        $key = '';
        try {
            foreach ($shape->keys as $place => $key) {
                $head = $this->bytes[$this->at] ?? '';
                if ($head === "\xda" || $head === "\xdb") {
                    $array[$key] = &$this->reference(--$owed, $depth);
                } else {
                    $array[$key] = $this->value(--$owed, $depth, $shape, $place);
                }
            }
        } catch (Failure $failure) {
            throw $failure->in($key);
        }

        return $array;
    }

    /**
     * @return array{array<int, mixed>, array<int, true>} the values, and which of them are references
     */
    private function values(Shape $shape, int $owed, int $depth): array
    {
        $owed += \count($shape->keys);
        ++$depth;
        $values = $references = [];
        $key = '';
        try {
            foreach ($shape->keys as $place => $key) {
                $head = $this->bytes[$this->at] ?? '';
                if ($head === "\xda" || $head === "\xdb") {
                    $references[$place] = true;
                    $values[] = &$this->reference(--$owed, $depth);
                } else {
                    $values[] = $this->value(--$owed, $depth, $shape, $place);
                }
            }
        } catch (Failure $failure) {
            throw $failure->in(ClassFacts::plainName($key));
        }

        return [$values, $references];
    }

    private function &reference(int $owed, int $depth): mixed
    {
        $at = $this->at++;
        if ($this->bytes[$at] === "\xdb") {
            $number = $this->uint($at);
            if (!\array_key_exists($number, $this->references)) {
                throw Failure::invalid("reference {$number} has not been there", $at);
            }

            return $this->references[$number];
        }
        $number = \count($this->references);
        $this->references[$number] = null;
        $reference = &$this->references[$number];
        $reference = $this->value($owed, $depth);

        return $reference;
    }

    private function objectAgain(int $number, int $at): object
    {
        if (!\array_key_exists($number, $this->objects)) {
            throw Failure::invalid("object {$number} has not been there", $at);
        }

        return $this->objects[$number] ??= $this->plans[$number]->make($at);
    }

    /**
     * @return array<array-key, mixed>
     */
    private function same(?Shape $shape, int $place, int $at): array
    {
        $array = $shape->latest[$place] ?? null;
        if ($array === null || !$this->isFlat($array)) {
            throw Failure::invalid('no array that may be shared has been at this place', $at);
        }
        $this->charge(\count($array) + 1, $at);

        return $array;
    }

    /**
     * @param array<array-key, mixed> $array
     */
    protected function isFlat(array $array): bool
    {
        if (\count($array) > Format::MOST_SHARED) {
            return false;
        }
        foreach ($array as $key => $value) {
            if (\is_float($value) || \is_array($value) || (\is_object($value) && !$value instanceof \UnitEnum && !$this->isCase($value)) || \ReflectionReference::fromArrayElement($array, $key) !== null) {
                return false;
            }
        }

        return true;
    }

    /**
     * @param ?list<int|string> $keys keys of the rows, for the path of an error; null for a list
     *
     * @return list<mixed>
     */
    private function table(int $count, ?array $keys, int $owed, int $depth, int $at): array
    {
        $start = $this->at;
        $head = $this->byte($at);
        $number = match (true) {
            $head >= 0x60 && $head < 0x80 => $head & 0x1f,
            $head === Format::ANY_SHAPE => 32 + $this->uint($start),
            $head === Format::NEW_ARRAY || $head === Format::NEW_OBJECT => $this->newShape($head, $start),
            default => throw Failure::invalid('a table has no shape', $start),
        };
        $shape = $this->shapes[$number] ?? throw Failure::invalid("shape {$number} has not been there", $start);
        if (($shape->head !== Format::NEW_ARRAY && $shape->head !== Format::NEW_OBJECT) || $shape->keys === []) {
            throw Failure::invalid('a table has no shape with values', $start);
        }
        if ($depth + 1 >= $this->maxDepth) {
            throw Failure::depth($this->maxDepth, $at);
        }
        if ($shape->cost > 0) {
            $this->pay($shape->cost, $count, $at);
        }
        $columns = $mixed = [];
        $pays = false;
        foreach ($shape->keys as $place => $key) {
            [$cells, $paysAlone] = $this->column($count, $depth + 1, $at, true);
            $pays = $pays || $paysAlone;
            if ($cells === null) {
                $mixed[$place] = $key;
                $cells = [];
            }
            $columns[] = $cells;
        }
        if (!$pays) {
            throw Failure::invalid('the rows of a table cost no bytes', $at);
        }
        $owed += $count * \count($mixed);
        $remaining = $this->end - $this->at;
        if ($owed > $remaining) {
            throw Failure::end($at, "a table and the containers around it promise {$owed} values but {$remaining} bytes remain");
        }

        return $shape->plan === null
            ? $this->arrayRows($shape, $count, $columns, $mixed, $keys, $owed, $depth + 2)
            : $this->objectRows($shape, $shape->plan, $count, $columns, $mixed, $keys, $owed, $depth + 2, $at);
    }

    /**
     * @param list<list<mixed>>  $columns
     * @param array<int, string> $mixed keys of the columns whose cells come row by row, by place
     * @param ?list<int|string>  $keys
     *
     * @return list<array<string, mixed>>
     */
    private function arrayRows(Shape $shape, int $count, array $columns, array $mixed, ?array $keys, int $owed, int $depth): array
    {
        $references = [];
        $i = 0;
        $key = '';
        if ($mixed !== []) {
            try {
                for (; $i < $count; ++$i) {
                    foreach ($mixed as $place => $key) {
                        $head = $this->bytes[$this->at] ?? '';
                        if ($head === "\xda" || $head === "\xdb") {
                            $columns[$place][] = &$this->reference(--$owed, $depth);
                            $references[$place] = true;
                        } else {
                            $columns[$place][] = $this->value(--$owed, $depth, $shape, $place);
                        }
                    }
                }
            } catch (Failure $failure) {
                throw $failure->in($key)->in($keys[$i] ?? $i);
            }
        }
        $rows = [];
        foreach ($shape->keys as $place => $key) {
            if (isset($references[$place])) {
                foreach ($columns[$place] as $i => $_) {
                    $rows[$i][$key] = &$columns[$place][$i];
                }
            } else {
                foreach ($columns[$place] as $i => $cell) {
                    $rows[$i][$key] = $cell;
                }
            }
            $columns[$place] = [];
        }

        /** @var list<array<string, mixed>> $rows */
        return $rows;
    }

    /**
     * @param list<list<mixed>>  $columns
     * @param array<int, string> $mixed keys of the columns whose cells come row by row, by place
     * @param ?list<int|string>  $keys
     *
     * @return list<object>
     */
    private function objectRows(Shape $shape, Plan $plan, int $count, array $columns, array $mixed, ?array $keys, int $owed, int $depth, int $at): array
    {
        $first = \count($this->objects);
        for ($i = 0; $i < $count; ++$i) {
            $this->objects[] = null;
            $this->plans[$first + $i] = $plan;
        }
        $rows = [];
        $i = 0;
        $key = '';
        try {
            for (; $i < $count; ++$i) {
                $values = $references = [];
                foreach ($columns as $place => $cells) {
                    $key = $mixed[$place] ?? null;
                    if ($key === null) {
                        $values[] = $cells[$i];
                        continue;
                    }
                    $head = $this->bytes[$this->at] ?? '';
                    if ($head === "\xda" || $head === "\xdb") {
                        $values[] = &$this->reference(--$owed, $depth);
                        $references[$place] = true;
                    } else {
                        $values[] = $this->value(--$owed, $depth, $shape, $place);
                    }
                }
                $key = null;
                $rows[] = $object = $this->objects[$first + $i] ??= $plan->make($at);
                $hook = $plan->fill($object, $values, $references, $at);
                if ($hook !== null) {
                    $this->hooks[] = $hook;
                }
            }
        } catch (Failure $failure) {
            if ($key !== null) {
                $failure->in(ClassFacts::plainName($key));
            }

            throw $failure->in($keys[$i] ?? $i);
        }

        return $rows;
    }
}
