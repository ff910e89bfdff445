<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

/**
 * A class of users that has its hooks from PHP.
 *
 * @extends \ArrayObject<array-key, mixed>
 */
final class Collection extends \ArrayObject {}
