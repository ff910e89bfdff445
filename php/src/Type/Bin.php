<?php

declare(strict_types=1);

namespace Polypack\Type;

use Polypack\CanBePacked;
use Polypack\Packer;

/**
 * Bytes that are packed as bin, whatever the options say about strings.
 *
 * @api
 */
final class Bin implements CanBePacked
{
    public function __construct(public readonly string $data) {}

    public function pack(Packer $packer): string
    {
        return $packer->packBin($this->data);
    }
}
