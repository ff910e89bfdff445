<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Makes objects of some final classes that are built into PHP, such as GMP from PHP 8.4 on, BcMath\Number, and classes
 * of Random. Reflection refuses to make their objects without calling the constructor.
 *
 * Native unserialize() can make them. It creates the object and reads the values that follow it in the input. Only at
 * the end does it call the object's `__unserialize`, which fails because the data are missing. So make() puts a
 * NativeMaker right after the object. NativeMaker::unserialize() runs before the failing call, and takes the object.
 *
 * @internal
 */
final class NativeMaker implements \Serializable
{
    private static ?string $mark = null;

    private static ?object $taken = null;

    private function __construct() {}

    /**
     * Returns an object without its data, or null if PHP refuses to make it. Don't use the object before it has its
     * data.
     *
     * @param class-string $class a class that is built into PHP
     */
    public static function make(string $class): ?object
    {
        self::$mark = \random_bytes(8);
        self::$taken = null;
        $one = static fn(string $name, string $properties): string => \sprintf('O:%d:"%s":%s', \strlen($name), $name, $properties);
        $marked = $one('stdClass', '1:{s:4:"mark";s:8:"' . self::$mark . '";}');
        $bytes = "a:3:{i:0;{$marked}i:1;" . $one($class, '0:{}') . \sprintf('i:2;C:%d:"%s":0:{}}', \strlen(self::class), self::class);
        try {
            @\unserialize($bytes, ['allowed_classes' => [\stdClass::class, $class, self::class]]);
        } catch (\Throwable) {
            // expected, because __unserialize fails without data
        }

        return self::release($class);
    }

    /**
     * Takes the object. Native unserialize() calls this method, and numbers all values of one call: `r:2` is the object
     * with the mark, and `r:4` is the object to take. If make() runs inside the unserialize() of a Serializable, PHP
     * continues the numbers of the outer call. Then `r:2` lacks the mark, and no object is taken.
     */
    public function unserialize(string $data): void
    {
        $marked = self::$mark === null ? null : \unserialize('r:2;');
        if ($marked instanceof \stdClass && ($marked->mark ?? null) === self::$mark) {
            $object = \unserialize('r:4;');
            self::$taken = \is_object($object) ? $object : null;
        }
    }

    /**
     * Clears the static properties. Returns the object that unserialize() took, or null if it took none of this class.
     */
    private static function release(string $class): ?object
    {
        $taken = self::$taken;
        self::$mark = self::$taken = null;

        return $taken !== null && $taken::class === $class ? $taken : null;
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
