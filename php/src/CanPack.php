<?php

declare(strict_types=1);

namespace Polypack;

/**
 * Packs objects and resources that the packer doesn't know, or packs known ones in another way. The packer asks the
 * registered implementations before it applies its own rules.
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
