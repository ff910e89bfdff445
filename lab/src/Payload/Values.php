<?php

declare(strict_types=1);

namespace Polypack\Lab\Payload;

use Polypack\Bench\Cases;

/**
 * Single values, at least one for each format that PHP writes. They are cases of php/bench, which makes them: the
 * scenario "value-7-bit-uint-1" is its case "7-bit uint #1".
 */
final class Values
{
    public const PREFIX = 'value-';

    /** What php/bench puts in front of the names of cases. */
    public const PREFIX_OF_BENCH = 'seed-';

    /** Of scenarios whose strings are text. */
    public const TEXT = [
        'value-nil', 'value-true', 'value-7-bit-uint-1', 'value-5-bit-sint-1', 'value-8-bit-uint-1', 'value-16-bit-uint-1',
        'value-32-bit-uint-1', 'value-64-bit-uint-1', 'value-8-bit-int-1', 'value-16-bit-int-1', 'value-32-bit-int-1',
        'value-64-bit-int-1', 'value-64-bit-float-2', 'value-fix-string-3', 'value-fix-string-4', 'value-8-bit-string-2',
        'value-16-bit-string-2', 'value-32-bit-string', 'value-wide-char-string-2', 'value-fix-array-3',
        'value-16-bit-array-1', 'value-32-bit-array', 'value-fix-map-2', 'value-16-bit-map-1', 'value-32-bit-map',
        'value-complex-map',
    ];

    /** Of scenarios whose string isn't: it is packed as bin. */
    public const BIN = [
        'value-8-bit-binary-1', 'value-8-bit-binary-2', 'value-8-bit-binary-3', 'value-16-bit-binary', 'value-32-bit-binary',
    ];

    public const NAMES = [...self::TEXT, ...self::BIN];

    /** Returns the scenario of a case of php/bench. */
    public static function named(string $case): string
    {
        return self::PREFIX . \trim((string) \preg_replace('/[^a-z0-9]+/', '-', \strtolower($case)), '-');
    }

    public static function of(string $scenario): mixed
    {
        return self::cases()[$scenario][1];
    }

    public static function describe(string $scenario): string
    {
        [$case, $value] = self::cases()[$scenario];

        return "a single value, {$case}: " . match (true) {
            \is_string($value) => \number_format(\strlen($value)) . ' bytes',
            \is_array($value) => 'elements: ' . \count($value),
            default => \json_encode($value, Scenario::JSON),
        };
    }

    /** @return array<string, array{string, mixed}> the name and the value of each case, by scenario */
    private static function cases(): array
    {
        /** @var array<string, array{string, mixed}> $cases */
        static $cases = [];
        if ($cases === []) {
            require_once __DIR__ . '/../../../php/bench/_cases.php';
            foreach (Cases::all(null) as $name => $value) {
                $cases[self::named($name)] = [$name, $value];
            }
        }

        return $cases;
    }
}
