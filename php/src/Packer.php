<?php

declare(strict_types=1);

namespace Polypack;

use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Type\Entries;
use Polypack\Type\Timestamp;
use Polypack\Type\UInt64;

/**
 * Packs PHP values into MessagePack (spec/02-wire.md).
 *
 * Plan of the file: pack() and the methods for one kind each; then the containers, which append to one buffer and
 * handle the commonest scalars in their loops; then objects; then heads; then errors. Containers carry their depth and
 * note on the trail what leads to the child they descend to, so that a path costs nothing until something fails.
 *
 * A packer may be used again and again, also after an error, and by the objects it is packing.
 *
 * @api
 */
class Packer
{
    /** Objects that pack as one another without a container between them: more than this is a cycle. */
    private const MAX_HANDOVERS = 64;

    /** Lists of floats are written at once from this count on. */
    private const MIN_FLOATS = 8;

    /** The byte of each number: string constants are folded, and indexing one is cheaper than chr(). */
    private const BYTES = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"
        . "\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f"
        . "\x20\x21\x22\x23\x24\x25\x26\x27\x28\x29\x2a\x2b\x2c\x2d\x2e\x2f"
        . "\x30\x31\x32\x33\x34\x35\x36\x37\x38\x39\x3a\x3b\x3c\x3d\x3e\x3f"
        . "\x40\x41\x42\x43\x44\x45\x46\x47\x48\x49\x4a\x4b\x4c\x4d\x4e\x4f"
        . "\x50\x51\x52\x53\x54\x55\x56\x57\x58\x59\x5a\x5b\x5c\x5d\x5e\x5f"
        . "\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f"
        . "\x70\x71\x72\x73\x74\x75\x76\x77\x78\x79\x7a\x7b\x7c\x7d\x7e\x7f"
        . "\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f"
        . "\x90\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9a\x9b\x9c\x9d\x9e\x9f"
        . "\xa0\xa1\xa2\xa3\xa4\xa5\xa6\xa7\xa8\xa9\xaa\xab\xac\xad\xae\xaf"
        . "\xb0\xb1\xb2\xb3\xb4\xb5\xb6\xb7\xb8\xb9\xba\xbb\xbc\xbd\xbe\xbf"
        . "\xc0\xc1\xc2\xc3\xc4\xc5\xc6\xc7\xc8\xc9\xca\xcb\xcc\xcd\xce\xcf"
        . "\xd0\xd1\xd2\xd3\xd4\xd5\xd6\xd7\xd8\xd9\xda\xdb\xdc\xdd\xde\xdf"
        . "\xe0\xe1\xe2\xe3\xe4\xe5\xe6\xe7\xe8\xe9\xea\xeb\xec\xed\xee\xef"
        . "\xf0\xf1\xf2\xf3\xf4\xf5\xf6\xf7\xf8\xf9\xfa\xfb\xfc\xfd\xfe\xff";

    /** @var bool strings are str as they are: neither detected nor checked */
    private $plainStr;
    /** @var bool */
    private $forceBin;
    /** @var bool */
    private $detectStrBin;
    /** @var bool strings must be UTF-8 */
    private $checkUtf8;
    /** @var bool */
    private $forceArr;
    /** @var bool */
    private $forceMap;
    /** @var bool */
    private $forceFloat32;
    /** @var int */
    private $maxDepth;
    /** @var list<CanPack> */
    private $transformers = [];
    /** @var int open containers around the value that an object is packing now; 0 outside of objects */
    private $depth = 0;
    /** @var int objects in a row that pack as one another, without a container between them */
    private $handovers = 0;
    /** @var array<int, int|string|Type\Bin|UInt64|array{int}> entry d leads from the container at depth d to its child */
    private $trail = [];

    /**
     * @param PackOptions|int|null $options      constants of PackOptions, combined with |
     * @param iterable<CanPack>    $transformers asked in this order, before everything the packer knows about objects
     *
     * @throws InvalidOptionException
     */
    public function __construct(
        PackOptions|int|null $options = null,
        iterable $transformers = [],
        ?Limits $limits = null,
    ) {
        if (!$options instanceof PackOptions) {
            $options = PackOptions::fromBitmask($options ?? 0);
        }
        $this->forceBin = $options->isForceBinMode();
        $this->detectStrBin = $options->isDetectStrBinMode();
        $this->checkUtf8 = $options->isStrictMode() || $options->isLosslessMode();
        $this->plainStr = !$this->forceBin && !$this->detectStrBin && !$this->checkUtf8;
        $this->forceArr = $options->isForceArrMode();
        $this->forceMap = $options->isForceMapMode();
        $this->forceFloat32 = $options->isForceFloat32Mode();
        $this->maxDepth = ($limits ?? new Limits())->maxDepth;
        foreach ($transformers as $transformer) {
            $this->transformers[] = $transformer;
        }
    }

    /**
     * Returns a copy that also asks these transformers, after the ones it has.
     */
    public function extendWith(CanPack $transformer, CanPack ...$transformers): static
    {
        $packer = clone $this;
        \array_push($packer->transformers, $transformer, ...\array_values($transformers));

        return $packer;
    }

    /**
     * Packs any value: null, bool, int, float, string, array, the types of Polypack\Type, CanBePacked,
     * DateTimeInterface, backed enums, stdClass, ArrayObject, GMP, Raw, and what a transformer packs.
     *
     * @throws PackingFailedException `unsupported_value` for anything else; `limit_exceeded` beyond maxDepth, where
     *                                cycles end; `invalid_utf8` in strict and lossless mode; `out_of_range`
     */
    public function pack(mixed $value): string
    {
        if (\is_int($value)) {
            return $this->packInt($value);
        }
        if (\is_string($value)) {
            if ($this->plainStr) {
                return self::strHead(\strlen($value)) . $value;
            }

            return $this->string($value, $this->depth);
        }
        if (\is_array($value)) {
            $out = '';
            $this->appendArray($value, $this->depth, $out);

            return $out;
        }
        if ($value === null) {
            return "\xc0";
        }
        if ($value === true) {
            return "\xc3";
        }
        if ($value === false) {
            return "\xc2";
        }
        if (\is_float($value)) {
            return $this->float($value, $this->depth);
        }

        return $this->other($value, $this->depth);
    }

    public function packNil(): string
    {
        return "\xc0";
    }

    public function packBool(bool $bool): string
    {
        return $bool ? "\xc3" : "\xc2";
    }

    public function packInt(int $int): string
    {
        if ($int >= 0) {
            if ($int < 0x80) {
                return self::BYTES[$int]; // positive fixint
            }
            if ($int < 0x10000) {
                return $int < 0x100
                    ? "\xcc" . self::BYTES[$int] // uint 8
                    : "\xcd" . self::BYTES[$int >> 8] . self::BYTES[$int & 0xff]; // uint 16
            }

            return $int < 0x100000000
                ? "\xce" . \pack('N', $int) // uint 32
                : "\xcf" . \pack('J', $int); // uint 64
        }
        if ($int >= -0x8000) {
            if ($int >= -0x20) {
                return self::BYTES[$int & 0xff]; // negative fixint
            }

            return $int >= -0x80
                ? "\xd0" . self::BYTES[$int & 0xff] // int 8
                : "\xd1" . self::BYTES[$int >> 8 & 0xff] . self::BYTES[$int & 0xff]; // int 16
        }

        return $int >= -0x80000000
            ? "\xd2" . \pack('N', $int & 0xffffffff) // int 32
            : "\xd3" . \pack('J', $int); // int 64
    }

    /**
     * Packs a float in the width that the options force.
     *
     * @throws PackingFailedException `out_of_range` with FORCE_FLOAT32, see packFloat32()
     */
    public function packFloat(float $float): string
    {
        return $this->float($float, $this->depth);
    }

    /**
     * Packs a float rounded to float 32.
     *
     * @throws PackingFailedException `out_of_range` when a finite number is too great for it
     */
    public function packFloat32(float $float): string
    {
        return $this->float32($float, $this->depth);
    }

    public function packFloat64(float $float): string
    {
        // A NaN that was computed may carry any sign and payload; there is one NaN on the wire (spec/02#float).
        return \is_nan($float) ? "\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00" : "\xcb" . \pack('E', $float);
    }

    /**
     * @throws PackingFailedException `invalid_utf8` in strict and lossless mode
     */
    public function packStr(string $str): string
    {
        return $this->str($str, $this->depth);
    }

    public function packBin(string $bin): string
    {
        $length = \strlen($bin);
        if ($length < 0x100) {
            return "\xc4" . self::BYTES[$length] . $bin;
        }
        if ($length < 0x10000) {
            return "\xc5" . \pack('n', $length) . $bin;
        }

        return "\xc6" . \pack('N', self::uint32($length)) . $bin;
    }

    /**
     * Packs the values of an array as array, without the keys.
     *
     * @param array<array-key, mixed> $array
     *
     * @throws PackingFailedException see pack()
     */
    public function packArray(array $array): string
    {
        $out = '';
        $this->appendList($array, $this->depth, $out);

        return $out;
    }

    /**
     * Packs a head; the caller packs the elements.
     *
     * @param int $count of elements, 0 to 2³²−1
     *
     * @throws PackingFailedException `out_of_range`
     */
    public function packArrayHeader(int $count): string
    {
        if ($count < 0 || $count > 0xffffffff) {
            throw $this->countOutOfRange('the count of elements', $count);
        }

        return self::arrayHead($count);
    }

    /**
     * Packs an array as map.
     *
     * @param array<array-key, mixed> $map
     *
     * @throws PackingFailedException see pack()
     */
    public function packMap(array $map): string
    {
        $out = '';
        $this->appendMap($map, $this->depth, $out);

        return $out;
    }

    /**
     * Packs a head; the caller packs the keys and values in turn.
     *
     * @param int $count of entries, 0 to 2³²−1
     *
     * @throws PackingFailedException `out_of_range`
     */
    public function packMapHeader(int $count): string
    {
        if ($count < 0 || $count > 0xffffffff) {
            throw $this->countOutOfRange('the count of entries', $count);
        }

        return self::mapHead($count);
    }

    /**
     * @param int $type -128 to 127
     *
     * @throws PackingFailedException `out_of_range` for any other type; `invalid_record` for the bytes that declare
     *                                records: type 0x72 with data of 1 or 2 bytes
     */
    public function packExt(int $type, string $data): string
    {
        if ($type < -0x80 || $type > 0x7f) {
            throw PackingFailedException::outOfRange('the extension type', $type, '-128 to 127', $this->path($this->depth));
        }
        $length = \strlen($data);
        if ($type === 0x72 && ($length === 1 || $length === 2)) {
            throw PackingFailedException::reservedExt($length, $this->path($this->depth));
        }

        return self::extHead($length) . self::BYTES[$type & 0xff] . $data;
    }

    // Containers

    /**
     * Appends a value of any kind. The loops below call it for what they do not handle themselves.
     */
    private function append(mixed $value, int $depth, string &$out): void
    {
        if (\is_array($value)) {
            $this->appendArray($value, $depth, $out);
        } elseif (\is_int($value)) {
            $out .= $this->packInt($value);
        } elseif (\is_float($value)) {
            $out .= $this->float($value, $depth);
        } elseif (\is_string($value)) {
            $out .= $this->string($value, $depth);
        } elseif ($value === null) {
            $out .= "\xc0";
        } elseif ($value === true) {
            $out .= "\xc3";
        } elseif ($value === false) {
            $out .= "\xc2";
        } else {
            $out .= $this->other($value, $depth);
        }
    }

    /**
     * @param array<array-key, mixed> $array
     */
    private function appendArray(array $array, int $depth, string &$out): void
    {
        if ($this->forceMap) {
            $this->appendMap($array, $depth, $out);
        } elseif ($this->forceArr || \array_is_list($array)) {
            $this->appendList($array, $depth, $out);
        } else {
            $this->appendMap($array, $depth, $out);
        }
    }

    /**
     * @param array<array-key, mixed> $array
     */
    private function appendList(array $array, int $depth, string &$out): void
    {
        if ($depth >= $this->maxDepth) {
            throw $this->tooDeep($depth);
        }
        $count = \count($array);
        $out .= self::arrayHead($count);
        if ($count >= self::MIN_FLOATS && !$this->forceFloat32 && self::areFloats($array)) {
            self::appendFloats($array, $out);

            return;
        }
        $plainStr = $this->plainStr;
        $i = 0;
        foreach ($array as $value) {
            if (\is_int($value)) {
                $out .= $value >= 0 && $value < 0x80 ? self::BYTES[$value] : $this->packInt($value);
            } elseif ($plainStr && \is_string($value)) {
                $length = \strlen($value);
                $out .= $length < 0x20 ? self::BYTES[0xa0 | $length] : self::strHead($length); // fixstr inlined
                $out .= $value;
            } elseif ($value === null) {
                $out .= "\xc0";
            } elseif (\is_bool($value)) {
                $out .= $value ? "\xc3" : "\xc2";
            } else {
                $this->trail[$depth] = $i;
                $this->append($value, $depth + 1, $out);
            }
            ++$i;
        }
    }

    /**
     * @param array<array-key, mixed> $map
     */
    private function appendMap(array $map, int $depth, string &$out): void
    {
        if ($depth >= $this->maxDepth) {
            throw $this->tooDeep($depth);
        }
        $out .= self::mapHead(\count($map));
        $plainStr = $this->plainStr;
        foreach ($map as $key => $value) {
            if (\is_int($key)) {
                $out .= $this->packInt($key);
            } elseif ($plainStr) {
                $length = \strlen($key);
                $out .= $length < 0x20 ? self::BYTES[0xa0 | $length] : self::strHead($length);
                $out .= $key;
            } else {
                $out .= $this->string($key, $depth); // a fault inside a key has the path of the map
            }
            if (\is_int($value)) {
                $out .= $value >= 0 && $value < 0x80 ? self::BYTES[$value] : $this->packInt($value);
            } elseif ($plainStr && \is_string($value)) {
                $length = \strlen($value);
                $out .= $length < 0x20 ? self::BYTES[0xa0 | $length] : self::strHead($length);
                $out .= $value;
            } elseif ($value === null) {
                $out .= "\xc0";
            } elseif (\is_bool($value)) {
                $out .= $value ? "\xc3" : "\xc2";
            } else {
                $this->trail[$depth] = $key;
                $this->append($value, $depth + 1, $out);
            }
        }
    }

    /**
     * Tells whether all elements are floats with bytes of their own: NaN has one encoding.
     *
     * @phpstan-assert-if-true array<array-key, float> $array
     *
     * @param array<array-key, mixed> $array
     */
    private static function areFloats(array $array): bool
    {
        foreach ($array as $value) {
            if (!\is_float($value) || \is_nan($value)) {
                return false;
            }
        }

        return true;
    }

    /**
     * Appends floats as float 64, as packFloat64() does one by one, at a fifth of the time: one call makes the bytes of many,
     * and one puts the head bytes between them.
     *
     * @param array<array-key, float> $floats without NaN
     */
    private static function appendFloats(array $floats, string &$out): void
    {
        // In slices, because spread arguments lie on PHP's stack.
        foreach (\array_chunk($floats, 512) as $slice) {
            $out .= "\xcb" . \substr(\chunk_split(\pack('E*', ...$slice), 8, "\xcb"), 0, -1);
        }
    }

    /**
     * Appends the properties of an object: the keys are str, also those that look like an int.
     *
     * @param array<array-key, mixed> $properties
     */
    private function appendProperties(array $properties, int $depth, string &$out): void
    {
        if ($depth >= $this->maxDepth) {
            throw $this->tooDeep($depth);
        }
        $out .= self::mapHead(\count($properties));
        foreach ($properties as $name => $value) {
            $name = (string) $name;
            $out .= $this->string($name, $depth);
            $this->trail[$depth] = $name;
            $this->append($value, $depth + 1, $out);
        }
    }

    private function appendEntries(Entries $entries, int $depth, string &$out): void
    {
        if ($depth >= $this->maxDepth) {
            throw $this->tooDeep($depth);
        }
        $out .= self::mapHead(\count($entries->entries));
        foreach ($entries->entries as $i => [$key, $value]) {
            if (\is_string($key)) {
                $out .= $this->string($key, $depth);
            } else {
                $this->trail[$depth] = [$i];
                $this->append($key, $depth + 1, $out);
            }
            $this->trail[$depth] = Path::step($key, $i);
            $this->append($value, $depth + 1, $out);
        }
    }

    // Objects and the rest

    private function other(mixed $value, int $depth): string
    {
        if ($this->transformers !== [] || $value instanceof CanBePacked) {
            $packed = $this->handOver($value, $depth);
            if ($packed !== null) {
                return $packed;
            }
        }

        $out = '';
        if ($value instanceof \stdClass) {
            $this->appendProperties(\get_object_vars($value), $depth, $out);
        } elseif ($value instanceof Entries) {
            $this->appendEntries($value, $depth, $out);
        } elseif ($value instanceof Raw) {
            $out = $this->raw($value, $depth);
        } elseif ($value instanceof \ArrayObject) {
            $this->appendMap($value->getArrayCopy(), $depth, $out);
        } elseif ($value instanceof \DateTimeInterface) {
            $out = Timestamp::fromDateTime($value)->pack($this);
        } elseif ($value instanceof \BackedEnum) {
            $this->append($value->value, $depth, $out);
        } elseif ($value instanceof \GMP) {
            $out = $this->gmp($value, $depth);
        } else {
            throw PackingFailedException::unsupportedValue($value, $this->path($depth));
        }

        return $out;
    }

    /**
     * Lets a transformer or the object itself pack the value. They may call this packer again, which then goes on at
     * this depth.
     */
    private function handOver(mixed $value, int $depth): ?string
    {
        $depthBefore = $this->depth;
        $handoversBefore = $this->handovers;
        if ($depth > $depthBefore) {
            $this->handovers = 0;
        }
        if (\is_object($value) && $this->handovers >= self::MAX_HANDOVERS) {
            throw PackingFailedException::handovers($value, self::MAX_HANDOVERS, $this->path($depth));
        }
        $this->depth = $depth;
        ++$this->handovers;
        $asked = $value;
        try {
            foreach ($this->transformers as $asked) {
                $packed = $asked->pack($this, $value);
                if ($packed !== null) {
                    return $packed;
                }
            }
            $asked = $value;

            return $value instanceof CanBePacked ? $value->pack($this) : null;
        } catch (PackingFailedException $error) {
            throw $error;
        } catch (\Throwable $error) {
            throw PackingFailedException::extensionFailed(\is_object($asked) ? $asked : $this, $error, $this->path($depth));
        } finally {
            $this->depth = $depthBefore;
            $this->handovers = $handoversBefore;
        }
    }

    private function raw(Raw $raw, int $depth): string
    {
        try {
            $nesting = $raw->nesting();
        } catch (UnpackingFailedException $cause) {
            throw PackingFailedException::badRaw($cause, $this->path($depth));
        }
        if ($depth + $nesting > $this->maxDepth) {
            throw $this->tooDeep($depth);
        }

        return $raw->bytes;
    }

    private function gmp(\GMP $value, int $depth): string
    {
        if (\gmp_cmp($value, \PHP_INT_MIN) < 0 || \gmp_cmp($value, '18446744073709551615') > 0) {
            throw PackingFailedException::outOfRange(
                'the GMP integer',
                \gmp_strval($value),
                '-9223372036854775808 to 18446744073709551615',
                $this->path($depth),
            );
        }

        return \gmp_cmp($value, \PHP_INT_MAX) <= 0
            ? $this->packInt(\gmp_intval($value))
            : (new UInt64(\gmp_strval($value)))->pack($this);
    }

    // Scalars that depend on options

    private function string(string $value, int $depth): string
    {
        if ($this->forceBin || ($this->detectStrBin && !Utf8::isValid($value))) {
            return $this->packBin($value);
        }

        return $this->str($value, $depth);
    }

    private function str(string $value, int $depth): string
    {
        if ($this->checkUtf8 && !Utf8::isValid($value)) {
            throw PackingFailedException::invalidUtf8($this->path($depth));
        }

        return self::strHead(\strlen($value)) . $value;
    }

    private function float(float $value, int $depth): string
    {
        if ($this->forceFloat32) {
            return $this->float32($value, $depth);
        }

        return $this->packFloat64($value);
    }

    private function float32(float $value, int $depth): string
    {
        if (\is_nan($value)) {
            return "\xca\x7f\xc0\x00\x00";
        }
        $bytes = \pack('G', $value);
        if (($bytes === "\x7f\x80\x00\x00" || $bytes === "\xff\x80\x00\x00") && \is_finite($value)) {
            throw PackingFailedException::outOfRange(
                'the float',
                $value,
                'within ±3.4028235677973366e38 to fit float 32',
                $this->path($depth),
            );
        }

        return "\xca" . $bytes;
    }

    // Heads

    private static function strHead(int $length): string
    {
        if ($length < 0x20) {
            return self::BYTES[0xa0 | $length]; // fixstr
        }
        if ($length < 0x100) {
            return "\xd9" . self::BYTES[$length]; // str 8
        }
        if ($length < 0x10000) {
            return "\xda" . \pack('n', $length); // str 16
        }

        return "\xdb" . \pack('N', self::uint32($length)); // str 32
    }

    private static function arrayHead(int $count): string
    {
        if ($count < 0x10) {
            return self::BYTES[0x90 | $count]; // fixarray
        }

        return $count < 0x10000
            ? "\xdc" . \pack('n', $count) // array 16
            : "\xdd" . \pack('N', self::uint32($count)); // array 32
    }

    private static function mapHead(int $count): string
    {
        if ($count < 0x10) {
            return self::BYTES[0x80 | $count]; // fixmap
        }

        return $count < 0x10000
            ? "\xde" . \pack('n', $count) // map 16
            : "\xdf" . \pack('N', self::uint32($count)); // map 32
    }

    private static function extHead(int $length): string
    {
        return match ($length) {
            1 => "\xd4",
            2 => "\xd5",
            4 => "\xd6",
            8 => "\xd7",
            16 => "\xd8",
            default => $length < 0x100
                ? "\xc7" . self::BYTES[$length]
                : ($length < 0x10000 ? "\xc8" . \pack('n', $length) : "\xc9" . \pack('N', self::uint32($length))),
        };
    }

    /**
     * Lets a length or count pass that the widest head holds. PHP can hold longer strings.
     */
    private static function uint32(int $number): int
    {
        if ($number > 0xffffffff) {
            throw PackingFailedException::outOfRange('the length', $number, '0 to 4294967295', '');
        }

        return $number;
    }

    // Errors

    private function path(int $depth): string
    {
        return Path::of($this->trail, 0, $depth);
    }

    private function tooDeep(int $depth): PackingFailedException
    {
        return PackingFailedException::depth($this->maxDepth, $this->path($depth));
    }

    private function countOutOfRange(string $what, int $count): PackingFailedException
    {
        return PackingFailedException::outOfRange($what, $count, '0 to 4294967295', $this->path($this->depth));
    }
}
