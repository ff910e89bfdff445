<?php

declare(strict_types=1);

namespace Polypack;

/**
 * Decides whether bytes are UTF-8 as spec/02-wire.md#str defines it.
 *
 * Strict and lossless mode refuse what isn't: when unpacking in str() of Decoder/General.php, in Decoder/Containers.php
 * and in Records/InlineReading.php, to which the loops in Decoder/Loops/ leave it; when packing in str() of
 * Encoder/Encoder.php and in Encoder/Loops/StringLoops.php.
 *
 * @internal
 */
final class Utf8
{
    /**
     * From this length on PCRE is faster than the mbstring of PHP 8.2, which converts as it checks. PCRE also marks the
     * string as valid, so a second check is free.
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
     * Decides the same without mbstring. Every PHP has PCRE, and the empty pattern can't hit its backtrack limit.
     */
    public static function isValidByPcre(string $bytes): bool
    {
        return \preg_match('//u', $bytes) === 1;
    }
}
