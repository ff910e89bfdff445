<?php

declare(strict_types=1);

namespace Polypack\Lab\Measure;

use Polypack\BufferUnpacker;

/** Reads the bytes of contestants with a library that isn't theirs, where there is one. */
final class Referee
{
    /** Reads with the extension msgpack; ours reads where that one isn't loaded. */
    public static function readMessagePack(string $bytes): mixed
    {
        if (\extension_loaded('msgpack')) {
            return \msgpack_unpack($bytes);
        }
        if (!\class_exists(BufferUnpacker::class)) {
            require_once __DIR__ . '/../../vendors/polypack/autoload.php';
        }

        return (new BufferUnpacker($bytes))->unpack();
    }
}
