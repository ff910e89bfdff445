<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Describes one declared property of the objects of a class.
 *
 * @internal
 */
final class Slot
{
    /** PHP's key for the property: "name", "\0*\0name" (protected) or "\0Class\0name" (private). */
    public readonly string $key;

    /** The name in a snapshot: the bare name, but with the class in front for an ancestor's private property. */
    public readonly string $wireName;

    public readonly string $name;

    /** @var ?class-string a class whose code may assign the property; null if only reflection may */
    public readonly ?string $scope;

    /**
     * @param class-string $owner the class whose objects have the property
     */
    public function __construct(public readonly \ReflectionProperty $property, string $owner)
    {
        $this->name = $property->name;
        $this->scope = self::scopeOf($property, $owner);
        $this->key = match (true) {
            $property->isPrivate() => "\0{$property->class}\0{$property->name}",
            $property->isProtected() => "\0*\0{$property->name}",
            default => $property->name,
        };
        $this->wireName = $property->isPrivate() && $property->class !== $owner ? $this->key : $property->name;
    }

    /**
     * Returns the class in whose scope a closure can assign the property, or null if only reflection can. A property
     * with hooks needs reflection, because any other assignment calls the hooks. Otherwise the declaring class is the
     * scope, if PHP code defines it. A closure can't run in the scope of a class that is built into PHP. But a subclass
     * in PHP code may assign protected properties, and any class may assign public ones, if they aren't readonly.
     *
     * @param class-string $owner
     *
     * @return ?class-string
     */
    private static function scopeOf(\ReflectionProperty $property, string $owner): ?string
    {
        if (self::hasHooks($property)) {
            return null;
        }
        if (!$property->getDeclaringClass()->isInternal()) {
            return $property->class;
        }
        if ($property->isPrivate() || $property->isReadOnly()) {
            return null;
        }
        if (!(new \ReflectionClass($owner))->isInternal()) {
            return $owner;
        }

        return $property->isPublic() ? self::class : null;
    }

    private static function hasHooks(\ReflectionProperty $property): bool
    {
        return \method_exists($property, 'hasHooks') && $property->hasHooks() === true; // from PHP 8.4 on
    }

    /**
     * Assigns a value by reflection, without calling property hooks. The caller has checked the type of the value.
     */
    public function assign(object $object, mixed $value): void
    {
        if (self::hasHooks($this->property)) {
            $this->property->setRawValue($object, $value); // @phpstan-ignore method.notFound (PHP 8.4 has both methods)
        } else {
            $this->property->setValue($object, $value);
        }
    }

    /**
     * Tells whether the type of the property accepts a value. The rules are those of strict types: an int is also a
     * float, and nothing else is converted. Reflection itself converts more, for example objects with `__toString`.
     */
    public function accepts(mixed $value): bool
    {
        $type = $this->property->getType();

        return $type === null || $this->fits($type, $value);
    }

    private function fits(\ReflectionType $type, mixed $value): bool
    {
        if ($type instanceof \ReflectionUnionType) {
            foreach ($type->getTypes() as $one) {
                if ($this->fits($one, $value)) {
                    return true;
                }
            }

            return false;
        }
        if ($type instanceof \ReflectionIntersectionType) {
            foreach ($type->getTypes() as $one) {
                if (!$this->fits($one, $value)) {
                    return false;
                }
            }

            return true;
        }
        if (!$type instanceof \ReflectionNamedType || ($value === null && $type->allowsNull())) {
            return $value === null && $type->allowsNull();
        }
        $name = match ($type->getName()) {
            'self' => $this->property->class,
            'parent' => (string) \get_parent_class($this->property->class),
            default => $type->getName(),
        };

        return match ($name) {
            'mixed' => true,
            'int' => \is_int($value),
            'float' => \is_float($value) || \is_int($value),
            'string' => \is_string($value),
            'bool' => \is_bool($value),
            'true' => $value === true,
            'false' => $value === false,
            'array' => \is_array($value),
            'iterable' => \is_iterable($value),
            'object' => \is_object($value),
            default => $value instanceof $name,
        };
    }

    /**
     * Tells whether the property is virtual (from PHP 8.4 on): objects store no value for it.
     */
    public function isVirtual(): bool
    {
        return \method_exists($this->property, 'isVirtual') && $this->property->isVirtual() === true;
    }

    /**
     * Returns the default that a promoted constructor parameter gives the property. A default that the property itself
     * declares isn't returned, because a new object already has it.
     *
     * @return array{bool, mixed} whether there is a default, and its value
     */
    public function default(): array
    {
        if ($this->property->isPromoted()) {
            foreach ($this->property->getDeclaringClass()->getConstructor()?->getParameters() ?? [] as $parameter) {
                // `new` in a default would run a constructor
                if ($parameter->name === $this->name && $parameter->isDefaultValueAvailable() && \preg_match('/=.*\bnew\b/s', (string) $parameter) !== 1) {
                    return [true, $parameter->getDefaultValue()];
                }
            }
        }

        return [false, null];
    }
}
