<?php

declare(strict_types=1);

namespace Polypack\Extension\Tarantool;

use Polypack\Extension;

/**
 * Makes the extensions for three types of the database Tarantool: decimal, UUID and datetime.
 *
 * @api
 */
final class Tarantool
{
    /**
     * Returns the extensions for a packer and an unpacker.
     *
     * @param (\Closure(string): object)|null $decimal makes the unpacked value of a decimal; see DecimalExtension
     * @param (\Closure(string): object)|null $uuid    makes the unpacked value of a UUID; see UuidExtension
     *
     * @return list<Extension>
     */
    public static function extensions(?\Closure $decimal = null, ?\Closure $uuid = null): array
    {
        return [new DecimalExtension($decimal), new UuidExtension($uuid), new DateTimeExtension()];
    }
}
