<?php

declare(strict_types=1);

namespace Polypack\Decoder;

/**
 * Tells an unpacker that was made for an extension whether the extension is still running. All unpackers made during
 * the outermost extension's call share one object, and so do their copies.
 *
 * @internal
 */
final class ExtensionCall
{
    public bool $isRunning = true;
}
