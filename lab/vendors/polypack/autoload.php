<?php

// Loads the library of this checkout as a project's optimised class map does: by name, without its test tools.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Polypack\\') && !str_starts_with($class, 'Polypack\\Lab\\')) {
        $file = __DIR__ . '/../../../php/src/' . strtr(substr($class, 9), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
