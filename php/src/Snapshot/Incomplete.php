<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Makes and reads objects of __PHP_Incomplete_Class. They stand for objects whose class is missing, not allowed, or
 * mismatched as a whole (spec/10-snapshot.md#classes). They keep the name of the class and what the snapshot says about
 * the object, so that it can be written back. PHP has no place for some facts, such as the names of absent properties.
 * An extra property with the name FORM holds these facts.
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

        return \is_array($form) && isset($form['case']);
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
        foreach ($properties as $name => $_) {
            if ($name === self::NAME || $name === self::FORM) {
                continue;
            }
            if (\ReflectionReference::fromArrayElement($properties, $name) !== null) {
                $table->{$name} = &$properties[$name]; // @phpstan-ignore property.dynamicName
            } else {
                $table[$name] = $properties[$name];
            }
        }
        if ($form !== []) {
            $table[self::FORM] = $form;
        }
    }

    public static function form(object $object): ObjectForm
    {
        $properties = \get_mangled_object_vars($object);
        $class = $properties[self::NAME] ?? '__PHP_Incomplete_Class';
        $class = \is_string($class) ? $class : '__PHP_Incomplete_Class';
        $form = $properties[self::FORM] ?? [];
        $form = \is_array($form) ? $form : [];
        unset($properties[self::NAME], $properties[self::FORM]);

        if (\is_string($form['case'] ?? null)) {
            return ObjectForm::case($class, $form['case']);
        }
        if (\is_string($form['legacy'] ?? null)) {
            return ObjectForm::legacy($class, $form['legacy']);
        }
        $isData = \is_int($form['data'] ?? null);
        if ($isData || \count($properties) > Format::MOST_PROPERTIES) {
            return ObjectForm::data($class, $isData ? $form['data'] : Format::PROPERTIES, [$properties]);
        }
        $names = \array_map(\strval(...), \array_keys($properties));
        $declared = \is_int($form['declared'] ?? null) ? \min($form['declared'], \count($names)) : \count($names);
        $absent = \array_values(\array_filter((array) ($form['absent'] ?? []), \is_string(...)));

        $values = [];
        foreach ($properties as $name => $_) {
            $values[] = &$properties[$name];
        }

        return ObjectForm::properties($class, ($form['chosen'] ?? false) === true ? Format::CHOSEN : 0, $names, $declared, $absent, $values);
    }
}
