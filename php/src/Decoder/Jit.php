<?php

declare(strict_types=1);

namespace Polypack\Decoder;

/**
 * Finds out whether the JIT of PHP is on. With a JIT, different code is fastest for some steps
 * (docs/decisions/0014-php-specialisation.md).
 *
 * @internal
 */
final class Jit
{
    /**
     * Tells whether the settings switch a JIT on. opcache_get_status() would be exact, but it is much slower and may be
     * forbidden.
     */
    public static function isOn(): bool
    {
        $cli = \PHP_SAPI === 'cli' || \PHP_SAPI === 'phpdbg';

        return (int) \ini_get('opcache.jit_buffer_size') > 0 // 0 also if opcache is missing
            && \filter_var(\ini_get($cli ? 'opcache.enable_cli' : 'opcache.enable'), \FILTER_VALIDATE_BOOL)
            && !\in_array(\strtolower((string) \ini_get('opcache.jit')), ['', '0', 'off', 'no', 'false', 'disable'], true);
    }
}
