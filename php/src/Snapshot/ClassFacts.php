<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Holds what snapshots need to know about a loaded class: its declared properties, each described by a Slot, and
 * which hooks it has.
 *
 * @internal
 */
final class ClassFacts
{
    /** The index of the name of the iterator class, in the array that ArrayObject::__serialize() returns. */
    public const ITERATOR = 3;

    /** @var array<string, Slot> by PHP's key for the property, in PHP's order: properties of ancestors first */
    public readonly array $slots;

    /** @var list<string> the keys of $slots */
    public readonly array $keys;

    /** @var list<string> the names of the properties in a snapshot, in the order of $slots */
    public readonly array $wireNames;

    /** @var \ReflectionClass<object> */
    public readonly \ReflectionClass $reflection;

    public readonly bool $hasSerialize;

    /** Whether the class's __serialize is built into PHP. If so, calling it runs no user code. */
    public readonly bool $isOfPhp;

    public readonly bool $hasUnserialize;

    /** Whether the data of an object may name the class of its iterators, as with ArrayObject. */
    public readonly bool $takesIterator;

    /** Whether the class's `unserialize` is built into PHP, and so makes objects of any class that its bytes name. */
    public readonly bool $hasLegacyOfPhp;

    public readonly bool $hasSleep;
    public readonly bool $hasWakeup;

    /** @var array<string, Slot> by the name of the property in a snapshot */
    private readonly array $byName;

    private ?bool $isRefused = null;

    private ?ObjectForm $whole = null;

    /**
     * @param class-string $name a class that is loaded
     */
    public function __construct(public readonly string $name)
    {
        $this->reflection = $reflection = new \ReflectionClass($name);
        $slots = $chain = [];
        for ($class = $reflection; $class !== false; $class = $class->getParentClass()) {
            $chain[] = $class;
        }
        foreach (\array_reverse($chain) as $class) {
            foreach ($class->getProperties() as $property) {
                if ($property->class !== $class->name || $property->isStatic()) {
                    continue;
                }
                $slot = new Slot($property, $reflection->name);
                // if a subclass makes a protected property public, the property keeps its position in the order
                $old = "\0*\0{$property->name}";
                if ($slot->key !== $old && isset($slots[$old]) && !$property->isPrivate()) {
                    $slots = self::renamed($slots, $old, $slot);
                } else {
                    $slots[$slot->key] = $slot;
                }
            }
        }
        foreach ($slots as $key => $slot) {
            if ($slot->isVirtual()) {
                unset($slots[$key]);
            }
        }
        $this->slots = $slots;
        $this->keys = \array_map(\strval(...), \array_keys($slots));
        $this->wireNames = \array_column($slots, 'wireName');
        $this->byName = \array_combine($this->wireNames, $slots);
        $this->hasSerialize = $reflection->hasMethod('__serialize');
        $this->isOfPhp = $this->hasSerialize && $reflection->getMethod('__serialize')->isInternal();
        $this->hasUnserialize = $reflection->hasMethod('__unserialize');
        $this->takesIterator = self::takesIterator($reflection);
        $this->hasLegacyOfPhp = $reflection->implementsInterface(\Serializable::class) && $reflection->getMethod('unserialize')->isInternal();
        $this->hasSleep = $reflection->hasMethod('__sleep');
        $this->hasWakeup = $reflection->hasMethod('__wakeup');
    }

    /**
     * Tells whether PHP's own `__unserialize` of ArrayObject or ArrayIterator reads the data of this class's objects.
     * That method loads the class that the element ITERATOR names, for the iterators of the object. No other
     * `__unserialize` or `__wakeup` of PHP loads a class.
     *
     * @param \ReflectionClass<object> $class
     */
    private static function takesIterator(\ReflectionClass $class): bool
    {
        return ($class->name === \ArrayObject::class || $class->name === \ArrayIterator::class || $class->isSubclassOf(\ArrayObject::class) || $class->isSubclassOf(\ArrayIterator::class))
            && $class->getMethod('__unserialize')->isInternal();
    }

    /**
     * Calls takesIterator() for the name of a class. Returns false if the class is missing.
     *
     * @param bool $loads whether autoloaders may be called
     */
    public static function takesIteratorByName(string $class, bool $loads): bool
    {
        return \class_exists($class, $loads) && self::takesIterator(new \ReflectionClass($class));
    }

    /**
     * @param array<string, Slot> $slots
     *
     * @return array<string, Slot>
     */
    private static function renamed(array $slots, string $old, Slot $slot): array
    {
        $new = [];
        foreach ($slots as $key => $other) {
            $key === $old ? $new[$slot->key] = $slot : $new[$key] = $other;
        }

        return $new;
    }

    /**
     * Returns the form of an object that has a value for each declared property, and no other properties.
     *
     * @param list<mixed> $values
     */
    public function form(array $values): ObjectForm
    {
        $this->whole ??= ObjectForm::properties($this->name, 0, $this->wireNames, \count($this->keys), [], []);

        return $this->whole->with($values);
    }

    /**
     * Returns the slot that has exactly this name in a snapshot; null if there is none.
     */
    public function slot(string $wireName): ?Slot
    {
        return $this->byName[$wireName] ?? null;
    }

    /**
     * Returns the slot with this bare name (without a class in front); null if there is none. If there are several,
     * returns the slot nearest to the class: slots of the class itself come before those of its ancestors.
     *
     * @param array<string, true> $taken slots that can't be returned, by key
     */
    public function nearest(string $name, array $taken): ?Slot
    {
        foreach (\array_reverse($this->slots) as $slot) {
            if ($slot->name === $name && !isset($taken[$slot->key])) {
                return $slot;
            }
        }

        return null;
    }

    public static function plainName(string $wireName): string
    {
        $end = \strrpos($wireName, "\0");

        return $end === false ? $wireName : \substr($wireName, $end + 1);
    }

    /**
     * Returns why PHP refuses to serialize objects of this class, or null if PHP serializes them.
     *
     * @return ?non-empty-string
     */
    public function refusal(): ?string
    {
        if ($this->reflection->isAnonymous()) {
            return 'an anonymous class has no name';
        }
        $this->isRefused ??= $this->isRefusedByPhp();

        return $this->isRefused ? "PHP does not serialize {$this->name}" : null;
    }

    public function canBeMade(): bool
    {
        $reflection = $this->reflection;

        return !$reflection->isAbstract() && !$reflection->isInterface() && !$reflection->isTrait() && !$reflection->isEnum();
    }

    public function allowsDynamic(): bool
    {
        return !$this->reflection->isReadOnly() && !$this->reflection->isEnum();
    }

    /**
     * Tells whether PHP refuses to serialize this class, because the class or its nearest built-in ancestor isn't
     * serializable. To find out, tries to unserialize an object of the built-in class, which runs no user code.
     *
     * If the class has `__unserialize`, the bytes are truncated, so that PHP doesn't call this hook. Inside a
     * Serializable::unserialize(), PHP would call it later, where nobody expects an exception. `allowed_classes` is set
     * because PHP would apply the list of an outer call otherwise.
     *
     * A subclass of a DOM class isn't refused here if it has `__serialize` or `__sleep`. If the subclass declares the
     * hook itself, PHP can serialize its objects. If it inherits the hook, calling the hook throws.
     */
    private function isRefusedByPhp(): bool
    {
        $class = $this->reflection;
        while ($class !== false && !$class->isInternal()) {
            $class = $class->getParentClass();
        }
        if ($class === false || $class->isInterface() || $class->isAbstract()) {
            return false;
        }
        $message = '';
        try {
            $properties = $class->hasMethod('__unserialize') ? '1:{' : '0:{}';
            @\unserialize('O:' . \strlen($class->name) . ":\"{$class->name}\":{$properties}", ['allowed_classes' => true]);
        } catch (\Throwable $refusal) {
            $message = $refusal->getMessage();
        }
        $allowsHooks = $class->name !== $this->name && \str_contains($message, 'implemented in a subclass');

        return \str_starts_with($message, 'Unserialization of ') && !($allowsHooks && ($this->hasSerialize || $this->hasSleep));
    }
}
