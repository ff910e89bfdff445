<?php

declare(strict_types=1);

namespace Polypack\Lab\Measure;

use Symfony\Component\Process\Process;

/** Tells how small bytes become when they are compressed on their way. */
final class Compressed
{
    /** @return array{gzip: int|null, zstd: int|null} lengths at the usual levels, null where there's no program */
    public static function sizes(string $file): array
    {
        $gzip = \function_exists('gzencode') ? \gzencode((string) \file_get_contents($file), 6) : false;

        return ['gzip' => $gzip === false ? null : \strlen($gzip), 'zstd' => self::zstd($file)];
    }

    private static function zstd(string $file): ?int
    {
        if (\function_exists('zstd_compress')) {
            $bytes = \zstd_compress((string) \file_get_contents($file), 3);

            return \is_string($bytes) ? \strlen($bytes) : null;
        }
        try {
            $process = new Process(['zstd', '-q', '-3', '-c', $file]);
            $process->setTimeout(60)->run();
        } catch (\Throwable) {
            return null;
        }

        return $process->isSuccessful() ? \strlen($process->getOutput()) : null;
    }
}
