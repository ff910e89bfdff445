<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

/**
 * Extends a class of PHP, and has a destructor.
 *
 * @extends \ArrayObject<array-key, mixed>
 */
final class Extended extends \ArrayObject
{
    public int $n = 1;

    public function __destruct() {}
}
