<?php

declare(strict_types=1);

namespace Polypack\Lab\Payload;

/** Bytes as they arrive from a socket or a file: PHP reads at most so many at a time. */
final class Chunks
{
    /** In bytes. The workers of other languages cut at the same length, as a test checks. */
    public const LENGTH = 8192;

    /**
     * Cuts bytes as they are asked for, so that only one chunk is in memory beside them.
     *
     * @return \Generator<int, string>
     */
    public static function of(string $bytes): \Generator
    {
        for ($at = 0, $end = \strlen($bytes); $at < $end; $at += self::LENGTH) {
            yield \substr($bytes, $at, self::LENGTH);
        }
    }
}
