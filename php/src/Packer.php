<?php

declare(strict_types=1);

namespace Polypack;

use Polypack\Encoder\Loops\StringLoops;
use Polypack\Encoder\Objects;
use Polypack\Encoder\Records;
use Polypack\Encoder\Results;
use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\PackingFailedException;
use Polypack\Native\Encoding;
use Polypack\Native\Engine;
use Polypack\Records\Shapes;
use Polypack\Records\SharedShapes;
use Polypack\Type\Map;

/**
 * Packs PHP values into MessagePack (spec/02-wire.md).
 *
 * This file has a method for each kind of value. The parent classes and traits in Encoder/ hold what these methods
 * share, and pack arrays, maps and objects. Native/Encoding.php calls the engine.
 *
 * A packer may be reused, even after an error. The pack() methods and iterators that it runs may call it. Fibers must
 * not share a packer, so give each fiber a clone.
 *
 * @api
 */
class Packer extends StringLoops
{
    use Encoding;
    use Objects;
    use Records;
    use Results;

    // tools/packer-loops.php writes the next two tables here, and into each class that has loops.

    /** The byte for each number from 0 to 255. Reading it here is faster than calling chr(). */
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

    /** The head of each fixstr, by length. */
    private const FIXSTR = "\xa0\xa1\xa2\xa3\xa4\xa5\xa6\xa7\xa8\xa9\xaa\xab\xac\xad\xae\xaf"
        . "\xb0\xb1\xb2\xb3\xb4\xb5\xb6\xb7\xb8\xb9\xba\xbb\xbc\xbd\xbe\xbf";

    // These properties have no types, because PHP would check them on each assignment.

    /** @var bool whether the fast paths are valid: with default options, and without an engine */
    private $plain = true;
    /** @var bool whether the fast paths of strings and floats are valid: if no option changes how they are packed */
    private $plainScalars = true;
    /** @var ?list<CanPack> null for none */
    private $transformers = null;
    /** @var int the depth at which a call packs its value; above 0 only while user code inside a container runs */
    private $depth = 0;
    /**
     * @var int how many pack() methods are running one inside the other, without a container in between. The number is
     *          negative once the innermost pack() method has written the head of a container. Iterators, overridden
     *          methods of objects and map keys count like pack() methods. Arrays may become records only if it is 0
     */
    private $handovers = 0;
    /** @var ?\WeakReference<self> the packer that this is a copy of, if extendWith() made the copy during a message */
    private $around = null;

    /**
     * @param PackOptions|int|null $options      constants of PackOptions, combined with |
     * @param iterable<CanPack>    $transformers asked in this order about each object and resource, before the packer's
     *                                           own rules
     *
     * @throws InvalidOptionException
     */
    public function __construct(
        PackOptions|int|null $options = null,
        iterable $transformers = [],
        ?Limits $limits = null,
    ) {
        // The properties start with the default options, so that making a packer is cheap. MessagePack::pack() may make
        // one per call.
        if ($options !== null && $options !== 0) {
            $this->choose($options instanceof PackOptions ? $options : PackOptions::fromBitmask($options));
        }
        if (Engine::$isActive !== false && Engine::isActive()) {
            $this->native = true;
            $this->plain = false;
        }
        if ($limits !== null) {
            $this->maxDepth = $this->mostDepth = $limits->maxDepth;
        }
        if ($transformers !== []) {
            foreach ($transformers as $transformer) {
                $this->register($transformer);
            }
        }
    }

    private function register(CanPack $transformer): void
    {
        $this->transformers[] = $transformer;
        if ($transformer instanceof Extension && $transformer->getType() === Format::EXT_RECORD) {
            $this->ownsRecordType = true;
        }
    }

    /**
     * A copy starts at depth 0, even if a pack() method makes it in the middle of a message.
     */
    public function __clone()
    {
        $this->depth = $this->handovers = 0;
        $this->maxDepth = $this->mostDepth;
        $this->trail = [];
        $this->pathEnd = \PHP_INT_MAX;
        $this->own = null;
        $this->hasForeign = false;
        $this->around = null;
        if ($this->shapes !== null) {
            $this->shapes = $this->shapes->another();
            $this->isBusy = false;
        }
    }

    /**
     * Returns a copy that also asks these transformers, after those of this packer. If a pack() method makes the copy,
     * the copy writes no records until this pack() method returns. So its results may become part of the outer message.
     */
    public function extendWith(CanPack $transformer, CanPack ...$transformers): static
    {
        $packer = clone $this;
        foreach ([$transformer, ...\array_values($transformers)] as $another) {
            $packer->register($another);
        }
        if ($this->handovers !== 0) {
            $packer->around = \WeakReference::create($this);
        }

        return $packer;
    }

    /**
     * Packs a value: null, bool, int, float, string, array, the types of Polypack\Type, CanBePacked,
     * DateTimeInterface, backed enums, stdClass, ArrayObject, Traversable, GMP, BcMath\Number, Raw, and what a
     * transformer packs.
     *
     * The parameter has no type, because PHP would check it on each call.
     *
     * @param mixed $value
     *
     * @throws PackingFailedException `unsupported_value` for anything else, and if user code, such as a `pack()` method
     *                                or an iterator, throws another exception; `limit_exceeded` beyond maxDepth, also
     *                                for cycles; `invalid_utf8` in lossless mode; `out_of_range` for numbers and
     *                                lengths that don't fit; `duplicate_key` for Entries or an iterator with equal keys
     *                                in strict and lossless mode; `invalid_key` in strict mode for an iterator with
     *                                keys that are neither int nor string; `invalid_timestamp` and `invalid_record` for
     *                                an Ext that breaks the rules of its type; any code for a faulty Raw or dictionary,
     *                                or for a `pack()` method that doesn't return exactly one value
     */
    public function pack($value): string
    {
        // Test for scalars first: they are the cheapest to pack, so an earlier test would slow them down the most.
        if (\is_scalar($value)) {
            if (\is_string($value)) {
                if (!$this->plainScalars) {
                    return $this->string($value, $this->depth);
                }
                $length = \strlen($value);
                if ($length < 1) { // a comparison with '' would cost more
                    return "\xa0";
                }
                if ($length < 0x20) {
                    return self::FIXSTR[$length] . $value;
                }
                if ($length < 0x10000) {
                    return $length < 0x100
                        ? "\xd9" . self::BYTES[$length] . $value
                        : "\xda" . self::BYTES[$length >> 8] . self::BYTES[$length & 0xff] . $value;
                }

                return ($length < 0x100000000 ? \pack('CN', 0xdb, $length) : self::str32($length)) . $value;
            }
            if (\is_int($value)) { // inlined packInt(): the call would cost more than its work
                if ($value < 0x40) {
                    if ($value >= -0x20) {
                        return self::BYTES[$value & 0xff];
                    }
                    if ($value >= -0x8000) {
                        return $value >= -0x80
                            ? "\xd0" . self::BYTES[$value & 0xff]
                            : "\xd1" . self::BYTES[$value >> 8 & 0xff] . self::BYTES[$value & 0xff];
                    }

                    return $value >= -0x80000000 ? \pack('CN', 0xd2, $value) : \pack('CJ', 0xd3, $value);
                }
                if ($value < 0x80) {
                    // With records, 64 to 127 take two bytes, because the single bytes may be ids of records.
                    return $this->fixintEnd === 0x80 ? self::BYTES[$value] : "\xcc" . self::BYTES[$value];
                }
                if ($value < 0x10000) {
                    return $value < 0x100
                        ? "\xcc" . self::BYTES[$value]
                        : "\xcd" . self::BYTES[$value >> 8] . self::BYTES[$value & 0xff];
                }

                return $value < 0x100000000 ? \pack('CN', 0xce, $value) : \pack('CJ', 0xcf, $value);
            }
            if ($value === false) { // is_bool() would need another test for the value
                return "\xc2";
            }
            if ($value === true) {
                return "\xc3";
            }

            // Don't negate the comparison: opcache turns !($value <= \INF) into $value > \INF, which is wrong for NaN.
            return $this->plainScalars && $value <= \INF ? "\xcb" . \pack('E', $value) : $this->float($value, $this->depth);
        }
        if ($value === null) {
            return "\xc0";
        }
        if (\is_array($value)) {
            if ($this->plain) {
                if (!(bool) $value) { // faster than `=== []`, which compares arrays
                    return $this->depth < $this->maxDepth ? "\x90" : throw $this->tooDeep($this->depth);
                }
                $out = '';
                if (\array_is_list($value)) {
                    $this->strList($value, $this->depth, $out);
                } else {
                    $this->strMap($value, $this->depth, $out);
                }
                if ($this->handovers !== 0) {
                    $this->own = $out;
                }

                return $out;
            }
        } elseif ($this->plain && \is_object($value)) {
            return $this->object($value, $this->depth);
        }
        if ($this->shapes !== null && $this->handovers === 0) {
            return $this->packMessage($value, 'pack');
        }
        if ($this->native) {
            // Don't ask the engine about an object that a transformer or a pack() method may pack: it would decline.
            $packed = \is_object($value) && ($this->transformers !== null || ($value instanceof CanBePacked && $value::class !== Map::class))
                ? $this->object($value, $this->depth)
                : $this->packNatively($value);
            if ($packed !== null) {
                return $this->handovers !== 0 ? $this->own = $packed : $packed;
            }
        }
        $out = '';
        $this->append($value, $this->depth, $out);

        return $this->handovers !== 0 ? $this->own = $out : $out;
    }

    /**
     * Packs nil.
     */
    public function packNil(): string
    {
        return "\xc0";
    }

    /**
     * Packs a bool.
     */
    public function packBool(bool $bool): string
    {
        return $bool ? "\xc3" : "\xc2";
    }

    /**
     * Packs an integer in the shortest form. With records, 64 to 127 take two bytes, because the single bytes may be
     * ids of records.
     *
     * @param int|float|string $int an int, an integral float, or a string of digits such as BIGINT_AS_STR makes
     *
     * @throws PackingFailedException `out_of_range` for anything but an integer from −2⁶³ to 2⁶⁴−1, and for every
     *                                float from 2⁶³ on, because such floats may have lost digits
     */
    public function packInt(int|float|string $int): string
    {
        if (\is_int($int)) {
            if ($int < 0x40) {
                return $int >= -0x20 ? self::BYTES[$int & 0xff] : self::negativeInt($int);
            }
            if ($int < 0x10000) {
                if ($int < $this->fixintEnd) {
                    return self::BYTES[$int];
                }

                return $int < 0x100
                    ? "\xcc" . self::BYTES[$int]
                    : "\xcd" . self::BYTES[$int >> 8] . self::BYTES[$int & 0xff];
            }

            return $int < 0x100000000 ? \pack('CN', 0xce, $int) : \pack('CJ', 0xcf, $int);
        }
        if (\is_float($int) && $int >= -9223372036854775808.0 && $int < 9223372036854775808.0 && $int === \floor($int)) {
            return $this->int((int) $int);
        }

        return $this->digits(\is_float($int) ? \var_export($int, true) : $int, 'the integer', $this->depth);
    }

    /**
     * Packs a float in the width that the options choose.
     *
     * @throws PackingFailedException `out_of_range` with FORCE_FLOAT32; see packFloat32()
     */
    public function packFloat(float $float): string
    {
        return $this->plainScalars && $float <= \INF ? "\xcb" . \pack('E', $float) : $this->float($float, $this->depth);
    }

    /**
     * Packs a float rounded to float 32.
     *
     * @throws PackingFailedException `out_of_range` when a finite number is too great for float 32
     */
    public function packFloat32(float $float): string
    {
        return $this->float32($float, $this->depth);
    }

    /**
     * Packs a float as float 64, whatever the options choose. All NaNs become the same bytes (spec/02-wire.md#float).
     */
    public function packFloat64(float $float): string
    {
        return $float <= \INF ? "\xcb" . \pack('E', $float) : self::float64($float);
    }

    /**
     * Packs a string as str, whatever the options say about strings.
     *
     * @throws PackingFailedException `invalid_utf8` in strict and lossless mode, when the string isn't UTF-8
     */
    public function packStr(string $str): string
    {
        if ($this->checkUtf8) {
            return $this->str($str, $this->depth);
        }
        $length = \strlen($str);
        if ($length < 0x20) {
            return self::FIXSTR[$length] . $str;
        }

        return $length < 0x100 ? "\xd9" . self::BYTES[$length] . $str : self::strHead($length) . $str;
    }

    /**
     * Packs a string as bin, whatever the options say about strings.
     */
    public function packBin(string $bin): string
    {
        $length = \strlen($bin);

        return $length < 0x100 ? "\xc4" . self::BYTES[$length] . $bin : self::binHead($length) . $bin;
    }

    /**
     * Packs the values of a PHP array as an array, without the keys.
     *
     * @param array<array-key, mixed> $array
     *
     * @throws PackingFailedException see pack()
     */
    public function packArray(array $array): string
    {
        $out = '';
        if ($this->plain) {
            $this->strList($array, $this->depth, $out);
        } elseif ($this->shapes !== null && $this->handovers === 0) {
            return $this->packMessage($array, 'packArray');
        } else {
            $this->appendList($array, $this->depth, $out);
        }

        return $this->handovers !== 0 ? $this->own = $out : $out;
    }

    /**
     * Packs the head of an array; the caller packs the elements. The first head that a pack() method packs counts as an
     * open container until that pack() method returns.
     *
     * @param int $count number of elements, 0 to 2³²−1
     *
     * @throws PackingFailedException `out_of_range` for any other count; `limit_exceeded` beyond maxDepth, in a pack()
     *                                method
     */
    public function packArrayHeader(int $count): string
    {
        if ($this->handovers > 0) { // the first head that the running pack() method writes
            if ($this->depth >= $this->maxDepth) {
                throw $this->tooDeep($this->depth);
            }
            --$this->maxDepth; // the container is open until the pack() method returns
            $this->handovers = -$this->handovers;
        }
        if ($count >= 0 && $count < 0x10) {
            return self::BYTES[0x90 | $count];
        }
        if ($count < 0 || $count > 0xffffffff) {
            throw $this->countOutOfRange('the count of elements', $count);
        }

        return self::arrayHead($count);
    }

    /**
     * Packs a PHP array as a map.
     *
     * @param array<array-key, mixed> $map
     *
     * @throws PackingFailedException see pack()
     */
    public function packMap(array $map): string
    {
        $out = '';
        if ($this->plain) {
            $this->strMap($map, $this->depth, $out);
        } elseif ($this->shapes !== null && $this->handovers === 0) {
            return $this->packMessage($map, 'packMap');
        } else {
            $this->appendMap($map, $this->depth, $out);
        }

        return $this->handovers !== 0 ? $this->own = $out : $out;
    }

    /**
     * Packs the head of a map; the caller packs keys and values alternately. The first head that a pack() method packs
     * counts as an open container until that pack() method returns.
     *
     * @param int $count number of entries, 0 to 2³²−1
     *
     * @throws PackingFailedException `out_of_range` for any other count; `limit_exceeded` beyond maxDepth, in a pack()
     *                                method
     */
    public function packMapHeader(int $count): string
    {
        if ($this->handovers > 0) { // the first head that the running pack() method writes
            if ($this->depth >= $this->maxDepth) {
                throw $this->tooDeep($this->depth);
            }
            --$this->maxDepth; // the container is open until the pack() method returns
            $this->handovers = -$this->handovers;
        }
        if ($count >= 0 && $count < 0x10) {
            return self::BYTES[0x80 | $count];
        }
        if ($count < 0 || $count > 0xffffffff) {
            throw $this->countOutOfRange('the count of entries', $count);
        }

        return self::mapHead($count);
    }

    /**
     * Packs an ext value (spec/03-extensions.md).
     *
     * @param int $type -128 to 127; applications may use 0 to 127
     *
     * @throws PackingFailedException `out_of_range` for any other type; `invalid_timestamp` for type -1 with data that
     *                                isn't a timestamp; `invalid_record` for type 0x72 with 1 or 2 bytes, which would
     *                                declare a record. Such data is allowed if an Extension of type 0x72 is registered
     *                                and no records are written
     */
    public function packExt(int $type, string $data): string
    {
        if ($type > 0x71 || $type < 0) {
            $this->checkExt($type, $data, $this->depth);
        }
        switch (\strlen($data)) {
            case 1:
                return "\xd4" . self::BYTES[$type & 0xff] . $data;
            case 2:
                return "\xd5" . self::BYTES[$type & 0xff] . $data;
            case 4:
                return "\xd6" . self::BYTES[$type & 0xff] . $data;
            case 8:
                return "\xd7" . self::BYTES[$type & 0xff] . $data;
            case 16:
                return "\xd8" . self::BYTES[$type & 0xff] . $data;
        }
        $length = \strlen($data);
        if ($length < 0x10000) {
            return $length < 0x100
                ? "\xc7" . self::BYTES[$length] . self::BYTES[$type & 0xff] . $data
                : \pack('CnC', 0xc8, $length, $type & 0xff) . $data;
        }

        if ($length < 0x1000000) { // calling ext32() or pack() would cost more than making the bytes here
            return "\xc9\x00" . self::BYTES[$length >> 16] . self::BYTES[$length >> 8 & 0xff] . self::BYTES[$length & 0xff]
                . self::BYTES[$type & 0xff] . $data;
        }

        return self::ext32($length, $type) . $data;
    }

    private function choose(PackOptions $options): void
    {
        $this->options = $options->bits;
        $this->forceBin = $options->isForceBinMode();
        // Strict mode unpacks bin as strings, so it packs strings that aren't UTF-8 as bin.
        $this->detectStrBin = $options->isDetectStrBinMode() || ($options->isStrictMode() && !$this->forceBin);
        $this->isStrict = $options->isStrictMode();
        $this->checkUtf8 = $options->isStrictMode() || $options->isLosslessMode();
        $this->forceArr = $options->isForceArrMode();
        $this->forceMap = $options->isForceMapMode();
        $this->forceFloat32 = $options->isForceFloat32Mode();
        $shared = $options->getSharedRecords();
        $records = $options->isRecordsInlineMode() || $shared !== null;
        $this->loops = match (true) {
            $this->forceArr, $this->forceMap, $this->forceFloat32 => 'any',
            $records => $this->forceBin || $this->detectStrBin || $this->checkUtf8 ? 'any' : 'record',
            $this->forceBin => 'bin',
            $this->detectStrBin => 'detect',
            $this->checkUtf8 => 'checked',
            default => 'str',
        };
        $this->plain = $this->loops === 'str';
        $this->plainScalars = $this->plain || $this->loops === 'record';
        if ($records) {
            $this->shapes = $shared === null ? new Shapes() : new SharedShapes($shared);
            $this->fixintEnd = 0x40;
            $this->headed = $shared !== null && $shared->fingerprint;
        }
    }

    private function countOutOfRange(string $what, int $count): PackingFailedException
    {
        return PackingFailedException::outOfRange($what, $count, '0 to 4294967295', $this->path($this->depth));
    }
}
