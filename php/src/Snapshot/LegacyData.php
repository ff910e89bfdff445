<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

use Polypack\Snapshot\Migration\PhpScan;

/**
 * Looks through the data of a Serializable for class names and value numbers that native unserialize() would act on.
 * Each class has its own format for the data. So everything that looks like the format of PHP's serialize() counts,
 * also inside texts.
 *
 * @internal
 */
final class LegacyData
{
    public const ESCAPED = 'cannot be limited, because texts in the data are escaped again and again (S:…)';

    /** How often escaped texts may be in one another. PHP writes no such text. */
    private const MOST_ESCAPED = 3;

    /**
     * Returns the names of the classes and enums that native unserialize() would look for.
     *
     * @param \Closure(string): bool $takesIterator whether the data of objects of a class may name an iterator class
     *
     * @return list<string>
     */
    public static function classes(string $data, \Closure $takesIterator): array
    {
        $named = self::named(self::layers($data));

        return [...$named, ...self::iteratorsIn($data, \array_filter($named, $takesIterator) !== [], $takesIterator)];
    }

    /**
     * Returns the texts that may name the iterator class of an ArrayObject. PHP writes this name behind the key 3. If
     * the format of the data isn't PHP's, and inside texts, each text behind a 3 counts, except `timezone`, which dates
     * have there.
     *
     * @param \Closure(string): bool $takesIterator whether the data of objects of a class may name an iterator class
     *
     * @return list<string>
     */
    public static function iterators(string $data, \Closure $takesIterator): array
    {
        return self::iteratorsIn($data, \array_filter(self::named(self::layers($data)), $takesIterator) !== [], $takesIterator);
    }

    /**
     * @param bool                   $mayName       whether the data name a class for which $takesIterator returns true
     * @param \Closure(string): bool $takesIterator
     *
     * @return list<string>
     */
    private static function iteratorsIn(string $data, bool $mayName, \Closure $takesIterator): array
    {
        if (!$mayName) {
            return [];
        }
        $scan = new PhpScan($data);
        $isWhole = $scan->end() === \strlen($data);
        $named = \array_filter($isWhole ? $scan->named() : [], static fn(array $pair): bool => $takesIterator($pair[0]));
        $names = \array_column($named, 1);
        foreach (self::layers($isWhole ? \implode("\n", $scan->within()) : $data) as $layer) {
            $names = [...$names, ...self::behind3($layer)];
        }

        return \array_values(\array_unique($names));
    }

    /**
     * Returns the data and, if they have escaped texts (`S:`), what native unserialize() makes of these, and so on:
     * such a text may have others in it, which the class may unserialize next. See whyUnlimited() for more layers.
     *
     * @return non-empty-list<string>
     */
    public static function layers(string $data): array
    {
        $layers = [$data];
        while (\count($layers) <= self::MOST_ESCAPED) {
            $data = self::next($data);
            if ($data === null) {
                break;
            }
            $layers[] = $data;
        }

        return $layers;
    }

    /**
     * Returns the data from the first escaped text on, without the escapes; null if there are none.
     */
    private static function next(string $data): ?string
    {
        if (\preg_match('/S:\d++:"/', $data, $found, \PREG_OFFSET_CAPTURE) !== 1) {
            return null;
        }
        $rest = \substr($data, $found[0][1]);
        $next = self::unescaped($rest);

        return $next === $rest ? null : $next;
    }

    /**
     * @return list<string>
     */
    private static function behind3(string $data): array
    {
        \preg_match_all('/3"?;s:\d++:"([^"]*+)/', $data, $plain);
        \preg_match_all('/3"?;S:\d++:"([^"]*+)/', $data, $escaped);
        $names = [...\array_unique($plain[1]), ...\array_map(self::unescaped(...), \array_unique($escaped[1]))];

        return \array_values(\array_diff($names, ['timezone']));
    }

    /**
     * Returns what native unserialize() reads from a text with escapes such as `\0a`.
     */
    private static function unescaped(string $text): string
    {
        return (string) \preg_replace_callback('/\\\\([0-9a-fA-F]{2})/', static fn(array $hex): string => \chr((int) \hexdec($hex[1])), $text);
    }

    /**
     * Returns the names of the classes and enums whose objects and cases native unserialize() would make.
     *
     * @param list<string> $layers
     *
     * @return list<string>
     */
    private static function named(array $layers): array
    {
        $names = [];
        foreach ($layers as $data) {
            $at = 0;
            // the next search begins behind the quote, because a name may be part of a text
            while (\preg_match('/[OCE]:(\d++):"(?=([^":]*+)([":]))/', $data, $found, 0, $at) === 1) {
                [$token, $length, $name, $end] = $found;
                // of an enum, the case follows a colon; of a length from 2^64 on, unserialize() takes the lowest 64
                // bits
                if ($end === ':' || \strlen($name) === (int) $length || (int) $length === \PHP_INT_MAX) {
                    $names[$name] = true;
                }
                $at = (int) \strpos($data, $token, $at) + \strlen($token);
            }
        }

        return \array_map(\strval(...), \array_keys($names));
    }

    /**
     * Returns why a list of classes can't hold for the data, or null if it can. They may have the number of an earlier
     * value: native unserialize() counts from the start of the outermost call. So inside AllowedClasses::hold(), the
     * number stands for another value than the writer meant. Or names may be escaped more often than layers() looks.
     *
     * @return ?non-empty-string
     */
    public static function whyUnlimited(string $data): ?string
    {
        $layers = self::layers($data);
        foreach ($layers as $layer) {
            if (\preg_match('/[rR]:\d++;/', $layer) !== 0) {
                return 'cannot be limited, because the data have numbers of values (r:… or R:…)';
            }
        }

        return self::isEscapedTooOften($layers) ? self::ESCAPED : null;
    }

    /**
     * @param non-empty-list<string> $layers
     */
    public static function isEscapedTooOften(array $layers): bool
    {
        return \count($layers) > self::MOST_ESCAPED && self::next($layers[\count($layers) - 1]) !== null;
    }
}
