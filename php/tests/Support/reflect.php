<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * Describes a class: what it is and extends, its constants, properties and methods with their types. Alone in a file,
 * so that a process without the library can use it.
 *
 * @param class-string $name
 *
 * @return list<string>
 */
function reflect(string $name): array
{
    $class = new \ReflectionClass($name);
    $lines = [
        \implode(' ', \Reflection::getModifierNames($class->getModifiers())) . " {$class->getName()}",
        'enum ' . \var_export($class->isEnum(), true),
        'parent ' . (string) \json_encode($class->getParentClass() === false ? null : $class->getParentClass()->getName()),
    ];
    foreach ($class->getInterfaceNames() as $interface) {
        $lines[] = "interface {$interface}";
    }
    foreach ($class->getReflectionConstants() as $constant) {
        $value = $constant->getValue();
        $lines[] = "constant {$constant->getName()} " . \serialize($value instanceof \BackedEnum ? $value->value : $value);
    }
    foreach ($class->getProperties() as $property) {
        $lines[] = \implode(' ', \Reflection::getModifierNames($property->getModifiers())) . " {$property->getType()} \${$property->getName()}";
    }
    foreach ($class->getMethods() as $method) {
        if ($method->isInternal()) {
            continue; // of PHP's own exceptions
        }
        $parameters = \array_map(static fn(\ReflectionParameter $parameter): string => "{$parameter->getType()} {$parameter->getName()}", $method->getParameters());
        $lines[] = \implode(' ', \Reflection::getModifierNames($method->getModifiers())) . " {$method->class}::{$method->getName()}("
            . \implode(', ', $parameters) . "): {$method->getReturnType()}";
    }

    return $lines;
}
