<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Takes care of half-built objects, after a snapshot could not be read to its end: their destructors must not run. From
 * PHP 8.4 on, they become lazy objects, which have no destructor until they are used. Earlier versions of PHP have no
 * way to skip a destructor. There the objects are kept until the process ends, when PHP calls their destructors anyway.
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
            if (\method_exists($class, 'resetAsLazyGhost') && !$class->isInternal()) {
                // 16 is ReflectionClass::SKIP_DESTRUCTOR
                $class->resetAsLazyGhost($object, static fn() => throw new \LogicException('an object of a broken snapshot was used'), 16);
            } else {
                self::$kept[] = $object;
            }
        }
    }
}
