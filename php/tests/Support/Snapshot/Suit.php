<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

enum Suit: string
{
    public const WILD = self::Hearts;

    case Hearts = 'H';
    case Spades = 'S';
}
