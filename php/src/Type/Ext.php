<?php

declare(strict_types=1);

namespace Polypack\Type;

use Polypack\CanBePacked;
use Polypack\Packer;

/**
 * An ext value of a type without a registered extension (spec/03-extensions.md).
 *
 * @api
 */
final class Ext implements CanBePacked
{
    // Nothing changes these after construction. They are neither readonly nor typed: PHP takes three times as long to
    // initialise a readonly property, and a decoder makes one object per ext value
    // (docs/decisions/0014-php-specialisation.md).

    /**
     * @readonly
     *
     * @var int
     */
    public $type;
    /**
     * @readonly
     *
     * @var string
     */
    public $data;

    /**
     * @param int $type -128 to 127; anything else is `out_of_range` when packed
     */
    public function __construct(int $type, string $data)
    {
        $this->type = $type;
        $this->data = $data;
    }

    public function pack(Packer $packer): string
    {
        return $packer->packExt($this->type, $this->data);
    }
}
