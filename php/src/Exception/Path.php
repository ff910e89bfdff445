<?php

declare(strict_types=1);

namespace Polypack\Exception;

use Polypack\Type\Bin;
use Polypack\Type\UInt64;

/**
 * Writes the path of a faulty value (spec/07-errors.md#path).
 *
 * Codecs keep a trail, which has the index or key of the current child for each open container. The trail becomes text
 * only when something fails.
 *
 * @internal
 */
final class Path
{
    /** Maximum length of a path in bytes, without MORE. A longer path is cut after a whole step, and ends in MORE. */
    private const MAX_LENGTH = 4096;
    private const MORE = '/…';

    /**
     * Returns the path that consists of the steps $from to $to - 1.
     *
     * @param array<int, int|string|Bin|UInt64|array{int}> $trail by depth: an index, or an int, str or bin key; for a
     *     key of another kind, an array that holds the index of its entry
     */
    public static function of(array $trail, int $from, int $to): string
    {
        $path = '';
        for ($i = $from; $i < $to; ++$i) {
            $segment = self::segment($trail[$i] ?? 0);
            if (\strlen($path) + 1 + \strlen($segment) > self::MAX_LENGTH) {
                return $path . self::MORE;
            }
            $path .= '/' . $segment;
        }

        return $path;
    }

    /**
     * @param int|string|Bin|UInt64|array{int} $step
     */
    private static function segment(int|string|Bin|UInt64|array $step): string
    {
        if (\is_string($step)) {
            return \str_replace(['~', '/'], ['~0', '~1'], Text::utf8($step));
        }
        if (\is_array($step)) {
            return '#' . $step[0];
        }

        return $step instanceof Bin ? '0x' . \bin2hex($step->data) : (string) $step;
    }

    /**
     * Returns the step that stands for a key in a trail: the key itself if it's an int, str or bin, else an array with
     * the index of its entry.
     *
     * @return int|string|Bin|UInt64|array{int}
     */
    public static function step(mixed $key, int $entry): int|string|Bin|UInt64|array
    {
        if (\is_int($key) || \is_string($key) || $key instanceof Bin || $key instanceof UInt64) {
            return $key;
        }

        return [$entry];
    }
}
