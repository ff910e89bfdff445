<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Assigns the values of a shape to the properties of an object. A declared property is assigned in the scope of a class
 * that may assign it, or by reflection if there is no such class. Both ways check the type, and neither calls `__set`.
 *
 * @internal
 */
final class Assignment
{
    /**
     * @param list<string> $names
     * @param list<string> $absent
     * @param bool         $isPartial whether the snapshot may leave out properties, which then keep their defaults
     *
     * @return \Closure(object, array<int, mixed>, array<int, true>, int): void
     *
     * @throws Failure
     */
    public static function of(ClassPolicy $policy, ClassFacts $class, array $names, int $declared, array $absent, bool $isPartial, int $offset): \Closure
    {
        /** @var list<array{?class-string, array<int, Slot>}> $segments scopes, each with its slots by value number */
        $segments = [];
        $dynamic = $named = [];
        $slots = self::slots($class, $names);
        foreach ($names as $i => $name) {
            $slot = $slots[$i] ?? null;
            if ($slot !== null) {
                $named[$slot->key] = true;
                $last = \count($segments) - 1;
                if ($last >= 0 && $segments[$last][0] === $slot->scope) {
                    $segments[$last][1][$i] = $slot;
                } else {
                    $segments[] = [$slot->scope, [$i => $slot]];
                }
            } elseif (self::isDynamic($class, $name, $i >= $declared)) {
                $dynamic[$i] = $name;
            } else {
                $policy->mismatch($class, "{$class->name} has no property " . ClassFacts::plainName($name), $offset, ClassFacts::plainName($name));
            }
        }
        $unset = $defaults = [];
        foreach (self::slots($class, $absent, $named) as $slot) {
            if (!isset($named[$slot->key])) {
                $named[$slot->key] = true;
                if (!$slot->property->hasType() || $slot->property->hasDefaultValue()) {
                    $unset[] = $slot;
                }
            }
        }
        foreach ($isPartial ? [] : $class->slots as $key => $slot) {
            if (!isset($named[$key])) {
                $policy->mismatch($class, "the snapshot has no property {$slot->name}", $offset, $slot->name);
                if (!$slot->property->hasDefaultValue()) {
                    $defaults[] = $slot;
                }
            }
        }

        return self::all($policy, $class, $segments, $dynamic, $unset, $defaults);
    }

    /**
     * Finds the slots, which are the declared properties, for names in a snapshot. First, each name gets the slot with
     * exactly this name. Then each other name gets a free slot with the same bare name, which is the name without a
     * class in front. If several slots are free, the name gets the slot nearest to the class.
     *
     * @param list<string>        $names
     * @param array<string, true> $taken slots that are not free, by key
     *
     * @return array<int, Slot> by the index of the name
     */
    private static function slots(ClassFacts $class, array $names, array $taken = []): array
    {
        $slots = [];
        foreach ($names as $i => $name) {
            $slot = $class->slot($name);
            if ($slot !== null && !isset($taken[$slot->key])) {
                $slots[$i] = $slot;
                $taken[$slot->key] = true;
            }
        }
        foreach ($names as $i => $name) {
            $slot = isset($slots[$i]) ? null : $class->nearest(ClassFacts::plainName($name), $taken);
            if ($slot !== null) {
                $slots[$i] = $slot;
                $taken[$slot->key] = true;
            }
        }

        return $slots;
    }

    /**
     * Tells whether an object may get a property that its class doesn't declare. A name that begins with "\0" comes
     * from a private or protected property, and only stdClass and __PHP_Incomplete_Class take it.
     */
    private static function isDynamic(ClassFacts $class, string $name, bool $isDynamic): bool
    {
        $takesAnyName = $class->name === \__PHP_Incomplete_Class::class || !\str_starts_with($name, "\0");

        return $class->name === \stdClass::class || ($isDynamic && $class->allowsDynamic() && $takesAnyName);
    }

    /**
     * @param list<array{?class-string, array<int, Slot>}> $segments
     * @param array<int, string>                    $dynamic
     * @param list<Slot>                            $unset
     * @param list<Slot>                            $defaults
     *
     * @return \Closure(object, array<int, mixed>, array<int, true>, int): void
     */
    private static function all(ClassPolicy $policy, ClassFacts $class, array $segments, array $dynamic, array $unset, array $defaults): \Closure
    {
        $steps = [];
        foreach ($segments as [$scope, $slots]) {
            $steps[] = [self::within($scope), $slots];
        }

        return static function (object $object, array $values, array $references, int $offset) use ($policy, $class, $steps, $dynamic, $unset, $defaults): void {
            foreach ($defaults as $slot) {
                self::setDefault($object, $slot);
            }
            foreach ($unset as $slot) {
                self::unset($object, $slot);
            }
            foreach ($steps as [$assign, $slots]) {
                $from = 0;
                while (true) {
                    try {
                        $assign($object, $slots, $values, $references, $from); // @phpstan-ignore argument.type, argument.type
                        break;
                    } catch (\Error $error) { // thrown by PHP itself, because assigning runs no user code
                        $failed = \array_keys($slots)[$from];
                        $name = $slots[$failed]->name;
                        $what = $error->getMessage();
                        $policy->mismatch($class, $what === '' ? 'a property does not accept its value' : $what, $offset, $name);
                        self::setDefault($object, $slots[$failed]);
                        ++$from;
                    }
                }
            }
            if ($dynamic !== []) {
                $named = [];
                foreach ($dynamic as $i => $name) {
                    if (isset($references[$i])) {
                        $named[$name] = &$values[$i];
                    } else {
                        $named[$name] = $values[$i];
                    }
                }
                self::dynamic($object, $named);
            }
        };
    }

    /**
     * Adds dynamic properties, without calling `__set`.
     *
     * @param array<array-key, mixed> $values by name
     */
    public static function dynamic(object $object, array $values): void
    {
        if ($object::class === \stdClass::class) {
            foreach ($values as $name => $_) {
                if (\is_string($name) && \str_starts_with($name, "\0")) { // PHP code can't assign such a name
                    $table = self::table($object);
                    $table[$name] = $values[$name];
                } elseif (\ReflectionReference::fromArrayElement($values, $name) !== null) {
                    $object->{$name} = &$values[$name];
                } else {
                    $object->{$name} = $values[$name];
                }
            }

            return;
        }
        if ($values === []) {
            return;
        }
        if (Incomplete::is($object)) {
            Incomplete::fill($object, $values, []);

            return;
        }
        $table = self::table($object);
        foreach ($values as $name => $_) {
            if (\ReflectionReference::fromArrayElement($values, $name) !== null) {
                $table[$name] = null; // otherwise PHP would call __get or __set for the assignment
                $object->{$name} = &$values[$name]; // @phpstan-ignore property.dynamicName
            } else {
                $table[$name] = $values[$name];
            }
        }
    }

    /**
     * Returns an ArrayObject that reads and writes the properties of an object without calling `__get` or `__set`. It
     * also takes names that PHP code can't use. PHP 8.5 deprecates ArrayObject for objects, but has no replacement.
     *
     * @param int $flags of ArrayObject
     *
     * @return \ArrayObject<array-key, mixed>
     */
    public static function table(object $object, int $flags = 0): \ArrayObject
    {
        return @new \ArrayObject($object, $flags);
    }

    /**
     * Assigns the default of a property whose value in the snapshot is missing or has a wrong type. Only promoted
     * constructor parameters need this, because a new object already has all other defaults.
     */
    private static function setDefault(object $object, Slot $slot): void
    {
        [$isThere, $value] = $slot->default();
        if ($isThere) {
            $from = 0;
            self::within($slot->scope)($object, [$slot], [$value], [], $from);
        }
    }

    private static function unset(object $object, Slot $slot): void
    {
        if ($slot->scope !== null) {
            \Closure::bind(static function (object $object, string $name): void {
                unset($object->{$name}); // @phpstan-ignore property.dynamicName
            }, null, $slot->scope)($object, $slot->name);
        }
    }

    /**
     * Returns a function that assigns properties in the scope of a class, or by reflection if $scope is null. The
     * function's last argument is a reference. It says how many slots to skip, and grows by 1 with each assignment.
     *
     * @param ?class-string $scope
     *
     * @return \Closure(object, array<int, Slot>, array<int, mixed>, array<int, true>, int): void
     */
    private static function within(?string $scope): \Closure
    {
        if ($scope === null) {
            return self::byReflection(...);
        }
        $assign = static function (object $object, array $slots, array $values, array $references, int &$from): void {
            foreach ($from === 0 ? $slots : \array_slice($slots, $from, null, true) as $i => $slot) {
                /** @var Slot $slot */
                if (isset($references[$i])) {
                    $object->{$slot->name} = &$values[$i]; // @phpstan-ignore property.dynamicName
                } else {
                    $object->{$slot->name} = $values[$i]; // @phpstan-ignore property.dynamicName
                }
                ++$from;
            }
        };

        return \Closure::bind($assign, null, $scope);
    }

    /**
     * Assigns properties by reflection, which can't make them references.
     *
     * @param array<int, Slot>  $slots
     * @param array<int, mixed> $values
     * @param array<int, true>  $references
     */
    private static function byReflection(object $object, array $slots, array $values, array $references, int &$from): void
    {
        foreach (\array_slice($slots, $from, null, true) as $i => $slot) {
            if (isset($references[$i]) || !$slot->accepts($values[$i])) {
                $what = isset($references[$i]) ? 'a reference' : \get_debug_type($values[$i]);
                throw new \TypeError("Cannot assign {$what} to property {$slot->property->class}::\${$slot->name}");
            }
            $slot->assign($object, $values[$i]);
            ++$from;
        }
    }
}
