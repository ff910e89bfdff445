<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\BufferUnpacker;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\MessagePack;
use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\UInt64;
use Polypack\UnpackOptions;

/**
 * Lazy reads against the whole value: what a path finds is what is there in the decoded value, packed or not, and what
 * is faulty for one is faulty for the other.
 */
final class LazyReads
{
    private const OPTIONS = [0, UnpackOptions::STRICT, UnpackOptions::LOSSLESS];

    /** Options that tell apart only what may hold integers above 2^63-1. */
    private const OPTIONS_OF_BIG_INTS = [
        UnpackOptions::BIGINT_AS_GMP, UnpackOptions::BIGINT_AS_FLOAT, UnpackOptions::BIGINT_THROW,
        UnpackOptions::STRICT | UnpackOptions::BIGINT_AS_FLOAT,
    ];

    /** Paths of one value that are tried. */
    private const MAX_PATHS = 12;

    /**
     * @return list<string> what does not agree
     */
    public static function compare(string $bytes, RandomBytes $random): array
    {
        $differences = [];
        foreach ([...self::OPTIONS, ...\str_contains($bytes, "\xcf") ? self::OPTIONS_OF_BIG_INTS : []] as $options) {
            foreach ([0, UnpackOptions::RECORDS_INLINE] as $records) {
                foreach (self::compareWith($bytes, $options | $records, $random) as $difference) {
                    $differences[] = "options {$options} | {$records}: {$difference}";
                }
            }
        }

        return $differences;
    }

    /**
     * @return list<string>
     */
    private static function compareWith(string $bytes, int $options, RandomBytes $random): array
    {
        $isLossless = ($options & UnpackOptions::LOSSLESS) !== 0;
        $differences = [];
        try {
            $whole = (new BufferUnpacker($bytes, $options))->unpack();
        } catch (UnpackingFailedException $error) {
            $fault = Outcome::error($error);
            foreach (['', '/0', '/1/0', '/a', '/nobody'] as $path) {
                $outcome = self::get($bytes, $path, $options);
                // Default mode doesn't look at keys that no array has, and at names that it doesn't look for.
                if ($isLossless && $outcome !== $fault && \preg_match('/^[a-z_]+ at /', $outcome) === 1) {
                    $differences[] = "get {$path}: {$outcome}, the whole: {$fault}";
                }
            }

            return $differences;
        }
        $paths = self::paths($whole, '');
        foreach (['/nobody/is/here', '/' . $random->int(0, 4), '/a/0', '/1', '/-1', '/0x61', '/#0', '/18446744073709551615'] as $path) {
            if (!\array_key_exists($path, $paths)) {
                $paths[$path] = '';
            }
        }
        foreach (\array_rand($paths, \min(self::MAX_PATHS, \count($paths))) as $path) {
            \array_push($differences, ...self::found($bytes, $path, $options, Outcome::value($paths[$path])));
        }
        if ($isLossless) {
            \array_push($differences, ...self::stepped($bytes, $options & UnpackOptions::RECORDS_INLINE));
        }
        $raw = Outcome::of(static fn(): mixed => (new BufferUnpacker($bytes, $options))->unpackRaw()->unpack());
        if ($raw !== Outcome::value($whole)) {
            $differences[] = "a Raw gives {$raw}";
        }

        return $differences;
    }

    /**
     * @return list<string>
     */
    private static function found(string $bytes, string $path, int $options, string $expected): array
    {
        $differences = [];
        $outcome = self::get($bytes, $path, $options);
        if ($outcome !== $expected) {
            $differences[] = "get {$path}: {$outcome}, expected {$expected}";
        }
        $raw = (new BufferUnpacker($bytes, $options))->getRaw($path);
        $outcome = $raw === null ? Outcome::value('') : Outcome::of($raw->unpack(...));
        if ($outcome !== $expected) {
            $differences[] = "getRaw {$path}: {$outcome}, expected {$expected}";
        }
        if ($raw !== null) {
            $plain = Outcome::of(static fn(): mixed => MessagePack::unpack($raw->bytes, $options & ~UnpackOptions::RECORDS_INLINE));
            if ($plain !== $expected) {
                $differences[] = "getRaw {$path} without records: {$plain}, expected {$expected}";
            }
        }

        return $differences;
    }

    /**
     * Stepping over a valid value ends where decoding it ends, and what was stepped over packs as it is.
     *
     * @return list<string>
     */
    private static function stepped(string $bytes, int $records): array
    {
        $decoding = new BufferUnpacker($bytes, UnpackOptions::LOSSLESS | $records);
        $decoding->unpack();
        // Where records are read, default mode judges as unpack() does, and refuses keys that PHP arrays do not have.
        $stepping = new BufferUnpacker($bytes, $records === 0 ? 0 : UnpackOptions::LOSSLESS | $records);
        $raw = $stepping->unpackRaw();
        $packed = MessagePack::pack([$raw], limits: new Limits(maxDepth: 513));

        return $stepping->getRemainingCount() === $decoding->getRemainingCount() && $packed === "\x91{$raw->bytes}"
            ? []
            : ['stepping and decoding end at different bytes'];
    }

    private static function get(string $bytes, string $path, int $options): string
    {
        return Outcome::of(static fn(): mixed => (new BufferUnpacker($bytes, $options))->get($path, ''));
    }

    /**
     * @return array<string, mixed> by path, what is found there
     */
    private static function paths(mixed $value, string $path): array
    {
        $paths = [$path => $value];
        foreach (self::children($value) as $segment => $child) {
            foreach (self::paths($child, $path . '/' . \str_replace(['~', '/'], ['~0', '~1'], (string) $segment)) as $below => $found) {
                $paths[$below] = $found;
            }
        }

        return $paths;
    }

    /**
     * @return array<array-key, mixed> by segment
     */
    private static function children(mixed $value): array
    {
        if (\is_array($value)) {
            return $value;
        }
        if ($value instanceof \stdClass) {
            return \get_object_vars($value);
        }
        if (!$value instanceof Entries) {
            return [];
        }
        // What has the segment to itself: worse keys first, and better ones replace them.
        $children = [];
        foreach ([['other'], ['bin'], ['int'], ['str']] as [$wanted]) {
            foreach ($value->entries as $i => [$key, $child]) {
                [$kind, $segment] = match (true) {
                    \is_string($key) => ['str', $key],
                    \is_int($key), $key instanceof UInt64 => ['int', (string) $key],
                    $key instanceof Bin => ['bin', '0x' . \bin2hex($key->data)],
                    default => ['other', "#{$i}"],
                };
                if ($kind === $wanted) {
                    $children[$segment] = $child;
                }
            }
        }

        return $children;
    }
}
