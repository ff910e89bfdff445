<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

/**
 * Has magic methods that must not be called when an object is made.
 */
#[\AllowDynamicProperties]
final class Loose
{
    /** @var list<string> */
    public static array $calls = [];

    public int $declared = 1;

    public function __get(string $name): mixed
    {
        self::$calls[] = "get {$name}";

        return null;
    }

    public function __set(string $name, mixed $value): void
    {
        self::$calls[] = "set {$name}";
    }

    public function __isset(string $name): bool
    {
        self::$calls[] = "isset {$name}";

        return false;
    }

    public function __unset(string $name): void
    {
        self::$calls[] = "unset {$name}";
    }

    public static function with(string $name, mixed $value): self
    {
        $object = new self();
        $table = @new \ArrayObject($object);
        $table[$name] = $value;

        return $object;
    }
}
