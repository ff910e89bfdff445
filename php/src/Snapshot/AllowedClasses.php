<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Makes `allowed_classes` hold for the native unserialize() that a Serializable::unserialize() calls on its data. The
 * classes of PHP itself do that, too: ArrayObject::unserialize() makes any object that its data name.
 *
 * Native unserialize() hands its list down to every unserialize() that runs inside a Serializable::unserialize(). So
 * hold() lets native unserialize() make an object of this class, whose unserialize() runs the code.
 *
 * No list of native unserialize() holds for enums: it loads each one that is named. So LegacyData finds their names.
 *
 * @internal
 */
final class AllowedClasses implements \Serializable
{
    private static ?\Closure $code = null;

    private function __construct() {}

    /**
     * Runs the code, unless PHP wouldn't hand down the list. It doesn't while it calls `__unserialize`, `__wakeup` or
     * `__serialize` of another object.
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
     * Returns those of the names that a class may have. From PHP 8.4 on, native unserialize() takes no others.
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
     * Native unserialize() calls this method, also for other bytes that name this class. Then there is no code.
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
     * Tells whether the list holds here. If so, native unserialize() refuses a class that nobody lists.
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
