<?php

declare(strict_types=1);

/*
 * Preloads the library: opcache.preload=/app/vendor/polypack/polypack/preload.php in php.ini, or a `require` of this
 * file in a preload script of your own. Then a request loads no file of Polypack.
 *
 * https://www.php.net/manual/opcache.preloading.php says what preloading needs. Restart PHP after an update.
 */

(static function (): void {
    $source = __DIR__ . '/src/';
    $load = static function (string $class) use ($source): void {
        $file = $source . strtr(substr($class, strlen('Polypack\\')), '\\', '/') . '.php';
        if (str_starts_with($class, 'Polypack\\') && is_file($file)) {
            require_once $file;
        }
    };
    spl_autoload_register($load, true, true);
    /** @var iterable<string, \SplFileInfo> $files */
    $files = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($source, \FilesystemIterator::SKIP_DOTS));
    foreach ($files as $file => $_) {
        $name = substr($file, strlen($source), -strlen('.php'));
        // Files of functions have small letters; the autoloader of Composer loads them in every request.
        if (preg_match('~(?:^|/)[A-Z]\w*$~', $name) === 1) {
            class_exists('Polypack\\' . strtr($name, '/', '\\'));
        }
    }
    spl_autoload_unregister($load);
})();
