<?php

declare(strict_types=1);

namespace Polypack\Exception;

/**
 * Makes user data safe to show in an error text.
 *
 * @internal
 */
final class Text
{
    private const MAX_BYTES = 100;

    /**
     * Shortens a UTF-8 text to about 100 bytes and replaces ASCII control characters, so that an error stays on one
     * line of a log.
     */
    public static function short(string $text): string
    {
        if (\strlen($text) > self::MAX_BYTES) {
            $text = self::utf8(\substr($text, 0, self::MAX_BYTES - 3)) . '…';
        }

        return (string) \preg_replace('/[\x00-\x1f\x7f]/', '?', $text);
    }

    /**
     * Replaces invalid UTF-8 with U+FFFD, as Unicode recommends: one for each truncated character, and one for each
     * other invalid byte.
     */
    public static function utf8(string $bytes): string
    {
        if (\preg_match('//u', $bytes) === 1) {
            return $bytes;
        }

        $valid = '[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]'
            . '|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]'
            . '|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}';
        $begun = '\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f]'
            . '|\xf0[\x90-\xbf][\x80-\xbf]?|[\xf1-\xf3][\x80-\xbf]{1,2}|\xf4[\x80-\x8f][\x80-\xbf]?';

        return (string) \preg_replace("/(?:{$valid})(*SKIP)(*FAIL)|{$begun}|./s", "\u{fffd}", $bytes);
    }
}
