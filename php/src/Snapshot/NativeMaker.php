<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Makes objects that reflection refuses to make without their constructor: those of PHP's own final classes, such as
 * GMP from PHP 8.4 on, BcMath\Number, and the classes of Random.
 *
 * Native unserialize() can make them. It creates the object, reads the values that follow it in the input, and only at
 * the end calls the object's `__unserialize`, which fails because the data are missing. So make() puts a NativeMaker
 * right after the object: its unserialize() runs before that call, and takes the object.
 *
 * @internal
 */
final class NativeMaker implements \Serializable
{
    private static ?string $mark = null;

    private static ?object $taken = null;

    private function __construct() {}

    /**
     * Returns an object without its data, or null if PHP refuses that, too. Don't use the object before it has its
     * data.
     *
     * @param class-string $class of PHP itself
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
            // expected, because the object has no data
        }

        return self::release($class);
    }

    /**
     * Called by native unserialize(), which numbers all values of one call: 2 is the object with the mark, 4 the one to
     * take. A call from inside the `unserialize()` of a Serializable continues the numbers of the outer call, so
     * nothing can be made; the mark shows that.
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
     * Forgets everything, and returns the object that was taken if it is of the class.
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
