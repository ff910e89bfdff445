<?php

declare(strict_types=1);

namespace Polypack\Compat\Rybakit;

// Gives the classes of Polypack the names that rybakit/msgpack has for them.
//
// A name must exist as soon as its class does, because `catch`, `instanceof` and types never load a class. So the
// loader below stands before all others: whichever name is asked for, it has the class loaded and adds the alias.

/** Behind MessagePack\ and Polypack\. */
const NAMES = [
    'BufferUnpacker' => true,
    'CanBePacked' => true,
    'CanPack' => true,
    'Exception\InsufficientDataException' => true,
    'Exception\InvalidOptionException' => true,
    'Exception\PackingFailedException' => true,
    'Exception\UnpackingFailedException' => true,
    'Extension' => true,
    'Extension\TimestampExtension' => true,
    'MessagePack' => true,
    'PackOptions' => true,
    'Packer' => true,
    'Type\Bin' => true,
    'Type\Ext' => true,
    'Type\Map' => true,
    'Type\Timestamp' => true,
    'TypeTransformer\StreamTransformer' => true,
    'TypeTransformer\TraversableTransformer' => true,
    'UnpackOptions' => true,
];

function exists(string $class, bool $load = false): bool
{
    return \class_exists($class, $load) || \interface_exists($class, false);
}

/**
 * Gives the class the other library's name, unless it has it.
 */
function alias(string $name): void
{
    if (!exists("MessagePack\\{$name}")) {
        \class_alias("Polypack\\{$name}", "MessagePack\\{$name}");
    }
}

function load(string $class): void
{
    $slash = \strpos($class, '\\');
    $name = $slash === false ? '' : \substr($class, $slash + 1);
    if (!isset(NAMES[$name])) {
        return;
    }
    if (\strncasecmp($class, 'MessagePack\\', 12) === 0) {
        if (exists("Polypack\\{$name}", true)) { // loading it comes here again, and makes the alias
            alias($name);
        }
    } elseif (\strncasecmp($class, 'Polypack\\', 9) === 0) {
        foreach (\spl_autoload_functions() as $loader) {
            if ($loader !== load(...) && $loader !== __NAMESPACE__ . '\load') {
                $loader($class);
            }
            if (exists($class)) {
                alias($name);

                return;
            }
        }
    }
}

\spl_autoload_register(__NAMESPACE__ . '\load', prepend: true);

foreach (NAMES as $name => $_) {
    if (exists("Polypack\\{$name}")) { // loaded before
        alias($name);
    }
}
