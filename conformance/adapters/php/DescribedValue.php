<?php

declare(strict_types=1);

namespace Polypack\Conformance;

use Polypack\Snapshot\Format;
use Polypack\Snapshot\Incomplete;
use Polypack\Snapshot\ObjectForm;

/**
 * Describes what PHP reads of a snapshot as data, in the notation of vectors/README.md#snapshots. What other languages
 * don't keep isn't told: references to anything but arrays, and how properties are declared.
 *
 * @phpstan-type Value array<string, mixed>
 */
final class DescribedValue
{
    /** @var array<string, int> how often a reference occurs */
    private array $times = [];

    /** @var array<string, int> numbers of references to arrays */
    private array $references = [];

    /** @var array<int, int> numbers of objects */
    private array $objects = [];

    /** @var array<int, ObjectForm> of objects; kept, so that no reference in one gets the id of another's */
    private array $forms = [];

    /**
     * @return Value
     */
    public static function of(mixed $value): array
    {
        $self = new self();
        $self->count($value);

        return $self->value($value);
    }

    private function count(mixed $value): void
    {
        if (\is_object($value) && !isset($this->forms[\spl_object_id($value)])) {
            $this->forms[\spl_object_id($value)] = $form = Incomplete::form($value);
            $this->countAll($form->values);
        } elseif (\is_array($value)) {
            $this->countAll($value);
        }
    }

    /**
     * @param array<array-key, mixed> $values
     */
    private function countAll(array $values): void
    {
        foreach ($values as $key => $value) {
            $id = \ReflectionReference::fromArrayElement($values, $key)?->getId();
            if ($id === null || ($this->times[$id] = ($this->times[$id] ?? 0) + 1) === 1) {
                $this->count($value);
            }
        }
    }

    /**
     * @param array<array-key, mixed> $values
     *
     * @return Value
     */
    private function element(array $values, int|string $key): array
    {
        $value = $values[$key];
        $id = \ReflectionReference::fromArrayElement($values, $key)?->getId();
        if (!\is_array($value) || $id === null || $this->times[$id] === 1) {
            return $this->value($value);
        }
        if (isset($this->references[$id])) {
            return ['reference' => $this->references[$id]];
        }
        $this->references[$id] = \count($this->references);

        return ['reference' => $this->references[$id], 'value' => $this->value($value)];
    }

    /**
     * @return Value
     */
    private function value(mixed $value): array
    {
        return match (true) {
            $value === null => ['null' => true],
            \is_bool($value) => ['bool' => $value],
            \is_int($value) => ['int' => (string) $value],
            \is_float($value) => ['float' => \is_nan($value) ? '7ff8000000000000' : \bin2hex(\pack('E', $value))],
            \is_string($value) => self::text($value),
            \is_array($value) => $this->array($value),
            \is_object($value) => $this->object($value),
            default => throw new \LogicException('no value of a snapshot: ' . \get_debug_type($value)),
        };
    }

    /**
     * @return Value
     */
    private static function text(string $text): array
    {
        return \preg_match('/^[\x20-\x7e]*$/D', $text) === 1 ? ['str' => $text] : ['hex' => \bin2hex($text)];
    }

    /**
     * @param array<array-key, mixed> $array
     *
     * @return Value
     */
    private function array(array $array): array
    {
        if (\array_is_list($array)) {
            return ['list' => \array_map(fn(int $key): array => $this->element($array, $key), \array_keys($array))];
        }

        return ['map' => \array_map(fn(int|string $key): array => [$this->value($key), $this->element($array, $key)], \array_keys($array))];
    }

    /**
     * @return Value
     */
    private function object(object $value): array
    {
        $form = $this->forms[\spl_object_id($value)];
        if ($form->head === Format::NEW_CASE) {
            return ['case' => [$form->class, $form->names[0]]];
        }
        if (isset($this->objects[\spl_object_id($value)])) {
            return ['again' => $this->objects[\spl_object_id($value)]];
        }
        $this->objects[\spl_object_id($value)] = \count($this->objects);
        $about = ['object' => $form->class, 'id' => \count($this->objects) - 1];
        if ($form->head === Format::NEW_LEGACY) {
            return $about + ['bytes' => $this->value($form->values[0])];
        }
        if ($form->head === Format::NEW_DATA && $form->flags !== Format::PROPERTIES) {
            return $about + ['data' => $this->value($form->values[0])];
        }
        $values = $form->head === Format::NEW_DATA ? (array) $form->values[0] : $form->values;
        $names = $form->head === Format::NEW_DATA ? \array_keys($values) : $form->names;
        $properties = \array_map(fn(int|string $name, int|string $key): array => [self::text((string) $name), $this->element($values, $key)], $names, \array_keys($values));

        return $about + ['properties' => $properties] + ($form->absent === [] ? [] : ['absent' => \array_map(self::text(...), $form->absent)]);
    }
}
