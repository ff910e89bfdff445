<?php

declare(strict_types=1);

require __DIR__ . '/../vendor/autoload.php';

// What tests make lies apart from what people measured, and is new every time.
$folder = sys_get_temp_dir() . '/lab-tests-' . getmypid();
putenv("LAB_BUILD={$folder}");
$_SERVER['LAB_BUILD'] = $folder; // Symfony hands on only what stands here too
register_shutdown_function(static function () use ($folder): void {
    if (!is_dir($folder)) {
        return;
    }
    $files = new RecursiveIteratorIterator(
        new RecursiveDirectoryIterator($folder, FilesystemIterator::SKIP_DOTS),
        RecursiveIteratorIterator::CHILD_FIRST,
    );
    /** @var SplFileInfo $file */
    foreach ($files as $file) {
        $file->isDir() ? rmdir($file->getPathname()) : unlink($file->getPathname());
    }
    rmdir($folder);
});
