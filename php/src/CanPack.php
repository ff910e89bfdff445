<?php

declare(strict_types=1);

namespace Polypack;

/**
 * Packs values of types that the packer doesn't know. Register an implementation with the packer.
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
