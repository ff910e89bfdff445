<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\CanBePacked;
use Polypack\Packer;

/**
 * A linked list whose nodes write the heads of their maps themselves.
 */
final class Node implements CanBePacked
{
    public function __construct(public readonly mixed $value, public readonly mixed $next = null) {}

    /**
     * Makes so many nodes inside one another.
     */
    public static function chain(int $count, mixed $end = null): mixed
    {
        $node = $end;
        for (; $count > 0; --$count) {
            $node = new self($count, $node);
        }

        return $node;
    }

    public function pack(Packer $packer): string
    {
        return $packer->packMapHeader(2) . $packer->packStr('v') . $packer->pack($this->value)
            . $packer->packStr('next') . $packer->pack($this->next);
    }
}
