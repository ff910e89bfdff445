<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

/**
 * Extends a class of PHP that has properties.
 */
final class Filtering extends \php_user_filter
{
    public mixed $mine = null;
}
