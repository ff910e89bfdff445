<?php

declare(strict_types=1);

namespace Polypack;

/**
 * Decides whether bytes are UTF-8 as spec/02-wire.md#str defines it.
 *
 * @internal
 */
final class Utf8
{
    public static function isValid(string $bytes): bool
    {
        return \function_exists('mb_check_encoding') ? \mb_check_encoding($bytes, 'UTF-8') : self::isValidByPcre($bytes);
    }

    /**
     * The same without mbstring. PCRE is part of every PHP, and the empty pattern cannot hit its backtrack limit.
     */
    public static function isValidByPcre(string $bytes): bool
    {
        return \preg_match('//u', $bytes) === 1;
    }
}
