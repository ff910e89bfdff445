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
     * Returns the packed bytes of exactly one value.
     *
     * Use the packer for everything inside, so that limits and paths keep working.
     */
    public function pack(Packer $packer): string;
}
