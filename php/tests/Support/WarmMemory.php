<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * Makes PHP's allocator keep memory between messages, which it otherwise returns to the system and asks for again.
 *
 * Without opcache a message of 512 levels takes 5 MB for frames, and the first use of each page costs more than
 * decoding: 15 ms a message, and 0.8 ms with this. The allocator returns a chunk when nothing is left in it.
 */
final class WarmMemory
{
    /** Strings of two pages that fill a chunk. */
    private const PER_CHUNK = 255;
    private const LENGTH = 8000;

    /** @var list<string> one in each chunk */
    private static array $kept = [];

    /**
     * @param int $chunks of 2 MB
     */
    public static function keep(int $chunks = 10): void
    {
        if (self::$kept !== []) {
            return;
        }
        $all = [];
        for ($i = 0; $i < $chunks * self::PER_CHUNK; ++$i) {
            $all[] = \str_repeat('x', self::LENGTH);
        }
        for ($i = 0; $i < $chunks; ++$i) {
            self::$kept[] = $all[$i * self::PER_CHUNK];
        }
    }
}
