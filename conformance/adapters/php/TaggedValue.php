<?php

declare(strict_types=1);

namespace Polypack\Conformance;

use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\Type\Timestamp;
use Polypack\Type\UInt64;

/**
 * Turns the tagged values of vectors/README.md into PHP values and back.
 *
 * Both directions follow the table of spec/09-modes.md#lossless. What default mode makes of a value is written with the
 * tag of what PHP got: bin as str, a list as array.
 */
final class TaggedValue
{
    /**
     * @param mixed $tagged a decoded JSON object with one tag; `times` is written out
     */
    public static function read(mixed $tagged): mixed
    {
        if (!$tagged instanceof \stdClass) {
            throw new \UnexpectedValueException('a tagged value is an object');
        }
        $fields = \get_object_vars($tagged);
        $tag = (string) \array_key_first($fields);
        $content = $fields[$tag] ?? null;

        return match ($tag) {
            'nil' => null,
            'undefined' => new Ext(0, "\x00"),
            'bool' => $content === true,
            'int' => self::readInt(self::text($content)),
            'float' => self::readFloat((string) \hex2bin(self::text($content))),
            'str' => self::text($content),
            'bin' => new Bin((string) \hex2bin(self::text($content))),
            'array' => \array_map(self::read(...), self::elements($content)),
            'map' => self::readMap(self::elements($content)),
            'timestamp' => self::readTimestamp(self::elements($content)),
            'ext' => self::readExt(self::elements($content)),
            default => throw new \UnexpectedValueException("unknown tag {$tag}"),
        };
    }

    /**
     * @return array<string, mixed>
     */
    public static function write(mixed $value): array
    {
        if (\is_array($value)) {
            return \array_is_list($value)
                ? ['array' => \array_map(self::write(...), $value)]
                : ['map' => self::pairs(\array_keys($value), $value)];
        }
        if (\is_object($value)) {
            return self::writeObject($value);
        }
        if (\is_string($value)) {
            // Default mode keeps bytes that are not UTF-8, which JSON cannot carry as text.
            return \preg_match('//u', $value) === 1 ? ['str' => $value] : ['bin' => \bin2hex($value)];
        }
        if (\is_float($value)) {
            return ['float' => \bin2hex(\pack('E', $value))];
        }
        if (\is_int($value)) {
            return ['int' => (string) $value];
        }

        return $value === null ? ['nil' => true] : ['bool' => $value === true];
    }

    /**
     * @return array<string, mixed>
     */
    private static function writeObject(object $value): array
    {
        if ($value instanceof \stdClass) {
            $properties = \get_object_vars($value);

            return ['map' => self::pairs(\array_map(\strval(...), \array_keys($properties)), $properties)];
        }
        if ($value instanceof Entries) {
            return ['map' => \array_map(
                static fn(array $entry): array => [self::write($entry[0]), self::write($entry[1])],
                $value->entries,
            )];
        }

        return match (true) {
            $value instanceof UInt64 => ['int' => $value->digits],
            $value instanceof Bin => ['bin' => \bin2hex($value->data)],
            $value instanceof Timestamp => ['timestamp' => [(string) $value->getSeconds(), $value->getNanoseconds()]],
            $value instanceof Ext && $value->type === 0 && $value->data === "\x00" => ['undefined' => true],
            $value instanceof Ext => ['ext' => [$value->type, \bin2hex($value->data)]],
            default => throw new \UnexpectedValueException('no tag for ' . $value::class),
        };
    }

    /**
     * @param list<int|string>        $keys
     * @param array<array-key, mixed> $values as many
     *
     * @return list<array{array<string, mixed>, array<string, mixed>}>
     */
    private static function pairs(array $keys, array $values): array
    {
        return \array_map(
            static fn(int|string $key, mixed $value): array => [self::write($key), self::write($value)],
            $keys,
            $values,
        );
    }

    private static function readInt(string $digits): int|UInt64
    {
        return (string) (int) $digits === $digits ? (int) $digits : new UInt64($digits);
    }

    private static function readFloat(string $bytes): float
    {
        /** @var array{1: float} $float */
        $float = \unpack('E', $bytes);

        return $float[1];
    }

    /**
     * @param list<mixed> $pairs
     */
    private static function readMap(array $pairs): \stdClass|Entries
    {
        $entries = [];
        $map = [];
        foreach ($pairs as $pair) {
            [$key, $value] = \array_map(self::read(...), self::elements($pair));
            $entries[] = [$key, $value];
            if (\is_string($key) && ($key === '' || $key[0] !== "\x00")) {
                $map[$key] = $value;
            }
        }

        return \count($map) === \count($entries) ? (object) $map : new Entries($entries);
    }

    /**
     * @param list<mixed> $content seconds in decimal, nanoseconds
     */
    private static function readTimestamp(array $content): Timestamp
    {
        [$seconds, $nanoseconds] = $content;
        if (!\is_string($seconds) || !\is_int($nanoseconds)) {
            throw new \UnexpectedValueException('a timestamp is a string and a number');
        }

        return new Timestamp((int) $seconds, $nanoseconds);
    }

    /**
     * @param list<mixed> $content type, hex
     */
    private static function readExt(array $content): Ext
    {
        [$type, $data] = $content;
        if (!\is_int($type)) {
            throw new \UnexpectedValueException('an extension type is a number');
        }

        return new Ext($type, (string) \hex2bin(self::text($data)));
    }

    private static function text(mixed $content): string
    {
        if (!\is_string($content)) {
            throw new \UnexpectedValueException('the content of the tag is a string');
        }

        return $content;
    }

    /**
     * @return list<mixed>
     */
    private static function elements(mixed $content): array
    {
        if (!\is_array($content)) {
            throw new \UnexpectedValueException('the content of the tag is an array');
        }

        return \array_values($content);
    }
}
