<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

use Polypack\Exception\ErrorCode;

/**
 * Makes and fills the objects of one shape. The properties that the shape names are looked up once for all objects.
 *
 * @internal
 */
final class Plan
{
    /** @var ?\Closure(object, array<int, mixed>, array<int, true>, int): void assigns all values of an object */
    private ?\Closure $assign = null;

    /** Whether the data of an object may name a class of iterators, which must be allowed, too. */
    public readonly bool $takesIterator;

    /**
     * @param ?ClassFacts  $class  null if the class is missing, not allowed or unusable; make() then uses another class
     * @param list<string> $names
     * @param list<string> $absent
     */
    private function __construct(
        private readonly ClassPolicy $policy,
        public readonly ?ClassFacts $class,
        private readonly string $written,
        private readonly int $flags,
        private readonly array $names = [],
        private readonly int $declared = 0,
        private readonly array $absent = [],
    ) {
        $this->takesIterator = $class !== null && $class->takesIterator;
    }

    /**
     * Plans objects with properties.
     *
     * @param list<string> $names
     * @param list<string> $absent
     */
    public static function properties(ClassPolicy $policy, string $written, int $flags, array $names, int $declared, array $absent, int $offset): self
    {
        $class = self::found($policy, $written, Format::NEW_OBJECT, $offset);
        $plan = new self($policy, $class, $written, $flags, $names, $declared, $absent);
        if ($class !== null && !$class->hasUnserialize) {
            $plan->assign = Assignment::of($policy, $class, $names, $declared, $absent, ($flags & Format::CHOSEN) !== 0, $offset);
        }

        return $plan;
    }

    /**
     * Plans objects with data, or with the bytes of Serializable.
     */
    public static function data(ClassPolicy $policy, string $written, int $head, int $flags, int $offset): self
    {
        return new self($policy, self::found($policy, $written, $head, $offset), $written, $flags);
    }

    /**
     * Returns the case of an enum. Returns null if the enum lacks the case, and an object that stands for the case if
     * the enum can't be used. The options may make both an error.
     */
    public static function case(ClassPolicy $policy, string $written, string $name, int $offset): mixed
    {
        $class = $policy->find($written, $offset);
        if ($class !== null) {
            if ($class->reflection->isEnum()) {
                $enum = new \ReflectionEnum($class->name); // @phpstan-ignore argument.type
                if ($enum->hasCase($name)) {
                    return $enum->getCase($name)->getValue();
                }
                $policy->mismatch($class, "{$class->name} has no case {$name}", $offset);

                return null;
            }
            $policy->mismatch($class, "{$class->name} is no enum", $offset);
        }
        $object = $policy->makesStdClass() ? (object) ['name' => $name] : Incomplete::make($written);
        if (Incomplete::is($object)) {
            Incomplete::fill($object, [], ['case' => $name]);
        }

        return $object;
    }

    /**
     * Returns the class if its objects can be made from a shape with the head byte $head. Otherwise returns null, or
     * throws if the options say so.
     */
    private static function found(ClassPolicy $policy, string $written, int $head, int $offset): ?ClassFacts
    {
        $class = $policy->find($written, $offset);
        if ($class === null) {
            return null;
        }
        $why = match (true) {
            !$class->canBeMade() => "objects of {$class->name} can't be made",
            $class->refusal() !== null => $class->refusal(),
            $head === Format::NEW_LEGACY && $class->hasLegacyOfPhp => "{$class->name}::unserialize() is PHP's own, and would make objects of any class",
            $head === Format::NEW_LEGACY && !$class->reflection->implementsInterface(\Serializable::class) => "{$class->name} does not implement Serializable any longer",
            $head !== Format::NEW_LEGACY && $class->reflection->implementsInterface(\Serializable::class) && !$class->hasUnserialize => "{$class->name} implements Serializable, and has no __unserialize",
            default => null,
        };
        if ($why === null) {
            return $class;
        }
        $policy->mismatch($class, $why, $offset);

        return null;
    }

    /**
     * Returns the plan for an object with the given data, which may name a class of iterators. If that class can be
     * used, applies `aliases` to its name in $data. If it is missing or not allowed, returns a plan that treats the
     * class of the object as not allowed. Such an object keeps the name for writing it back.
     *
     * @param array<array-key, mixed> $data
     * @param bool                    $isMade whether the object has been made; if so, throws instead of changing plans
     *
     * @throws Failure
     */
    public function withIterator(array &$data, bool $isMade, int $offset): self
    {
        $name = $data[ClassFacts::ITERATOR] ?? null;
        if (!$this->takesIterator || !\is_string($name)) {
            return $this;
        }
        try {
            $iterator = $this->policy->find($name, $offset);
            if ($iterator === null && $isMade) {
                throw new Failure(ErrorCode::ClassNotAllowed, "the class {$name} is missing or not allowed", 'add it to allowed_classes', $offset);
            }
        } catch (Failure $failure) {
            throw $failure->in(ClassFacts::ITERATOR);
        }
        if ($iterator === null) {
            return new self($this->policy, null, $this->written, $this->flags);
        }
        unset($data[ClassFacts::ITERATOR]); // so that the next line changes no other value if this is a reference
        $data[ClassFacts::ITERATOR] = $iterator->name;

        return $this;
    }

    /**
     * Makes an object without running its constructor.
     */
    public function make(int $offset): object
    {
        if ($this->class === null) {
            return $this->policy->makesStdClass() ? new \stdClass() : Incomplete::make($this->written);
        }
        try {
            return $this->class->reflection->newInstanceWithoutConstructor();
        } catch (\ReflectionException $why) {
            $object = NativeMaker::make($this->class->name);
            if ($object !== null) {
                return $object;
            }
            throw Failure::invalid($why->getMessage() === '' ? 'no object can be made' : $why->getMessage(), $offset);
        }
    }

    /**
     * Gives an object its properties, or leaves this to a hook if its class has `__unserialize`.
     *
     * @param array<int, mixed> $values
     * @param array<int, true>  $references which of the values are references
     *
     * @return ?Hook the hook to call after all values have been read
     */
    public function fill(object $object, array $values, array $references, int $offset): ?Hook
    {
        if ($this->assign !== null) {
            ($this->assign)($object, $values, $references, $offset);

            return $this->class !== null && $this->class->hasWakeup ? Hook::wakeup($object) : null;
        }
        $named = [];
        foreach ($this->names as $i => $name) {
            $named[$name] = &$values[$i];
        }
        if ($this->class !== null) {
            $data = self::dereferenced($named, $references);
            $this->withIterator($data, true, $offset);

            return Hook::unserialize($object, $data);
        }
        if (Incomplete::is($object)) {
            $form = $this->flags === Format::CHOSEN ? ['chosen' => true] : [];
            $form += $this->declared === \count($this->names) ? [] : ['declared' => $this->declared];
            $form += $this->absent === [] ? [] : ['absent' => $this->absent];
            Incomplete::fill($object, self::dereferenced($named, $references), $form);
        } else {
            Assignment::dynamic($object, self::dereferenced($named, $references));
        }

        return null;
    }

    /**
     * Gives an object the data that `__serialize` returned, or properties that were too many for a shape. Leaves this
     * to a hook if its class has `__unserialize`.
     *
     * @param array<array-key, mixed> $data
     *
     * @return ?Hook the hook to call after all values have been read
     */
    public function fillData(object $object, array $data, int $offset): ?Hook
    {
        if ($this->class === null) {
            $this->policy->learnIterator($this->written, $data);
            if (Incomplete::is($object)) {
                Incomplete::fill($object, $data, ['data' => $this->flags]);
            } else {
                Assignment::dynamic($object, $data);
            }

            return null;
        }
        if ($this->class->hasUnserialize) {
            return Hook::unserialize($object, $data);
        }
        $names = $values = $references = [];
        foreach ($data as $key => $_) {
            $names[] = self::wireName((string) $key, $this->class->name);
            if (\ReflectionReference::fromArrayElement($data, $key) !== null) {
                $references[\count($values)] = true;
                $values[] = &$data[$key];
            } else {
                $values[] = $data[$key];
            }
        }
        $assign = Assignment::of($this->policy, $this->class, $names, 0, [], true, $offset);
        $assign($object, $values, $references, $offset);

        return $this->class->hasWakeup ? Hook::wakeup($object) : null;
    }

    public function fillLegacy(object $object, string $bytes, int $offset): ?Hook
    {
        if ($object instanceof \Serializable) {
            return Hook::legacy($object, $bytes, $this->policy->allowedIn($object::class, $bytes, $offset), $offset);
        }
        Incomplete::is($object) ? Incomplete::fill($object, [], ['legacy' => $bytes]) : Assignment::dynamic($object, ['data' => $bytes]);

        return null;
    }

    /**
     * Returns a property's name in a snapshot. $key is PHP's key for the property: "name", "\0*\0name" (protected) or
     * "\0Class\0name" (private).
     */
    public static function wireName(string $key, string $class): string
    {
        return \str_starts_with($key, "\0*\0") || \str_starts_with($key, "\0{$class}\0") ? ClassFacts::plainName($key) : $key;
    }

    /**
     * @param array<string, mixed> $named
     * @param array<int, true>     $references
     *
     * @return array<array-key, mixed>
     */
    private static function dereferenced(array $named, array $references): array
    {
        $values = [];
        $i = 0;
        foreach ($named as $name => $value) {
            if (isset($references[$i++])) {
                $values[$name] = &$named[$name];
            } else {
                $values[$name] = $value;
            }
        }

        return $values;
    }
}
