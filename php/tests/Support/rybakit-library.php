<?php

declare(strict_types=1);

// For programs of rybakit/msgpack: lets their classes load from the library that their first argument names, `ours` or
// a checkout of rybakit/msgpack.

$library = $argv[1] ?? '';
spl_autoload_register(static function (string $class) use ($library): void {
    [$prefix, $folder] = $library === 'ours' ? ['Polypack\\', dirname(__DIR__, 2) . '/src/'] : ['MessagePack\\', $library . '/src/'];
    if (str_starts_with($class, $prefix)) {
        require $folder . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
    }
});
if ($library === 'ours') {
    require __DIR__ . '/../../rybakit/aliases.php';
}
