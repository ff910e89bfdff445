<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

use Polypack\Exception\ErrorCode;

/**
 * Walks a value before it is written. A walk calls the hooks of the objects, in the order of the walk. It calls a hook
 * in user code only once per object. A walk also finds the references that occur more than once. A reference that
 * occurs only once is written as its value. For example, a `foreach` by reference leaves such a reference in an array,
 * and must not change the bytes.
 *
 * User code, such as hooks, may change the value. So the value is walked again until a walk runs no user code. What the
 * last walk found is written. If 8 walks aren't enough, walk() throws.
 *
 * @internal
 */
final class Graph
{
    /** @var array<string, true> references that occur more than once, by their id */
    public array $references = [];

    /** @var array<int, ?ObjectForm> by object id; null for an object that is written as null */
    public array $forms = [];

    /**
     * @var array<string, \ReflectionReference> references of this walk by their id. They are kept so that PHP doesn't
     *                                          reuse their ids
     */
    private array $seen = [];

    private int $walks = 0;

    /** Whether this walk may have run a hook, an initializer or an error handler. Each may have changed the value. */
    private bool $hasCalled = false;

    /** @var array<int, true> ids of objects whose __sleep answer was checked; warnings are raised only once */
    private array $warned = [];

    /**
     * @var array<int, object> objects of all walks. They must not be freed before the end, because PHP would reuse
     *                 their ids
     *
     * @phpstan-ignore property.onlyWritten
     */
    private array $kept = [];

    /** @var array<string, ClassFacts> */
    private array $facts = [];

    /**
     * @param array<int, array{object, mixed}> $answers by object id: the object, and what its hook returned. With 0
     *                                                  instead of an id: only the last walk is left
     */
    public function __construct(
        private readonly int $maxDepth,
        private readonly bool $makesNull,
        private readonly ?Learner $learner,
        private array $answers = [],
    ) {}

    /**
     * @throws Failure
     */
    public function walk(mixed $value): void
    {
        $this->walks = isset($this->answers[0]) ? Format::MOST_WALKS - 1 : 0;
        do {
            ++$this->walks;
            $this->forms = $this->references = $this->seen = [];
            $this->hasCalled = false;
            $this->begin($value);
        } while ($this->hasCalled);
    }

    /**
     * Notes that user code is about to run for an object. In the last walk, it may not.
     *
     * @throws Failure
     */
    private function call(object $object): void
    {
        if ($this->walks >= Format::MOST_WALKS) {
            $what = 'hooks of writing add objects with hooks again and again, here of ' . $object::class;

            throw new Failure(ErrorCode::UnsupportedValue, $what, 'let them change nothing');
        }
        $this->hasCalled = true;
    }

    private function begin(mixed $value): void
    {
        if (\is_array($value)) {
            $this->children($value, 0);
        } elseif (\is_object($value)) {
            $this->object($value, 0);
        } elseif (!\is_scalar($value) && $value !== null) {
            $this->refuse($value);
        }
    }

    /**
     * Returns the id of a reference that is an element of an array. Returns null if the element isn't a reference, or
     * the reference occurs only once.
     *
     * @param array<array-key, mixed> $array
     */
    public function reference(array $array, int|string $key): ?string
    {
        $id = \ReflectionReference::fromArrayElement($array, $key)?->getId();

        return $id !== null && isset($this->references[$id]) ? $id : null;
    }

    /**
     * @param array<array-key, mixed> $values
     * @param list<string>            $names names of the values, for the path of an error
     */
    private function children(array $values, int $depth, array $names = []): void
    {
        if ($depth >= $this->maxDepth) {
            throw Failure::depth($this->maxDepth);
        }
        ++$depth;
        foreach ($values as $key => $value) {
            $reference = \ReflectionReference::fromArrayElement($values, $key);
            if ($reference !== null) {
                $id = $reference->getId();
                if (isset($this->seen[$id])) {
                    $this->references[$id] = true;
                    continue;
                }
                $this->seen[$id] = $reference;
            }
            if (\is_array($value)) {
                if ($value !== []) {
                    try {
                        $this->children($value, $depth);
                    } catch (Failure $failure) {
                        throw $failure->in($names[$key] ?? $key);
                    }
                } elseif ($depth >= $this->maxDepth) {
                    throw Failure::depth($this->maxDepth)->in($names[$key] ?? $key);
                }
            } elseif (!\is_scalar($value) && $value !== null) {
                try {
                    \is_object($value) ? $this->object($value, $depth) : $this->refuse($value);
                } catch (Failure $failure) {
                    throw $failure->in($names[$key] ?? $key);
                }
            }
        }
    }

    private function object(object $object, int $depth): void
    {
        if ($object instanceof \UnitEnum) {
            $this->learner?->learn($object::class);

            return;
        }
        $id = \spl_object_id($object);
        if (\array_key_exists($id, $this->forms)) {
            return;
        }
        if ($depth >= $this->maxDepth) {
            throw Failure::depth($this->maxDepth);
        }
        $this->kept[$id] = $object;
        $form = $this->form($object);
        $this->forms[$id] = $form;
        if ($form !== null && $form->head !== Format::NEW_LEGACY) {
            if ($form->head === Format::NEW_DATA) {
                $data = $form->values[0];
                $this->children(\is_array($data) ? $data : [], $depth + 1);
            } else {
                $this->children($form->values, $depth, $form->names);
            }
        }
    }

    /**
     * Returns what the hook of an object returned. Calls the hook only the first time.
     *
     * @param \Closure(): mixed $hook
     */
    private function answer(object $object, \Closure $hook): mixed
    {
        $id = \spl_object_id($object);
        if (!isset($this->answers[$id])) {
            $this->call($object);
            $this->answers[$id] = [$object, $hook()];
        }

        return $this->answers[$id][1];
    }

    private function form(object $object): ?ObjectForm
    {
        if (Incomplete::is($object)) {
            return Incomplete::form($object);
        }
        $facts = $this->facts[$object::class] ??= new ClassFacts($object::class);
        $refusal = $facts->refusal();
        if ($refusal !== null) {
            $this->refuse($object, $refusal);

            return null;
        }
        $this->learner?->learn($facts->name);
        if ($facts->hasSerialize) {
            $data = $facts->isOfPhp && !$object instanceof \DatePeriod // which makes new objects in each call
                ? self::dataOfPhp($object)
                : $this->answer($object, static fn(): mixed => $object->__serialize()); // @phpstan-ignore method.notFound
            if (!\is_array($data)) {
                throw new \TypeError("{$facts->name}::__serialize() must return an array");
            }
            if ($facts->takesIterator && \is_string($data[ClassFacts::ITERATOR] ?? null)) {
                $this->learner?->learn($data[ClassFacts::ITERATOR]);
            }

            return ObjectForm::data($facts->name, Format::DATA, [$data]);
        }
        if ($object instanceof \Serializable) {
            $bytes = $this->answer($object, $object->serialize(...));
            if ($bytes !== null && !\is_string($bytes)) {
                throw new \Exception("{$facts->name}::serialize() must return a string or NULL");
            }

            foreach ($bytes === null || $this->learner === null ? [] : LegacyData::classes($bytes, static fn(string $class): bool => ClassFacts::takesIteratorByName($class, false)) as $name) {
                $this->learner?->learn($name);
            }

            return $bytes === null ? null : ObjectForm::legacy($facts->name, $bytes);
        }
        $class = $facts->reflection;
        if (\method_exists($class, 'isUninitializedLazyObject') && $class->isUninitializedLazyObject($object) === true) {
            $this->call($object); // the initializer may change the value
            $class->initializeLazyObject($object); // @phpstan-ignore method.notFound (PHP 8.4 has both methods)
        }

        return $facts->hasSleep ? $this->chosen($object, $facts) : $this->all($object, $facts);
    }

    /**
     * Calls a `__serialize` that is built into PHP. For a Randomizer, reads the properties instead: in PHP 8.2, PHP
     * code can't read what its `__serialize` returns.
     */
    private static function dataOfPhp(object $object): mixed
    {
        return $object instanceof \Random\Randomizer
            ? [\get_mangled_object_vars($object)]
            : $object->__serialize(); // @phpstan-ignore method.notFound
    }

    /**
     * Returns a form with all properties that have a value. The declared properties come first, in the order of
     * ClassFacts::$slots. The dynamic properties follow in the order in which PHP has them. If there are too many
     * properties for a shape, returns what many() returns.
     */
    private function all(object $object, ClassFacts $facts): ObjectForm
    {
        $properties = \get_mangled_object_vars($object);
        if (\count($properties) > Format::MOST_PROPERTIES) {
            return self::many($properties, $facts);
        }
        if (\array_keys($properties) === $facts->keys) {
            return $facts->form(\array_values($properties));
        }
        $names = $values = $absent = [];
        foreach ($facts->slots as $key => $slot) {
            if (\array_key_exists($key, $properties)) {
                $names[] = $slot->wireName;
                $values[] = &$properties[$key];
            } else {
                $absent[] = $slot->wireName;
            }
        }
        if (\count($absent) > Format::MOST_PROPERTIES) {
            return self::many($properties, $facts);
        }
        $declared = \count($names);
        foreach ($properties as $key => $_) {
            if (!isset($facts->slots[$key])) {
                $names[] = (string) $key;
                $values[] = &$properties[$key];
            }
        }

        return ObjectForm::properties($facts->name, 0, $names, $declared, $absent, $values);
    }

    /**
     * Returns a form with the properties as data, for objects that have too many properties for a shape.
     *
     * @param array<array-key, mixed> $properties
     */
    private static function many(array $properties, ClassFacts $facts): ObjectForm
    {
        $named = [];
        foreach ($properties as $key => $_) {
            $named[($facts->slots[$key] ?? null)->wireName ?? $key] = &$properties[$key];
        }

        return ObjectForm::data($facts->name, Format::PROPERTIES, [$named]);
    }

    /**
     * Returns a form with the properties that __sleep names, or null if __sleep doesn't return an array. Warns if
     * __sleep returns anything but names of existing properties, once per object.
     */
    private function chosen(object $object, ClassFacts $facts): ?ObjectForm
    {
        $chosen = $this->answer($object, static fn(): mixed => $object->__sleep()); // @phpstan-ignore method.notFound
        $id = \spl_object_id($object);
        $isWarned = isset($this->warned[$id]);
        if (!$isWarned) {
            $this->warned[$id] = true;
            $this->call($object); // the warnings below may call an error handler, which may change the value
        }
        $noNames = "{$facts->name}::__sleep() should return an array only containing the names of instance-variables to serialize";
        if (!\is_array($chosen)) {
            $isWarned || \trigger_error($noNames, \E_USER_WARNING);

            return null;
        }
        $properties = \get_mangled_object_vars($object);
        $found = $others = [];
        foreach ($chosen as $name) {
            if (!\is_string($name)) {
                $isWarned || \trigger_error($noNames, \E_USER_WARNING);
                $name = \is_scalar($name) ? (string) $name : '';
            }
            $key = self::keyOf($name, $facts, $properties);
            if ($key === null) {
                $isWarned || \trigger_error("\"{$name}\" returned as member variable from __sleep() but does not exist", \E_USER_WARNING);
            } elseif (isset($facts->slots[$key])) {
                $found[$facts->slots[$key]->wireName] = $key;
            } else {
                $others[$name] = $key;
            }
        }
        $names = $values = [];
        /** @var array<array-key, string> $all */
        $all = $found + $others;
        if (\count($all) > Format::MOST_PROPERTIES) {
            return self::many(\array_intersect_key($properties, \array_flip($all)), $facts);
        }
        foreach ($all as $name => $key) {
            $names[] = (string) $name;
            $values[] = &$properties[$key];
        }

        return ObjectForm::properties($facts->name, Format::CHOSEN, $names, \count($found), [], $values);
    }

    /**
     * @param array<array-key, mixed> $properties
     */
    private static function keyOf(string $name, ClassFacts $facts, array $properties): ?string
    {
        foreach ([$name, "\0{$facts->name}\0{$name}", "\0*\0{$name}"] as $key) {
            if (\array_key_exists($key, $properties)) {
                return $key;
            }
        }

        return null;
    }

    /**
     * @param ?non-empty-string $why
     */
    private function refuse(mixed $value, ?string $why = null): void
    {
        if (!$this->makesNull) {
            $what = $why ?? 'a ' . \get_debug_type($value) . ' has no serialized form';

            throw new Failure(ErrorCode::UnsupportedValue, $what, "leave it out in __serialize(), or pass 'unserializable' => 'null'");
        }
    }
}
