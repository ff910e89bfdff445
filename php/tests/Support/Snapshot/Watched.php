<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

/**
 * An iterator that notes that its code ran.
 *
 * @extends \ArrayIterator<array-key, mixed>
 */
final class Watched extends \ArrayIterator
{
    public static int $calls = 0;

    public function rewind(): void
    {
        ++self::$calls;
        parent::rewind();
    }
}
