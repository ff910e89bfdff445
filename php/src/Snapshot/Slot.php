<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Describes a declared property as the objects of one class have it.
 *
 * @internal
 */
final class Slot
{
    /** The key that PHP has for it in an array of an object's properties. */
    public readonly string $key;

    /** Its name in a snapshot: the bare name. Only the private property of an ancestor has the class in front. */
    public readonly string $wireName;

    public readonly string $name;

    /** @var class-string the class that may assign it */
    public readonly string $scope;

    /**
     * @param class-string $owner the class whose objects have it
     */
    public function __construct(public readonly \ReflectionProperty $property, string $owner)
    {
        $this->name = $property->name;
        $this->scope = $property->class;
        $this->key = match (true) {
            $property->isPrivate() => "\0{$property->class}\0{$property->name}",
            $property->isProtected() => "\0*\0{$property->name}",
            default => $property->name,
        };
        $this->wireName = $property->isPrivate() && $property->class !== $owner ? $this->key : $property->name;
    }

    /**
     * Tells whether objects store no value for it, because its hooks compute it (PHP 8.4).
     */
    public function isVirtual(): bool
    {
        return \method_exists($this->property, 'isVirtual') && $this->property->isVirtual() === true;
    }

    /**
     * Returns whether a constructor's parameter gives the property a default for snapshots without its value, and that
     * default. One that the property declares itself is there already when an object has been made.
     *
     * @return array{bool, mixed}
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
