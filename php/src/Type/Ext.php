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
    // Nothing changes these properties after construction. They are neither readonly nor typed, because PHP takes
    // longer to write the first value of such properties. A decoder makes one object per ext value
    // (docs/measurements/php-loops.md).

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
     * @param int $type -128 to 127; packing any other type fails with `out_of_range`
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
