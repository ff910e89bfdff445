<?php

declare(strict_types=1);

namespace Polypack\Snapshot\V1;

use Polypack\Snapshot\ClassFacts;
use Polypack\Snapshot\ColumnWriter;
use Polypack\Snapshot\Format;
use Polypack\Snapshot\Graph;
use Polypack\Snapshot\ObjectForm;

/**
 * Writes V1 of phpser (spec/10-snapshot.md#v1). phpser recognizes repeated strings by their addresses. This class
 * compares their contents instead, so the bytes depend on the value alone. phpser can read the bytes.
 *
 * @internal
 */
final class V1Writer
{
    private string $out = '';

    /** @var array<string, ?int> by string: its number in the dictionary; null if it was only written in full, once */
    private array $strings = [];

    /** @var list<string> */
    private array $dictionary = [];

    /** @var array<int, int> numbers of objects, by object id */
    private array $objects = [];

    /** @var array<string, int> numbers of references, by their id */
    private array $references = [];

    private int $next = 0;

    /** @var array<string, ClassFacts> */
    private array $facts = [];

    public function __construct(private readonly Graph $graph) {}

    public function write(mixed $value): string
    {
        $this->graph->walk($value);
        $this->value($value);
        $head = \chr(V1::VERSION) . ColumnWriter::uint(\count($this->dictionary));
        foreach ($this->dictionary as $string) {
            $head .= ColumnWriter::uint(\strlen($string)) . $string;
        }

        return $head . $this->out;
    }

    private function value(mixed $value): void
    {
        if (\is_string($value)) {
            $this->string($value, V1::DICTIONARY_STRING, V1::STRING);
        } elseif (\is_int($value)) {
            $this->out .= "\x03" . ColumnWriter::sint($value);
        } elseif (\is_array($value)) {
            \array_is_list($value) ? $this->list($value) : $this->map($value);
        } elseif (\is_float($value)) {
            $this->out .= "\x04" . ColumnWriter::double($value);
        } elseif (\is_bool($value)) {
            $this->out .= $value ? "\x02" : "\x01";
        } elseif (\is_object($value)) {
            $this->object($value);
        } else {
            $this->out .= "\x00";
        }
    }

    /**
     * Writes a string. The first time, writes it in full with the tag $full. After that, writes its number in the
     * dictionary with the tag $known.
     */
    private function string(string $string, int $known, int $full): void
    {
        if (\array_key_exists($string, $this->strings)) {
            $this->out .= \chr($known) . ColumnWriter::uint($this->strings[$string] ?? $this->entry($string));
        } else {
            $this->strings[$string] = null;
            $this->out .= \chr($full) . ColumnWriter::uint(\strlen($string)) . $string;
        }
    }

    private function entry(string $string): int
    {
        $number = $this->strings[$string] ?? null;
        if ($number === null) {
            $this->strings[$string] = $number = \count($this->dictionary);
            $this->dictionary[] = $string;
        }

        return $number;
    }

    /**
     * @param list<mixed> $list
     */
    private function list(array $list): void
    {
        $kind = $list === [] || $this->isReferring($list) ? V1::LIST : $this->kindOf($list);
        $this->out .= \chr($kind) . ColumnWriter::uint(\count($list));
        foreach ($list as $key => $value) {
            if ($kind === V1::LIST) {
                $this->child($list, $key);
            } elseif (\is_int($value)) {
                $this->out .= ColumnWriter::sint($value);
            } elseif (\is_float($value)) {
                $this->out .= ColumnWriter::double($value);
            } elseif (\is_string($value)) {
                $this->out .= ColumnWriter::uint($this->entry($value));
            }
        }
    }

    /**
     * @param list<mixed> $list
     */
    private function kindOf(array $list): int
    {
        foreach ([[V1::INTS, \is_int(...)], [V1::DOUBLES, \is_float(...)], [V1::STRINGS, fn(mixed $value): bool => \is_string($value) && isset($this->strings[$value])]] as [$kind, $is]) {
            if ($is($list[0]) && \count(\array_filter($list, $is)) === \count($list)) {
                return $kind;
            }
        }

        return V1::LIST;
    }

    /**
     * @param array<array-key, mixed> $map
     */
    private function map(array $map): void
    {
        $this->out .= "\x06" . ColumnWriter::uint(\count($map));
        foreach ($map as $key => $_) {
            if (\is_int($key)) {
                $this->out .= "\x00" . ColumnWriter::sint($key);
            } else {
                $this->string($key, V1::DICTIONARY_KEY, V1::STRING_KEY);
            }
            $this->child($map, $key);
        }
    }

    /**
     * @param array<array-key, mixed> $array
     */
    private function isReferring(array $array): bool
    {
        if ($this->graph->references !== []) {
            foreach ($array as $key => $_) {
                if ($this->graph->reference($array, $key) !== null) {
                    return true;
                }
            }
        }

        return false;
    }

    /**
     * @param array<array-key, mixed> $array
     */
    private function child(array $array, int|string $key): void
    {
        $id = $this->graph->references === [] ? null : $this->graph->reference($array, $key);
        if ($id === null) {
            $this->value($array[$key]);
        } elseif (isset($this->references[$id])) {
            $this->out .= "\x10" . ColumnWriter::uint($this->references[$id]);
        } else {
            $this->references[$id] = $this->next++;
            $value = $array[$key];
            // V1 can't express a new reference to an object that was written before, so the reference gets the object's
            // number
            if (\is_object($value) && isset($this->objects[\spl_object_id($value)])) {
                $this->references[$id] = $this->objects[\spl_object_id($value)];
                --$this->next;
                $this->value($value);
            } else {
                $this->out .= "\x11";
                $this->value($value);
            }
        }
    }

    private function object(object $object): void
    {
        if ($object instanceof \UnitEnum) {
            ++$this->next;
            $this->out .= "\x0d" . ColumnWriter::uint($this->entry($object::class)) . ColumnWriter::uint($this->entry($object->name));

            return;
        }
        $id = \spl_object_id($object);
        if (isset($this->objects[$id])) {
            $this->out .= "\x10" . ColumnWriter::uint($this->objects[$id]);

            return;
        }
        $form = $this->graph->forms[$id] ?? null;
        if ($form === null) {
            $this->out .= "\x00";

            return;
        }
        $this->objects[$id] = $this->next++;
        $class = ColumnWriter::uint($this->entry($form->class));
        $data = $form->values[0] ?? null;
        if ($form->head === Format::NEW_CASE) {
            $this->out .= "\x0d" . $class . ColumnWriter::uint($this->entry($form->names[0] ?? ''));
        } elseif ($form->head === Format::NEW_LEGACY && \is_string($data)) {
            $this->out .= "\x0f" . $class . ColumnWriter::uint(\strlen($data)) . $data;
        } elseif ($form->head === Format::NEW_DATA && $form->flags === Format::DATA) {
            $this->out .= "\x0e" . $class;
            $this->value($data);
        } else {
            $values = $form->head === Format::NEW_DATA && \is_array($data) ? $data : $form->values;
            $names = $form->head === Format::NEW_DATA ? \array_map(\strval(...), \array_keys($values)) : $form->names;
            $this->properties($form, $class, $names, $values);
        }
    }

    /**
     * @param list<string>            $names
     * @param array<array-key, mixed> $values
     */
    private function properties(ObjectForm $form, string $class, array $names, array $values): void
    {
        $facts = \class_exists($form->class, false) ? $this->facts[$form->class] ??= new ClassFacts($form->class) : null;
        $this->out .= "\x0a" . $class . ColumnWriter::uint(\count($names));
        foreach (\array_keys($values) as $i => $key) {
            $name = $names[$i] ?? '';
            $this->out .= ColumnWriter::uint($this->entry($facts?->slot($name)->key ?? $name));
            $this->child($values, $key);
        }
    }
}
