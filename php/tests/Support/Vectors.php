<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use PHPUnit\Framework\Assert;
use Polypack\Conformance\TaggedValue;
use Polypack\Limits;
use Polypack\UnpackOptions;

/**
 * Reads the files of vectors/ (vectors/README.md).
 */
final class Vectors
{
    private const FOLDER = __DIR__ . '/../../../vectors';

    public const MODES = ['default' => 0, 'strict' => UnpackOptions::STRICT, 'lossless' => UnpackOptions::LOSSLESS];

    /**
     * All files, as rows of folder and file for a data provider.
     *
     * @return array<string, array{string, string}>
     */
    public static function files(): array
    {
        $rows = [];
        foreach ((array) \glob(self::FOLDER . '/*/*.json') as $file) {
            $folder = \basename(\dirname((string) $file));
            if ($folder === 'snapshot') {
                continue; // values of PHP, for tests/Snapshot
            }
            $rows[$folder . '/' . \basename((string) $file)] = [$folder, (string) $file];
        }

        return $rows;
    }

    /**
     * @return iterable<string, VectorCase> by name
     */
    public static function cases(string $file): iterable
    {
        $content = \json_decode((string) \file_get_contents($file), false, 10_000, \JSON_THROW_ON_ERROR);
        Assert::assertInstanceOf(\stdClass::class, $content);
        Assert::assertIsArray($content->cases);
        Assert::assertNotSame([], $content->cases);
        foreach ($content->cases as $case) {
            Assert::assertInstanceOf(\stdClass::class, $case);
            Assert::assertIsString($case->name);
            $languages = $case->languages ?? ['php'];
            if (!\is_array($languages) || !\in_array('php', $languages, true)) {
                continue;
            }
            yield $case->name => new VectorCase($case);
        }
    }

    /**
     * Expands the notation of bytes: `61*300`, `(c4 00)*20`.
     */
    public static function bytes(string $notation): string
    {
        $bytes = '';
        $count = \preg_match_all('/\(([^)]*)\)(?:\*(\d+))?|([0-9a-f]{2})(?:\*(\d+))?/', $notation, $parts, \PREG_SET_ORDER);
        for ($i = 0; $i < $count; ++$i) {
            // group, its times, or a byte, its times; PCRE leaves empty parts at the end out
            [, $group, $groupTimes, $byte, $byteTimes] = $parts[$i] + ['', '', '', '', ''];
            $group .= $byte;
            $times = (int) ($groupTimes . $byteTimes !== '' ? $groupTimes . $byteTimes : '1');
            $bytes .= \str_repeat((string) \hex2bin(\str_replace(' ', '', $group)), $times);
        }

        return $bytes;
    }

    /**
     * Makes the PHP value of a tagged one, which may have `times`.
     */
    public static function value(mixed $tagged): mixed
    {
        return TaggedValue::read(self::writtenOut($tagged));
    }

    private static function writtenOut(mixed $tagged): \stdClass
    {
        Assert::assertInstanceOf(\stdClass::class, $tagged);
        $times = $tagged->times ?? 1;
        Assert::assertIsInt($times);
        if (isset($tagged->str) && \is_string($tagged->str)) {
            return (object) ['str' => \str_repeat($tagged->str, $times)];
        }
        if (isset($tagged->bin) && \is_string($tagged->bin)) {
            return (object) ['bin' => \str_repeat($tagged->bin, $times)];
        }
        if (isset($tagged->array) && \is_array($tagged->array)) {
            $elements = \array_map(self::writtenOut(...), \array_values($tagged->array));

            return (object) ['array' => \array_merge(...\array_fill(0, $times, $elements))];
        }
        if (isset($tagged->map) && \is_array($tagged->map)) {
            return (object) ['map' => \array_map(
                static fn(mixed $pair): array => \is_array($pair) ? \array_map(self::writtenOut(...), $pair) : [],
                \array_values($tagged->map),
            )];
        }

        return $tagged;
    }

    public static function limits(mixed $fields): Limits
    {
        $numbers = [];
        foreach ($fields instanceof \stdClass ? \get_object_vars($fields) : [] as $name => $number) {
            Assert::assertIsInt($number);
            $numbers[$name] = $number;
        }

        return new Limits(...$numbers);
    }
}
