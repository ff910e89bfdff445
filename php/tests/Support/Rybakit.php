<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

/**
 * Finds rybakit/msgpack. Not every registry has it, so no test may need it.
 */
final class Rybakit
{
    public const MISSING = 'no rybakit/msgpack: POLYPACK_RYBAKIT may name a checkout, and make setup installs it in the '
        . 'lab if a registry has it';

    /** Where `tools/setup` installs it. */
    private const OF_THE_LAB = __DIR__ . '/../../../lab/vendors/rybakit/vendor/rybakit/msgpack';

    /**
     * Returns the folder that POLYPACK_RYBAKIT names, or where the lab has the library, or null.
     */
    public static function folder(): ?string
    {
        $named = (string) \getenv('POLYPACK_RYBAKIT');
        if ($named !== '') {
            return $named;
        }

        return \is_file(self::OF_THE_LAB . '/src/Packer.php') ? self::OF_THE_LAB : null;
    }
}
