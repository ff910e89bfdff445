<?php

declare(strict_types=1);

namespace Polypack\Lab\Payload;

/** Bytes as they arrive from a socket or a file. */
final class Chunks
{
    /**
     * Cuts bytes as they are asked for, so that only one chunk is in memory beside them.
     *
     * @return \Generator<int, string>
     */
    public static function of(string $bytes, Scenario $scenario): \Generator
    {
        $length = $scenario->chunkLength();
        for ($at = 0, $end = \strlen($bytes); $at < $end; $at += $length) {
            yield \substr($bytes, $at, $length);
        }
    }
}
