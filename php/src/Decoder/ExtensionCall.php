<?php

declare(strict_types=1);

namespace Polypack\Decoder;

/**
 * Tells unpackers of the data of an extension whether the extension is still running. All unpackers that are made
 * during the call share one object, copies too.
 *
 * @internal
 */
final class ExtensionCall
{
    public bool $isRunning = true;
}
