<?php

declare(strict_types=1);

namespace Polypack\Pecl;

use Polypack\BufferUnpacker;
use Polypack\Decoder\Buckets;
use Polypack\Decoder\Collisions;
use Polypack\Exception\InsufficientDataException;
use Polypack\Exception\Path;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Format;
use Polypack\Limits;
use Polypack\Type\Bin;

/**
 * Reads what the PECL extension msgpack writes with its default setting msgpack.php_only = 1. That is MessagePack in
 * which maps that start with a nil key stand for objects and references (docs/guides/migrating-from-msgpack-php.md).
 *
 * No class of the input is ever instantiated, because objects become PhpObject. An object that occurs in two places is
 * one PhpObject. A PHP reference to an array becomes a copy.
 *
 * @api
 */
final class PeclReader
{
    // Ints that may follow a nil key. A str after a nil key is the name of a class.
    private const REFERENCE = 1;
    private const SAME_ARRAY = 2;
    private const SERIALIZABLE = 3;
    private const SAME_OBJECT = 4;
    private const SAME_OBJECT_BY_REFERENCE = 5;
    private const ENUM = 6; // only written by version 3 or later; earlier versions write enums as objects

    /**
     * Maximum number of values in all copies of arrays together, keys included, if maxValues isn't set. Without a
     * maximum, 330 bytes could become a billion values: thirty arrays, each with two references to the array before it.
     */
    private const MAX_COPIED = 1_000_000;

    private readonly Limits $limits;
    private string $packed = '';
    private BufferUnpacker $unpacker;
    /**
     * @var array<int, array<array-key, mixed>|PhpObject|null> arrays and objects by their number; null while an array
     *     is being read
     */
    private array $containers = [];
    /** @var array<int, int|string|Bin> by depth, the index or key of the container's current child */
    private array $trail = [];
    /** Number of steps in the path to the current value. */
    private int $depth = 0;
    /** How many values the containers around the current value still have to deliver after it. */
    private int $owed = 0;
    private int $values = 0;
    /** @var array<int, int> how many values a container has, including itself, by its number */
    private array $sizes = [];
    private int $copied = 0;
    /** Comparisons of keys in wide maps so far. */
    private int $comparisons = 0;

    /**
     * @param ?Limits $limits only maxDepth, maxCollisions and maxValues apply. maxValues also counts keys, and the
     *                        keys and values of copied arrays. If maxValues is null, all copies together may have a
     *                        million keys and values
     */
    public function __construct(?Limits $limits = null)
    {
        $this->limits = $limits ?? new Limits();
        $this->unpacker = new BufferUnpacker();
    }

    /**
     * Reads bytes that are exactly one value.
     *
     * @return mixed what BufferUnpacker::unpack() returns in default mode, but with PhpObject for objects
     *
     * @throws UnpackingFailedException `unsupported_value` for nil keys with unknown values, for references without a
     *                                  target, and for arrays that contain themselves; `trailing_data`; also the
     *                                  errors of BufferUnpacker::unpack()
     */
    public function read(string $packed): mixed
    {
        $this->packed = $packed;
        $this->unpacker->reset($packed);
        $this->depth = 0;
        $this->owed = 0;
        $this->values = 1; // the top value; each container adds its elements, or its keys and values
        $this->copied = 0;
        $this->comparisons = 0;
        try {
            $value = $this->value();
            $this->unpacker->expectEnd();

            return $value;
        } catch (UnpackingFailedException $error) {
            throw $error->below(Path::of($this->trail, 0, $this->depth));
        } finally {
            $this->packed = '';
            $this->unpacker->reset();
            $this->containers = [];
            $this->sizes = [];
            $this->trail = [];
        }
    }

    private function value(): mixed
    {
        $offset = $this->offset();
        $family = $this->family($offset);
        if ($family !== 'array' && $family !== 'map') {
            return $this->unpacker->unpack();
        }
        $number = \count($this->containers) + 1; // references name the container by this number
        $this->containers[$number] = null;
        $before = $this->values;
        if ($family === 'array') {
            $count = $this->unpacker->unpackArrayHeader();
            $this->open($count, $offset);
            $value = $this->elements($count);
        } else {
            $count = $this->unpacker->unpackMapHeader();
            $this->open(2 * $count, $offset);
            $value = $this->map($count, $number, $offset);
        }
        if (\array_key_exists($number, $this->containers)) {
            $this->containers[$number] = $value;
            $this->sizes[$number] = $this->values - $before + 1;
        }

        return $value;
    }

    /**
     * Checks that the container at an offset may be opened. Its head has been read.
     */
    private function open(int $children, int $offset): void
    {
        if ($this->depth >= $this->limits->maxDepth) {
            throw UnpackingFailedException::depth($this->limits->maxDepth, $offset, '');
        }
        $remaining = $this->unpacker->getRemainingCount();
        if ($children + $this->owed > $remaining) {
            $format = Format::name(\ord($this->packed[$offset]));
            throw InsufficientDataException::children($format, $children + $this->owed, $remaining, $offset, '');
        }
        $this->count($children, $offset);
    }

    private function count(int $values, int $offset): void
    {
        $this->values += $values;
        if ($this->limits->maxValues !== null && $this->values > $this->limits->maxValues) {
            throw UnpackingFailedException::values($this->limits->maxValues, $offset, '');
        }
    }

    /**
     * @return list<mixed>
     */
    private function elements(int $count): array
    {
        $array = [];
        $owed = $this->owed;
        for ($i = 0; $i < $count; ++$i) {
            $this->trail[$this->depth] = $i;
            $array[] = $this->child($owed + $count - $i - 1);
        }

        return $array;
    }

    /**
     * Reads what follows the head of a map. The map stands for an array, an object, or a reference to an array or
     * object.
     *
     * @return array<array-key, mixed>|PhpObject
     */
    private function map(int $count, int $number, int $offset): array|PhpObject
    {
        $isReferred = false;
        $owed = $this->owed;
        while ($count > 0 && $this->family($this->offset()) === 'nil') {
            $this->unpacker->unpackNil();
            $what = $this->meaning();
            --$count;
            if (\is_string($what)) {
                return $this->object(new PhpObject($what), $count, $number, $offset);
            }
            if ($what === self::SERIALIZABLE && $count === 1) {
                return $this->serializable($number);
            }
            if ($what === self::ENUM && $count === 1) {
                return $this->enum($number);
            }
            $isBackReference = $what === self::SAME_ARRAY || $what === self::SAME_OBJECT || $what === self::SAME_OBJECT_BY_REFERENCE;
            if ($isBackReference && $count === 1) {
                if ($what !== self::SAME_OBJECT) {
                    unset($this->containers[$number]); // only SAME_OBJECT references have numbers of their own
                }

                return $this->same($what === self::SAME_ARRAY, $offset);
            }
            if ($what !== self::REFERENCE || $isReferred) {
                throw UnpackingFailedException::pecl('a nil key stands for nothing that the extension writes', $offset);
            }
            $isReferred = true; // REFERENCE only says that there are PHP references to this map
        }
        $array = [];
        $buckets = $count > Collisions::FREE ? new Buckets() : null;
        for (; $count > 0; --$count) {
            $key = $this->key();
            if ($buckets !== null) {
                $this->compare($buckets, $key, $offset);
            }
            $array[$key] = $this->child($owed + 2 * ($count - 1));
        }

        return $array;
    }

    /**
     * Reads the value of a nil key, which says what the map stands for. Doesn't read a container, because the unpacker
     * would not apply the limits of this reader. Returns null in place of a container.
     */
    private function meaning(): mixed
    {
        $family = $this->family($this->offset());

        return $family === 'array' || $family === 'map' ? null : $this->unpacker->unpack();
    }

    private function object(PhpObject $object, int $count, int $number, int $head): PhpObject
    {
        $this->containers[$number] = $object; // set now, because its properties may refer to it
        $buckets = $count > Collisions::FREE ? new Buckets() : null;
        $owed = $this->owed;
        for (; $count > 0; --$count) {
            $offset = $this->offset();
            if ($this->family($offset) === 'nil') {
                $this->unpacker->unpackNil();
                $this->trail[$this->depth] = '';
                $state = $this->child($owed + 2 * ($count - 1));
                if (!\is_array($state)) {
                    throw UnpackingFailedException::pecl('the state of an object is no array', $offset);
                }
                $object->state = $state;
                continue;
            }
            $key = $this->key();
            $name = \is_string($key) ? (string) \preg_replace('/^\x00[^\x00]+\x00/', '', $key) : $key;
            if (\array_key_exists($name, $object->properties)) {
                $name = $key;
            }
            if ($buckets !== null) {
                $this->compare($buckets, $name, $head);
            }
            $this->trail[$this->depth] = $name;
            $object->properties[$name] = $this->child($owed + 2 * ($count - 1));
        }

        return $object;
    }

    /**
     * Counts the comparisons that a key of a wide map causes (spec/06-limits.md#collisions).
     */
    private function compare(Buckets $buckets, int|string $key, int $head): void
    {
        $this->comparisons += $buckets->add(\array_key_first([$key => null])); // turns a str of digits into an int
        if ($this->comparisons > $this->limits->maxCollisions) {
            throw UnpackingFailedException::collisions($this->limits->maxCollisions, $head, '');
        }
    }

    private function serializable(int $number): PhpObject
    {
        $object = new PhpObject($this->unpacker->unpackStr());
        $this->containers[$number] = $object;
        $object->state = $this->unpacker->unpackStr();

        return $object;
    }

    private function enum(int $number): PhpObject
    {
        $object = new PhpObject($this->unpacker->unpackStr());
        $this->containers[$number] = $object;
        $object->properties['name'] = $this->unpacker->unpackStr();

        return $object;
    }

    /**
     * Reads the number of an earlier container, and returns that container.
     *
     * @return array<array-key, mixed>|PhpObject
     */
    private function same(bool $isArray, int $offset): array|PhpObject
    {
        $this->unpacker->unpackInt();
        $number = $this->unpacker->unpackInt();
        $same = \is_int($number) ? $this->containers[$number] ?? null : null;
        if ($isArray && \is_int($number) && $same === null && \array_key_exists($number, $this->containers)) {
            throw UnpackingFailedException::peclCycle($offset);
        }
        if ($same === null || \is_array($same) !== $isArray) {
            throw UnpackingFailedException::pecl('a reference leads to no container of its kind', $offset);
        }
        if ($isArray) {
            $size = $this->sizes[$number];
            $this->copied += $size;
            if ($this->limits->maxValues === null && $this->copied > self::MAX_COPIED) {
                throw UnpackingFailedException::values(self::MAX_COPIED, $offset, '');
            }
            $this->count($size - 1, $offset); // the reference itself has been counted
        }

        return $same;
    }

    /**
     * Reads a key, and adds it to the trail.
     */
    private function key(): int|string
    {
        $offset = $this->offset();
        $family = $this->family($offset);
        if ($family === 'ext') { // if its type is missing, the input is truncated
            $byte = \ord($this->packed[$offset]);
            $type = $offset + match ($byte) {
                0xc7 => 2,
                0xc8 => 3,
                0xc9 => 5,
                default => 1,
            };
            if (!isset($this->packed[$type])) {
                throw InsufficientDataException::head(Format::name($byte), $offset, '');
            }
        }
        if (!\in_array($family, ['int', 'str', 'bin', 'reserved', ''], true)) {
            throw UnpackingFailedException::invalidKey($family, $offset, '');
        }
        $key = $this->unpacker->unpack(); // a bin becomes a string, an int above 2⁶³−1 becomes a string of digits
        if (!\is_int($key) && !\is_string($key)) {
            throw UnpackingFailedException::invalidKey($family, $offset, '');
        }
        $this->trail[$this->depth] = $family === 'bin' ? new Bin((string) $key) : $key;

        return $key;
    }

    /**
     * @param int $owed how many values the containers still have to deliver after this child
     */
    private function child(int $owed): mixed
    {
        ++$this->depth;
        $this->owed = $owed;
        $value = $this->value();
        --$this->depth;

        return $value;
    }

    private function offset(): int
    {
        return \strlen($this->packed) - $this->unpacker->getRemainingCount();
    }

    private function family(int $offset): string
    {
        return isset($this->packed[$offset]) ? Format::family(\ord($this->packed[$offset])) : '';
    }
}
