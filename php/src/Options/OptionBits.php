<?php

declare(strict_types=1);

namespace Polypack\Options;

use Polypack\Exception\InvalidOptionException;

/**
 * Checks a bitmask of options.
 *
 * @internal
 */
final class OptionBits
{
    /**
     * @param list<array<string, int>> $exclusive groups of options of which at most one may be set
     *
     * @throws InvalidOptionException
     */
    public static function check(string $class, int $bitmask, array $exclusive): void
    {
        if ($bitmask === 0) { // most calls of MessagePack::pack() and unpack()
            return;
        }
        $unknown = $bitmask;
        foreach ($exclusive as $group) {
            $set = \array_keys(\array_filter($group, static fn(int $bit): bool => ($bitmask & $bit) !== 0));
            if (\count($set) > 1) {
                throw InvalidOptionException::conflict(self::shortName($class), ...$set);
            }
            $unknown &= ~\array_sum($group);
        }
        if ($unknown !== 0) {
            throw InvalidOptionException::unknownBits(self::shortName($class), $unknown);
        }
    }

    private static function shortName(string $class): string
    {
        return \substr((string) \strrchr("\\{$class}", '\\'), 1);
    }
}
