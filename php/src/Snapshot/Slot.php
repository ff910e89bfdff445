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

    /** @var class-string the class that may assign the property */
    public readonly string $scope;

    /**
     * @param class-string $owner the class whose objects have the property
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
