<?php

declare(strict_types=1);

namespace Polypack\Native;

use Polypack\Exception\InvalidOptionException;

/**
 * Tells whether the PHP extension encodes and decodes whole messages, with functions such as polypack_encode() and
 * polypack_decode(). docs/decisions/0020-native-seam.md specifies these functions.
 *
 * The environment variable POLYPACK_ENGINE chooses: `php` for the PHP code, `ext` for the extension. By
 * default, the extension is used if it is loaded with the ABI that this library needs.
 *
 * @internal
 */
final class Engine
{
    /** The version of the extension's functions that this library needs. The constant POLYPACK_ABI must equal it. */
    public const ABI = 13;

    /** @var ?bool null until isActive() is called; public, because each new packer and unpacker reads it */
    public static $isActive = null;

    /**
     * @throws InvalidOptionException when POLYPACK_ENGINE names an engine that doesn't exist or can't be used
     */
    public static function isActive(): bool
    {
        return self::$isActive ??= self::choose((string) \getenv('POLYPACK_ENGINE'));
    }

    private static function choose(string $name): bool
    {
        $missing = self::missing();
        if ($name === '') {
            return $missing === null;
        }
        if ($name !== 'php' && $name !== 'ext') {
            throw InvalidOptionException::unknownEngine($name);
        }
        if ($name === 'ext' && $missing !== null) {
            throw InvalidOptionException::noEngine($missing);
        }

        return $name === 'ext';
    }

    /**
     * Returns the reason why the extension can't be used; null if it can.
     */
    public static function missing(): ?string
    {
        // Don't use function_exists(), because opcache's file cache would keep the answer for later processes, which
        // may have other extensions. The extension registers this constant as one that the file cache doesn't keep.
        if (!\defined('POLYPACK_ABI')) {
            return 'the PHP extension polypack is not loaded';
        }
        $abi = \constant('POLYPACK_ABI');

        return $abi === self::ABI
            ? null
            : 'the PHP extension polypack has ABI ' . \var_export($abi, true) . ' where this library needs ' . self::ABI . ': update the older of both';
    }
}
