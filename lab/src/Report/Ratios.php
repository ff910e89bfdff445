<?php

declare(strict_types=1);

namespace Polypack\Lab\Report;

use Polypack\Lab\Refusal;

/**
 * The rows that the benches write (make bench-js and the like): how many times as fast or as small ours is as a peer.
 *
 * @phpstan-type Ratio array{workload: string, operation: string, against: string, mode?: string, provenance?: string,
 *   ratio: float|int, low: float|int, high: float|int, verified: bool}
 */
final class Ratios
{
    private const FIELDS = ['workload' => 'is_string', 'operation' => 'is_string', 'against' => 'is_string', 'ratio' => 'is_numeric', 'low' => 'is_numeric', 'high' => 'is_numeric', 'verified' => 'is_bool'];

    /** @return list<Ratio>|null null if the file holds no list */
    public static function read(string $file): ?array
    {
        // A result of the lab is an object, and long: its own reader decodes it.
        if (!\str_starts_with(\ltrim((string) @\file_get_contents($file, length: 64)), '[')) {
            return null;
        }
        $rows = \json_decode((string) \file_get_contents($file), true);
        if (!\is_array($rows) || !\array_is_list($rows)) {
            return null;
        }
        if ($rows === []) {
            throw new Refusal("{$file} holds no row");
        }
        foreach ($rows as $index => $row) {
            foreach (self::FIELDS as $name => $is) {
                if (!\is_array($row) || !$is($row[$name] ?? null)) {
                    throw new Refusal("{$file}: row {$index} has no {$name}, so it isn't one of a bench");
                }
            }
        }

        /** @var list<Ratio> */
        return $rows;
    }
}
