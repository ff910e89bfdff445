<?php

declare(strict_types=1);

namespace Polypack\Pecl;

/**
 * An object written by the PECL extension msgpack, as plain data: the class is only a name.
 *
 * @api
 */
final class PhpObject
{
    /**
     * The properties by name, private and protected ones too. When a class and its parent have private properties of
     * the same name, the second keeps its prefix ("\0Parent\0name").
     *
     * @var array<array-key, mixed>
     */
    public array $properties = [];

    /**
     * The array that __serialize() returned or, for a class that implements Serializable, its string; otherwise null.
     *
     * @var array<array-key, mixed>|string|null
     */
    public array|string|null $state = null;

    public function __construct(public readonly string $class) {}
}
