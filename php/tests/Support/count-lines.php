<?php

declare(strict_types=1);

// Counts the lines of src/ that a process runs which the tests have started. tools/coverage.mjs names the folder for
// the counts in COVERAGE_CHILDREN; without it, nothing is counted.

(static function (): void {
    $folder = (string) getenv('COVERAGE_CHILDREN');
    if ($folder === '' || !function_exists('pcov\start')) {
        return;
    }
    \pcov\start();
    register_shutdown_function(static function () use ($folder): void {
        \pcov\stop();
        $lines = [];
        /** @var array<string, array<int, int>> $counts */
        $counts = \pcov\collect();
        foreach ($counts as $file => $ofFile) {
            $lines[$file] = array_keys(array_filter($ofFile, static fn(int $count): bool => $count > 0));
        }
        file_put_contents("{$folder}/" . bin2hex(random_bytes(8)) . '.json', json_encode($lines, \JSON_THROW_ON_ERROR));
    });
})();
