<?php

declare(strict_types=1);

namespace Polypack\Tests\Support;

use Polypack\Exception\Text;
use Polypack\PackOptions;
use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\Type\Map;
use Polypack\Type\Timestamp;
use Polypack\Type\UInt64;

/**
 * Packer under every option, slow and obvious. Its path is a list of what leads to the value.
 */
final class ReferencePacker
{
    /** @var array<int, string> packed names by id, of the records declared so far */
    private array $shapes = [];
    private int $declared = 0;
    /** Above 0 no map becomes a record. */
    private int $inside = 0;

    /**
     * @param int $options constants of PackOptions
     */
    public function __construct(private readonly int $options, private readonly int $maxDepth) {}

    /**
     * @throws ReferenceFault
     */
    public function pack(mixed $value): string
    {
        return $this->message(fn(): string => $this->value($value, []));
    }

    /**
     * @param array<array-key, mixed> $array
     */
    public function packArray(array $array): string
    {
        return $this->message(fn(): string => $this->list($array, []));
    }

    /**
     * @param array<array-key, mixed> $map
     */
    public function packMap(array $map): string
    {
        return $this->message(fn(): string => $this->map(self::entries($map), []));
    }

    /**
     * @param \Closure(): string $pack
     */
    private function message(\Closure $pack): string
    {
        [$this->shapes, $this->declared, $this->inside] = [[], 0, 0];

        return $pack();
    }

    private function has(int $option): bool
    {
        return ($this->options & $option) !== 0;
    }

    /**
     * @param list<int|string> $path
     */
    private function value(mixed $value, array $path): string
    {
        return match (true) {
            $value === null => "\xc0",
            \is_bool($value) => $value ? "\xc3" : "\xc2",
            \is_int($value) => $this->int(\gmp_init($value)),
            \is_float($value) => $this->float($value, $path),
            \is_string($value) => $this->string($value, $path),
            \is_array($value) => $this->array($value, $path),
            \is_object($value) => $this->object($value, $path),
            default => throw self::fault('unsupported_value', $path),
        };
    }

    /**
     * @param \Traversable<mixed, mixed> $object
     * @param list<int|string>           $path
     */
    private function traversable(\Traversable $object, array $path): string
    {
        $this->open($path);
        $keys = $values = [];
        foreach ($object as $key => $value) {
            $keys[] = $key;
            $values[] = $value;
        }

        return $this->has(PackOptions::FORCE_ARR) || $keys === \array_keys($keys)
            ? $this->array($values, $path)
            : $this->map(\array_map(null, $keys, $values), $path);
    }

    private function int(\GMP $int): string
    {
        $isId = $this->has(PackOptions::RECORDS_INLINE) && $int >= 0x40 && $int <= 0x7f;

        return ($isId ? "\xcc" : '') . ReferenceEncoder::int($int);
    }

    /**
     * @param list<int|string> $path
     */
    private function float(float $float, array $path): string
    {
        if (!$this->has(PackOptions::FORCE_FLOAT32)) {
            return ReferenceEncoder::canonical($float);
        }
        if (\is_nan($float)) {
            return "\xca\x7f\xc0\0\0";
        }
        /** @var array{1: float} $rounded */
        $rounded = \unpack('g', \pack('g', $float));
        if (\is_infinite($rounded[1]) && !\is_infinite($float)) {
            throw self::fault('out_of_range', $path);
        }

        return "\xca" . \strrev(\pack('g', $float));
    }

    /**
     * @param list<int|string> $path
     */
    private function string(string $string, array $path): string
    {
        $isText = \preg_match('//u', $string) === 1;
        if ($this->has(PackOptions::FORCE_BIN) || ($this->has(PackOptions::DETECT_STR_BIN | PackOptions::STRICT) && !$isText)) {
            return ReferenceEncoder::canonical(new Bin($string));
        }
        if (!$isText && $this->has(PackOptions::LOSSLESS)) {
            throw self::fault('invalid_utf8', $path);
        }

        return ReferenceEncoder::canonical($string);
    }

    /**
     * @param array<array-key, mixed> $array
     * @param list<int|string>        $path
     */
    private function array(array $array, array $path): string
    {
        $isList = $this->has(PackOptions::FORCE_ARR)
            || (!$this->has(PackOptions::FORCE_MAP) && \array_keys($array) === \array_keys(\array_keys($array)));

        return $isList ? $this->list($array, $path) : $this->keyed(self::entries($array), $path);
    }

    /**
     * @param array<array-key, mixed> $array
     * @param list<int|string>        $path
     */
    private function list(array $array, array $path): string
    {
        $this->open($path);
        $packed = ReferenceEncoder::counted(\count($array), 0x90, 0xdc);
        foreach (\array_values($array) as $i => $value) {
            $packed .= $this->value($value, [...$path, $i]);
        }

        return $packed;
    }

    /**
     * A map that may be a record.
     *
     * @param list<array{mixed, mixed}> $entries
     * @param list<int|string>          $path
     */
    private function keyed(array $entries, array $path): string
    {
        if ($this->inside > 0 || !$this->has(PackOptions::RECORDS_INLINE)) {
            return $this->map($entries, $path);
        }
        $this->open($path);
        $names = ReferenceEncoder::counted(\count($entries), 0x90, 0xdc);
        foreach ($entries as [$key]) {
            $name = \is_string($key) ? $this->string($key, $path) : "\x00";
            if (\preg_match('/^[\xa0-\xbf\xd9-\xdb]/', $name) !== 1) {
                return $this->map($entries, $path);
            }
            $names .= $name;
        }
        $id = \array_search($names, $this->shapes, true);
        $packed = $id === false ? '' : \chr($id);
        if ($id === false) {
            $id = 0x40 + $this->declared % 64;
            ++$this->declared;
            $this->shapes[$id] = $names;
            $packed = "\xd4\x72" . \chr($id) . $names;
        }
        foreach ($entries as [$key, $value]) {
            \assert(\is_string($key));
            $packed .= $this->value($value, [...$path, $key]);
        }

        return $packed;
    }

    /**
     * @param list<array{mixed, mixed}> $entries
     * @param list<int|string>          $path
     */
    private function map(array $entries, array $path): string
    {
        $this->open($path);
        $packed = ReferenceEncoder::counted(\count($entries), 0x80, 0xde);
        $seen = [];
        foreach ($entries as $i => [$key, $value]) {
            ++$this->inside;
            $packedKey = \is_string($key) ? $this->string($key, $path) : $this->key($key, $path);
            --$this->inside;
            $step = \is_int($key) || \is_string($key) ? $key : "#{$i}";
            if (($this->options & (PackOptions::STRICT | PackOptions::LOSSLESS)) !== 0 && \in_array($packedKey, $seen, true)) {
                throw self::fault('duplicate_key', [...$path, $step]);
            }
            $seen[] = $packedKey;
            $packed .= $packedKey . $this->value($value, [...$path, $step]);
        }

        return $packed;
    }

    /**
     * A key that is no str. A fault inside it has the path of the map.
     *
     * @param list<int|string> $path
     */
    private function key(mixed $key, array $path): string
    {
        try {
            return $this->value($key, [...$path, '#']);
        } catch (ReferenceFault $fault) {
            throw self::fault($fault->errorCode, $path);
        }
    }

    /**
     * @param list<int|string> $path
     */
    private function object(object $object, array $path): string
    {
        return match (true) {
            $object instanceof Bin, $object instanceof Timestamp => ReferenceEncoder::canonical($object),
            $object instanceof UInt64 => $this->int(\gmp_init($object->digits)),
            $object instanceof \GMP => $object < \gmp_init('-9223372036854775808') || $object > \gmp_init('18446744073709551615')
                ? throw self::fault('out_of_range', $path)
                : $this->int($object),
            $object instanceof Ext => $this->ext($object, $path),
            $object instanceof Map => $this->map(self::entries($object->map), $path),
            $object instanceof Entries => $this->map($object->entries, $path),
            $object instanceof \ArrayObject => $this->keyed(self::entries($object->getArrayCopy()), $path),
            $object instanceof \stdClass => $this->keyed(\array_map(
                static fn(array $entry): array => [(string) $entry[0], $entry[1]],
                self::entries(\get_object_vars($object)),
            ), $path),
            $object instanceof \BackedEnum => $this->value($object->value, $path),
            $object instanceof Wrapped => $this->wrapped($object, $path),
            $object instanceof \Traversable => $this->traversable($object, $path),
            default => throw self::fault('unsupported_value', $path),
        };
    }

    /**
     * @param list<int|string> $path
     */
    private function ext(Ext $ext, array $path): string
    {
        if ($ext->type < -128 || $ext->type > 127) {
            throw self::fault('out_of_range', $path);
        }
        if ($ext->type === 0x72 && \in_array(\strlen($ext->data), [1, 2], true)) {
            throw self::fault('invalid_record', $path);
        }
        if ($ext->type === -1 && !self::isTimestamp($ext->data)) {
            throw self::fault('invalid_timestamp', $path);
        }

        return ReferenceEncoder::canonical($ext);
    }

    /**
     * spec/04#invalid: whether data of ext type -1 is a timestamp.
     */
    private static function isTimestamp(string $data): bool
    {
        $bits = \implode('', \array_map(static fn(string $byte): string => \sprintf('%08b', \ord($byte)), \str_split($data)));
        $nanoseconds = match (\strlen($data)) {
            4 => '0',
            8 => \substr($bits, 0, 30),
            12 => \substr($bits, 0, 32),
            default => null,
        };

        return $nanoseconds !== null && \bindec($nanoseconds) < 1_000_000_000;
    }

    /**
     * @param list<int|string> $path
     */
    private function wrapped(Wrapped $wrapped, array $path): string
    {
        ++$this->inside;
        $packed = $this->value($wrapped->value, $path);
        --$this->inside;

        return $packed;
    }

    /**
     * @param list<int|string> $path
     */
    private function open(array $path): void
    {
        if (\count($path) >= $this->maxDepth) {
            throw self::fault('limit_exceeded', $path);
        }
    }

    /**
     * @param array<array-key, mixed> $map
     *
     * @return list<array{int|string, mixed}>
     */
    private static function entries(array $map): array
    {
        $entries = [];
        foreach ($map as $key => $value) {
            $entries[] = [$key, $value];
        }

        return $entries;
    }

    /**
     * @param list<int|string> $path
     */
    private static function fault(string $code, array $path): ReferenceFault
    {
        $segments = \array_map(static fn(int|string $step): string
            => '/' . \str_replace(['~', '/'], ['~0', '~1'], Text::utf8((string) $step)), $path);

        return new ReferenceFault($code, null, \implode('', $segments));
    }
}
