<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\CanBePacked;
use Polypack\CanPack;
use Polypack\Packer;

/**
 * An object that packs itself as the bytes it was given, and a transformer that does so for values of its kind.
 */
final class Returning implements CanBePacked
{
    /**
     * @param string|\Closure(Packer): string $bytes
     */
    public function __construct(private readonly string|\Closure $bytes) {}

    public function pack(Packer $packer): string
    {
        return \is_string($this->bytes) ? $this->bytes : ($this->bytes)($packer);
    }

    /**
     * Returns a transformer that packs the class like this, which it then isn't asked for.
     */
    public static function transformer(): CanPack
    {
        return new class implements CanPack {
            public function pack(Packer $packer, mixed $value): ?string
            {
                return $value instanceof Returning ? $value->pack($packer) : null;
            }
        };
    }
}
