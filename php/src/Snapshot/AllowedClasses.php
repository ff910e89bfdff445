<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Applies the list of `allowed_classes` to the unserialize() calls in a Serializable::unserialize() method. PHP's own
 * methods need the list, too: ArrayObject::unserialize() makes an object of any class that its data name.
 *
 * PHP hands the list of an unserialize() call down to calls that run inside a Serializable::unserialize() method and
 * pass no list. So hold() lets PHP's unserialize() make an object of this class, whose unserialize() runs the code.
 *
 * PHP ignores the list for enums, and loads each enum that the data name. LegacyData finds the names beforehand.
 *
 * @internal
 */
final class AllowedClasses implements \Serializable
{
    private static ?\Closure $code = null;

    private function __construct() {}

    /**
     * Runs the code with a list of allowed classes. Doesn't run it where PHP wouldn't apply the list: while PHP calls
     * `__unserialize`, `__wakeup` or `__serialize` of another object.
     *
     * @param list<string>    $names
     * @param \Closure(): void $code
     *
     * @return bool whether the code has run
     */
    public static function hold(array $names, \Closure $code): bool
    {
        $hasRun = false;
        self::$code = static function () use ($code, &$hasRun): void {
            $hasRun = true;
            $code();
        };
        try {
            \unserialize(\sprintf('C:%d:"%s":0:{}', \strlen(self::class), self::class), ['allowed_classes' => [self::class, ...\array_values(self::named($names))]]);
        } finally {
            self::$code = null;
        }

        return $hasRun;
    }

    /**
     * Returns the names that are valid class names. From PHP 8.4 on, unserialize() refuses a list with any other name.
     *
     * @param array<array-key, string> $names
     *
     * @return array<array-key, string>
     */
    public static function named(array $names): array
    {
        return \array_filter($names, static fn(string $name): bool => \preg_match('/^[a-zA-Z_\x80-\xff][\\\\a-zA-Z0-9_\x80-\xff]*$/D', $name) === 1);
    }

    /**
     * Runs the code of hold(). Does nothing if PHP calls this method for other bytes that name this class.
     */
    public function unserialize(string $data): void
    {
        $code = self::$code;
        self::$code = null;
        if ($code !== null && self::isHandedDown()) {
            $code();
        }
    }

    /**
     * Tells whether PHP applies the list here. If so, it doesn't make an object of Format, which nobody lists.
     */
    private static function isHandedDown(): bool
    {
        return \unserialize(\sprintf('O:%d:"%s":0:{}', \strlen(Format::class), Format::class)) instanceof \__PHP_Incomplete_Class;
    }

    public function serialize(): never
    {
        throw new \LogicException('this class has no objects');
    }

    public function __serialize(): never
    {
        throw new \LogicException('this class has no objects');
    }

    /**
     * @param array<array-key, mixed> $data
     */
    public function __unserialize(array $data): never
    {
        throw new \LogicException('this class has no objects');
    }
}
