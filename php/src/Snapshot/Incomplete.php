<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Makes and reads objects of __PHP_Incomplete_Class. They stand for objects whose class is missing, not allowed, or
 * mismatched as a whole (spec/10-snapshot.md#classes). They keep the name of the class and what the snapshot says about
 * the object, so that it can be written back. PHP has no place for some facts, such as the names of absent properties.
 * An extra property with the name FORM holds these facts. If the object itself had properties with the names NAME or
 * FORM, the element `own` of FORM holds the place, the name and the value of each.
 *
 * Native unserialize() may make such objects with any content, so form() trusts no fact.
 *
 * @internal
 */
final class Incomplete
{
    private const NAME = '__PHP_Incomplete_Class_Name';
    private const FORM = "\0polypack\0form";

    public static function is(object $value): bool
    {
        return $value instanceof \__PHP_Incomplete_Class;
    }

    /**
     * Tells whether an object is the case of an enum, or stands for one.
     */
    public static function isCase(object $value): bool
    {
        if (!self::is($value)) {
            return $value instanceof \UnitEnum;
        }
        $form = \get_mangled_object_vars($value)[self::FORM] ?? null;

        return \is_array($form) && \is_string($form['case'] ?? null);
    }

    /**
     * Returns an object of __PHP_Incomplete_Class that has only the given class name. Doesn't look for that class.
     */
    public static function make(string $class): object
    {
        $object = \unserialize('O:1:"_":0:{}', ['allowed_classes' => false]);
        \assert(\is_object($object));
        $table = Assignment::table($object);
        $table[self::NAME] = $class; // unserialize() would refuse some class names that a snapshot may contain

        return $object;
    }

    /**
     * @param array<array-key, mixed> $properties references among them stay references
     * @param array<string, mixed>    $form
     */
    public static function fill(object $object, array $properties, array $form): void
    {
        // PHP code can't assign properties of these objects, but an ArrayObject can
        $table = Assignment::table($object, \ArrayObject::ARRAY_AS_PROPS);
        $own = [];
        $place = -1;
        foreach ($properties as $name => $_) {
            ++$place;
            if ($name === self::NAME || $name === self::FORM) {
                $property = [$place, $name, $properties[$name]];
                if (\ReflectionReference::fromArrayElement($properties, $name) !== null) {
                    $property[2] = &$properties[$name];
                }
                $own[] = $property;
                unset($property);
                continue;
            }
            if (\ReflectionReference::fromArrayElement($properties, $name) !== null) {
                $table->{$name} = &$properties[$name]; // @phpstan-ignore property.dynamicName
            } else {
                $table[$name] = $properties[$name];
            }
        }
        if ($own !== []) {
            $form['own'] = $own;
        }
        if ($form !== []) {
            $table[self::FORM] = $form;
        }
    }

    public static function form(object $object): ObjectForm
    {
        $properties = \get_mangled_object_vars($object);
        $class = $properties[self::NAME] ?? null;
        $form = $properties[self::FORM] ?? [];
        $form = \is_array($form) ? $form : [];
        if (!\is_string($class)) { // without a class name, it stands for itself; its properties are dynamic
            $class = \__PHP_Incomplete_Class::class;
            $form = \array_intersect_key($form, ['own' => true]) + ['declared' => 0];
        }
        unset($properties[self::NAME], $properties[self::FORM]);
        if (\is_array($form['own'] ?? null)) {
            $properties = self::withOwn($properties, $form['own']);
        }

        if (\is_string($form['case'] ?? null)) {
            return ObjectForm::case($class, $form['case']);
        }
        if (\is_string($form['legacy'] ?? null)) {
            return ObjectForm::legacy($class, $form['legacy']);
        }
        $flags = \count($properties) > Format::MOST_PROPERTIES ? Format::PROPERTIES : null;
        $flags = \in_array($form['data'] ?? null, [Format::DATA, Format::PROPERTIES], true) ? $form['data'] : $flags;
        if ($flags !== null) {
            return ObjectForm::data($class, $flags, [$properties]);
        }
        $names = \array_map(\strval(...), \array_keys($properties));
        $declared = \is_int($form['declared'] ?? null) ? \max(0, \min($form['declared'], \count($names))) : \count($names);
        $absent = \array_unique(\array_filter((array) ($form['absent'] ?? []), \is_string(...)));
        $absent = \array_slice(\array_values(\array_diff($absent, $names)), 0, Format::MOST_PROPERTIES);

        $values = [];
        foreach ($properties as $name => $_) {
            $values[] = &$properties[$name];
        }

        return ObjectForm::properties($class, ($form['chosen'] ?? false) === true ? Format::CHOSEN : 0, $names, $declared, $absent, $values);
    }

    /**
     * Puts an object's own properties with the names NAME and FORM among the others. References stay references.
     *
     * @param array<array-key, mixed> $others
     * @param array<array-key, mixed> $own
     *
     * @return array<array-key, mixed>
     */
    private static function withOwn(array $others, array $own): array
    {
        $places = [];
        foreach ($own as &$property) {
            $isProperty = \is_array($property) && \array_is_list($property) && \count($property) === 3;
            if ($isProperty && \is_int($property[0]) && \in_array($property[1], [self::NAME, self::FORM], true)) {
                $places[$property[0]] = [$property[1], &$property[2]];
            }
        }
        unset($property);
        $all = [];
        foreach ($others as $key => $_) {
            while (isset($places[$place = \count($all)])) {
                $all[$places[$place][0]] = &$places[$place][1];
                unset($places[$place]);
            }
            $all[$key] = &$others[$key];
        }
        foreach ($places as $place => [$name]) {
            $all[$name] = &$places[$place][1];
        }

        return $all;
    }
}
