<?php

declare(strict_types=1);

namespace Polypack;

/**
 * Packs values of types the packer does not know. Registered with the packer.
 *
 * @api
 */
interface CanPack
{
    /**
     * Packs the value, or returns null when it is not of this transformer's type. The packer refuses bytes that aren't
     * exactly one value.
     *
     * Pack the contents with the given packer, so that limits and paths cover them too.
     */
    public function pack(Packer $packer, mixed $value): ?string;
}
