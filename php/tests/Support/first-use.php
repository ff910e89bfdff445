<?php

declare(strict_types=1);

// Runs PHP code with the library, and prints which files of the library it has loaded, as JSON. A process of its own,
// for FirstUseTest. Without Composer: its autoloader isn't what is counted.

namespace Polypack\Tests\Support;

\spl_autoload_register(static function (string $class): void {
    $file = \dirname(__DIR__, 2) . '/src/' . \strtr(\substr($class, \strlen('Polypack\\')), '\\', '/') . '.php';
    if (\is_file($file)) {
        require $file;
    }
});

eval($argv[1] ?? '');

$files = [];
foreach (\get_included_files() as $file) {
    if ($file !== __FILE__) {
        $files[\substr($file, \strlen(\dirname(__DIR__, 2) . '/src/'))] = \filesize($file);
    }
}
echo \json_encode($files);
