<?php

declare(strict_types=1);

namespace Polypack\Pecl;

/**
 * An object that the PECL extension msgpack has written, as plain data. Its class is only a name here.
 *
 * @api
 */
final class PhpObject
{
    /**
     * The properties by name, including private and protected ones. If a class and its parent have private properties
     * with the same name, the one that comes second in the input keeps its prefix, such as "\0Parent\0name".
     *
     * @var array<array-key, mixed>
     */
    public array $properties = [];

    /**
     * The array from __serialize(), or the string from Serializable::serialize(); null if the class has neither method.
     *
     * @var array<array-key, mixed>|string|null
     */
    public array|string|null $state = null;

    public function __construct(public readonly string $class) {}
}
