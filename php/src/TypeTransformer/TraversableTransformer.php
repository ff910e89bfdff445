<?php

declare(strict_types=1);

namespace Polypack\TypeTransformer;

use Polypack\CanPack;
use Polypack\Packer;
use Polypack\Type\Entries;

/**
 * Packs generators and other objects of Traversable as array or as map. They must be finite.
 *
 * @api
 */
final class TraversableTransformer implements CanPack
{
    private function __construct(private readonly bool $toMap) {}

    /**
     * Packs keys and values as map. Keys may be of any kind; the transformer does not make them unique.
     */
    public static function toMap(): self
    {
        return new self(true);
    }

    /**
     * Packs the values as array and leaves the keys out.
     */
    public static function toArray(): self
    {
        return new self(false);
    }

    public function pack(Packer $packer, mixed $value): ?string
    {
        if (!$value instanceof \Traversable || $value instanceof Entries) {
            return null;
        }
        if (!$this->toMap) {
            return $packer->packArray(\iterator_to_array($value, false));
        }

        $entries = [];
        foreach ($value as $key => $item) {
            $entries[] = [$key, $item];
        }

        return $packer->pack(new Entries($entries));
    }
}
