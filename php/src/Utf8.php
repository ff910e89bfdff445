<?php

declare(strict_types=1);

namespace Polypack;

/**
 * Decides whether bytes are UTF-8 as spec/02-wire.md#str defines it. The loops in Decoder/Loops/ call
 * mb_check_encoding() themselves instead.
 *
 * @internal
 */
final class Utf8
{
    /**
     * From this many bytes on, PCRE is faster than the mbstring of PHP 8.2, which converts the string to check it. PCRE
     * also marks the string as valid, so that it needn't check the same string again.
     */
    private const LONG = 48;

    public static function isValid(string $bytes): bool
    {
        if (\function_exists('mb_check_encoding') && (\PHP_VERSION_ID >= 80300 || \strlen($bytes) < self::LONG)) {
            return \mb_check_encoding($bytes, 'UTF-8');
        }

        return self::isValidByPcre($bytes);
    }

    /**
     * Does the same as isValid(), without mbstring. Every PHP has PCRE, and the empty pattern can't reach PCRE's
     * backtrack limit.
     */
    public static function isValidByPcre(string $bytes): bool
    {
        return \preg_match('//u', $bytes) === 1;
    }
}
