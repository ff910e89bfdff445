<?php

declare(strict_types=1);

namespace Polypack\Lab\Payload;

/**
 * Compares two values through and through: every element, every key, every property, and the class of each object.
 */
final class Same
{
    /**
     * Returns null if the values are the same, else where they first differ and how.
     *
     * The order of an object's keys is free; a list's order isn't.
     */
    public static function fault(mixed $expected, mixed $actual, string $path = ''): ?string
    {
        if (\is_array($expected)) {
            return \is_array($actual) ? self::arrayFault($expected, $actual, $path) : self::differ($expected, $actual, $path);
        }
        if (\is_object($expected)) {
            return \is_object($actual) ? self::objectFault($expected, $actual, $path) : self::differ($expected, $actual, $path);
        }
        if (\is_float($expected) && \is_float($actual)) {
            // One NaN is as good as another, and zero has a sign, which === doesn't see.
            $same = \is_nan($expected) ? \is_nan($actual) : \pack('E', $expected) === \pack('E', $actual);

            return $same ? null : self::differ($expected, $actual, $path);
        }
        if ($expected === $actual) {
            return null;
        }

        return self::differ($expected, $actual, $path);
    }

    /**
     * @param array<mixed> $expected
     * @param array<mixed> $actual
     */
    private static function arrayFault(array $expected, array $actual, string $path): ?string
    {
        foreach ($expected as $key => $value) {
            if (!\array_key_exists($key, $actual)) {
                return self::at($path, (string) $key) . ': missing';
            }
            $fault = self::fault($value, $actual[$key], self::at($path, (string) $key));
            if ($fault !== null) {
                return $fault;
            }
        }
        foreach (\array_diff_key($actual, $expected) as $key => $_) {
            return self::at($path, (string) $key) . ': nothing expected here';
        }

        return \array_is_list($expected) === \array_is_list($actual) ? null : "{$path}: not in the order of a list";
    }

    private static function objectFault(object $expected, object $actual, string $path): ?string
    {
        if ($expected::class !== $actual::class) {
            return self::differ($expected, $actual, $path);
        }
        if ($expected instanceof \UnitEnum) {
            return $expected === $actual ? null : self::differ($expected, $actual, $path);
        }
        if ($expected instanceof \DateTimeInterface) {
            \assert($actual instanceof \DateTimeInterface);
            $format = 'Y-m-d\TH:i:s.uP';

            return self::fault($expected->format($format), $actual->format($format), $path);
        }

        return self::arrayFault(self::properties($expected), self::properties($actual), $path);
    }

    /** @return array<string, mixed> private properties too, by their plain names */
    private static function properties(object $object): array
    {
        $properties = [];
        foreach ((array) $object as $name => $value) {
            $properties[\substr((string) \strrchr("\0{$name}", "\0"), 1)] = $value;
        }

        return $properties;
    }

    private static function at(string $path, string $key): string
    {
        return $path . '/' . \strtr($key, ['~' => '~0', '/' => '~1']);
    }

    private static function differ(mixed $expected, mixed $actual, string $path): string
    {
        return \sprintf('%s: %s expected, got %s', $path === '' ? 'the whole' : $path, self::show($expected), self::show($actual));
    }

    private static function show(mixed $value): string
    {
        return match (true) {
            $value instanceof \UnitEnum => $value::class . '::' . $value->name,
            \is_object($value) => self::shortClass($value),
            \is_array($value) => 'array of ' . \count($value),
            \is_string($value) => self::quote($value),
            default => \get_debug_type($value) . ' ' . \var_export($value, true),
        };
    }

    private static function quote(string $value): string
    {
        $flags = \JSON_UNESCAPED_UNICODE | \JSON_UNESCAPED_SLASHES | \JSON_INVALID_UTF8_SUBSTITUTE | \JSON_THROW_ON_ERROR;

        return \json_encode(\mb_strcut($value, 0, 40), $flags) . (\strlen($value) > 40 ? '…' : '');
    }

    private static function shortClass(object $value): string
    {
        return \basename(\strtr($value::class, '\\', '/'));
    }
}
