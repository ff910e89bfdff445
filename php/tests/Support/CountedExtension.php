<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\BufferUnpacker;
use Polypack\Extension;
use Polypack\Packer;

/**
 * Extension type 5: unpacks what a function makes of the unpacker, and counts the calls.
 */
final class CountedExtension implements Extension
{
    public int $calls = 0;

    /**
     * @param \Closure(BufferUnpacker): mixed $unpack
     */
    public function __construct(private readonly \Closure $unpack) {}

    public function getType(): int
    {
        return 5;
    }

    public function pack(Packer $packer, mixed $value): ?string
    {
        return null;
    }

    public function unpackExt(BufferUnpacker $unpacker, int $extLength): mixed
    {
        ++$this->calls;

        return ($this->unpack)($unpacker);
    }
}
