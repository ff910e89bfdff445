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
     * @param array<string, int>       $foreign   constants that only the other class has
     *
     * @throws InvalidOptionException
     */
    public static function check(string $class, int $bitmask, array $exclusive, string $other, array $foreign): void
    {
        if ($bitmask === 0) { // the most common case: no options
            return;
        }
        foreach ($foreign as $option => $bit) {
            if (($bitmask & $bit) !== 0) {
                throw InvalidOptionException::foreign(self::shortName($class), self::shortName($other), $option);
            }
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
