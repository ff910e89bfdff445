<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\Exception\PackingFailedException;
use Polypack\MessagePack;

/**
 * For tests of what cannot be packed.
 */
trait PackingFaults
{
    private static function assertFails(string $code, string $path, mixed $value, int $options = 0): void
    {
        self::assertSame("{$code} at  ({$path})", Outcome::of(static fn(): string => MessagePack::pack($value, $options)));
    }

    private static function failure(mixed $value, int $options = 0): PackingFailedException
    {
        try {
            MessagePack::pack($value, $options);
        } catch (PackingFailedException $error) {
            return $error;
        }
        self::fail('packing succeeded');
    }
}
