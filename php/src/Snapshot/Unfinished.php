<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Keeps the destructors of a snapshot's objects from running if reading the snapshot fails. From PHP 8.4 on, most of
 * these objects become lazy objects, whose destructors PHP doesn't call. An object can't become lazy if its class is
 * built into PHP or extends such a class. For such objects, and before PHP 8.4, the destructors only wait until
 * the request ends, because PHP has no way to skip them.
 *
 * @internal
 */
final class Unfinished
{
    /**
     * @var list<object>
     *
     * @phpstan-ignore property.onlyWritten
     */
    private static array $kept = [];

    /**
     * @param iterable<?object> $objects
     */
    public static function keep(iterable $objects): void
    {
        foreach ($objects as $object) {
            if ($object === null || !\method_exists($object::class, '__destruct')) {
                continue;
            }
            $class = new \ReflectionClass($object);
            try {
                // 16 is ReflectionClass::SKIP_DESTRUCTOR
                \method_exists($class, 'resetAsLazyGhost')
                    ? $class->resetAsLazyGhost($object, static fn() => throw new \LogicException('an object of a broken snapshot was used'), 16)
                    : self::$kept[] = $object;
            } catch (\Error) { // its class is built into PHP or extends such a class
                self::$kept[] = $object;
            }
        }
    }
}
