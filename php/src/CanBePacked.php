<?php

declare(strict_types=1);

namespace Polypack;

/**
 * A value that packs itself.
 *
 * @api
 */
interface CanBePacked
{
    /**
     * Returns the packed bytes of exactly one value. The packer refuses anything else.
     *
     * Pack the contents with the given packer, so that limits and paths cover them too.
     */
    public function pack(Packer $packer): string;
}
