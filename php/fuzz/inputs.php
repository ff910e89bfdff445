<?php

declare(strict_types=1);

use Polypack\Tests\Support\Vectors;

// Prints the inputs of the vectors in hex, a line each: the corpus for ext/fuzz/heads.c.
//
// usage: php fuzz/inputs.php

require __DIR__ . '/../vendor/autoload.php';

const LONGEST = 4096;
foreach (Vectors::files() as [, $file]) {
    foreach (Vectors::cases($file) as $case) {
        foreach (['bytes', 'canonical'] as $field) {
            $bytes = $case->has($field) ? $case->bytes($field) : '';
            if ($bytes !== '' && strlen($bytes) <= LONGEST) {
                echo bin2hex($bytes), "\n";
            }
        }
    }
}
