<?php

// The process that a contestant in PHP runs in. It answers the protocol of docs/internals/lab-protocol.md on its input;
// with --about FILE it says as JSON what the contestant in that file says about itself.
// It loads the lab's own classes without Composer, so that a contestant meets no library but its own.

declare(strict_types=1);

use Polypack\Lab\Contestant\About;
use Polypack\Lab\Contestant\Contestant;
use Polypack\Lab\Measure\Worker;

spl_autoload_register(static function (string $class): void {
    $prefix = 'Polypack\\Lab\\';
    if (str_starts_with($class, $prefix)) {
        $file = __DIR__ . '/../src/' . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});

if (($argv[1] ?? '') === '--about') {
    $before = get_declared_classes();
    require $argv[2];
    foreach (array_diff(get_declared_classes(), $before) as $class) {
        if (is_subclass_of($class, Contestant::class)) {
            echo "\n", json_encode(['class' => $class, 'about' => get_object_vars(About::of($class))]), "\n";
            exit(0);
        }
    }
    exit(1);
}
exit((new Worker($argv[1] ?? ''))->answer());
