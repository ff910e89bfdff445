<?php

declare(strict_types=1);

namespace Polypack\Encoder;

use Polypack\CanBePacked;
use Polypack\Canonical;
use Polypack\Exception\ErrorCode;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\Path;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Limits;
use Polypack\Raw;
use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\Type\Map;
use Polypack\Type\Timestamp;
use Polypack\Type\UInt64;

/**
 * Packs objects, and values that only a transformer can pack.
 *
 * @internal
 */
trait Objects
{
    /**
     * An object that packs itself may return the bytes of another such object, without a container in between. This
     * many in a row are allowed, or maxDepth if that is more.
     */
    private const LEAST_HANDOVERS = 64;

    /**
     * To find duplicates in maps of up to this many entries, each key is compared with all keys before it. In larger
     * maps the keys are sorted.
     */
    private const FEW = 16;

    /**
     * Classes that appendObjects() leaves to object(), which packs them without saving the packer's state. Matters only
     * without transformers.
     */
    private const WITHOUT_CARE = [Ext::class => true, Timestamp::class => true, Bin::class => true, Map::class => true];

    /**
     * Packs an object. The parameters have no native types, because PHP would check them on each call.
     *
     * @param object $value
     * @param int    $depth
     *
     * @return string
     */
    final protected function object($value, $depth)
    {
        if ($this->transformers === null) {
            // Compares class names, because on each call instanceof would look up a class that isn't loaded.
            switch ($value::class) {
                case Ext::class: // the library's own types run no user code
                    if ($value->type > 0x71 || $value->type < 0) {
                        $this->checkExt($value->type, $value->data, $depth);
                    }

                    return $this->packExt($value->type, $value->data);
                case Timestamp::class:
                    return $value->pack($this);
                case Bin::class:
                    $length = \strlen($value->data);
                    if ($length < 0x10000) { // inlined binHead(), because a call would be slower
                        return $length < 0x100
                            ? "\xc4" . self::BYTES[$length] . $value->data
                            : "\xc5" . self::BYTES[$length >> 8] . self::BYTES[$length & 0xff] . $value->data;
                    }

                    return self::bin32($length) . $value->data;
                case Map::class:
                    return $this->known($value, $depth);
            }
            if (!$value instanceof CanBePacked) {
                return $this->known($value, $depth);
            }
        }

        // The object or a transformer may call this packer, which then continues at this depth.
        $depthBefore = $this->depth;
        $handoversBefore = $this->handovers;
        // $this->handovers is negative after the enclosing object has opened a container with packArrayHeader() or
        // packMapHeader().
        $this->handovers = $depth > $depthBefore || $handoversBefore < 1 ? 1 : $this->oneMore($handoversBefore, $value, $depth);
        $this->depth = $depth;
        try {
            if ($this->transformers === null) {
                $packed = $value->pack($this);
            } else {
                $packed = null;
                foreach ($this->transformers as $asked) {
                    $packed = $asked->pack($this, $value);
                    if ($packed !== null) {
                        break;
                    }
                }
                if ($packed === null && $value instanceof CanBePacked && $value::class !== Map::class) {
                    $asked = $value;
                    $packed = $value->pack($this);
                }
            }
        } catch (\Throwable $error) {
            $this->depth = $depthBefore;
            if ($this->handovers < 0) {
                ++$this->maxDepth;
            }
            $this->handovers = $handoversBefore;
            throw $this->failed($asked ?? $value, $error, $depth);
        }
        $this->depth = $depthBefore; // no finally block, because it would make small objects 10 % slower
        if ($this->handovers < 0) { // the object or a transformer has opened a container
            ++$this->maxDepth;
        }
        $this->handovers = $handoversBefore;
        if ($packed === null) {
            return $this->known($value, $depth);
        }
        // Most results are as long as their head says. An empty result is compared with nil, which has one byte.
        if ($this->hasForeign
            || ($packed !== $this->own
                && (isset($packed[9]) || \strlen($packed) !== \ord(($this->shapes === null ? OneValue::WHOLE : OneValue::WHOLE_WITH_RECORDS)[\ord($packed[0] ?? "\xc0")]))
                && ($handoversBefore !== 0 || !OneValue::is($packed, $this->maxDepth - $depth, $this->fixintEnd)))
        ) {
            $packed = $this->checkResult($packed, $asked ?? $value, $depth, $handoversBefore === 0);
        } elseif ($handoversBefore === 0) {
            $this->own = null; // frees the string, which may be long
        }

        return $packed;
    }

    /**
     * Appends the objects at the start of a list, if they pack themselves or transformers are registered.
     *
     * @param non-empty-array<array-key, mixed> $list
     * @param int                               $depth of the objects; greater than $this->depth at the call, so
     *                                                 $this->handovers starts at 1
     * @param string                            $out
     *
     * @return int how many were appended
     */
    final protected function appendObjects($list, $depth, &$out)
    {
        if ($depth >= $this->maxDepth || !\is_object($list[\array_key_last($list)])) { // too deep, or mixed values
            return 0;
        }
        $depthBefore = $this->depth;
        $handoversBefore = $this->handovers;
        $this->depth = $depth;
        $this->handovers = 1;
        $place = $depth - 1;
        $transformers = $this->transformers;
        $i = 0;
        $class = $value = $asked = null;
        try {
            if ($transformers === null) {
                foreach ($list as $value) {
                    if (!\is_object($value)) {
                        break;
                    }
                    if ($value::class !== $class) {
                        $class = $value::class;
                        if (!$value instanceof CanBePacked || isset(self::WITHOUT_CARE[$class])) {
                            break;
                        }
                    }
                    $this->trail[$place] = $i;
                    /** @var CanBePacked $value as its class says */
                    $packed = $value->pack($this);
                    if ($this->handovers < 0) { // @phpstan-ignore smaller.alwaysFalse (it wrote a head)
                        $this->handovers = 1;
                        ++$this->maxDepth;
                    }
                    if ($this->hasForeign
                        || ($packed !== $this->own
                            && ($handoversBefore !== 0 || !OneValue::is($packed, $this->maxDepth - $depth, $this->fixintEnd)))
                    ) {
                        $packed = $this->checkResult($packed, $value, $depth, $handoversBefore === 0);
                    }
                    $out .= $packed;
                    ++$i;
                }
            } else {
                $whole = $this->shapes === null ? OneValue::WHOLE : OneValue::WHOLE_WITH_RECORDS;
                foreach ($list as $value) {
                    if (!\is_object($value)) {
                        break;
                    }
                    $this->trail[$place] = $i++;
                    $packed = null;
                    foreach ($transformers as $transformer) {
                        $asked = $transformer;
                        $packed = $transformer->pack($this, $value);
                        if ($packed !== null) {
                            break;
                        }
                    }
                    if ($packed === null) {
                        $asked = $value;
                        if ($value instanceof CanBePacked && $value::class !== Map::class) {
                            $packed = $value->pack($this);
                        }
                    }
                    if ($packed !== null) {
                        if ($this->handovers < 0) { // @phpstan-ignore smaller.alwaysFalse (it wrote a head)
                            $this->handovers = 1;
                            ++$this->maxDepth;
                        }
                        if ($this->hasForeign
                            || ($packed !== $this->own
                                && (isset($packed[9]) || \strlen($packed) !== \ord($whole[\ord($packed[0] ?? "\xc0")]))
                                && ($handoversBefore !== 0 || !OneValue::is($packed, $this->maxDepth - $depth, $this->fixintEnd)))
                        ) {
                            $packed = $this->checkResult($packed, $asked, $depth, $handoversBefore === 0);
                        }
                        $out .= $packed;
                        continue;
                    }
                    if ($this->handovers < 0) { // @phpstan-ignore smaller.alwaysFalse (a transformer wrote a head)
                        ++$this->maxDepth;
                    }
                    $this->depth = $depthBefore;
                    $this->handovers = $handoversBefore;
                    $out .= $this->known($value, $depth);
                    $this->depth = $depth;
                    $this->handovers = 1;
                }
            }
        } catch (\Throwable $error) {
            // While known() packs, $this->depth and $this->handovers have the values that they had before the list.
            if ($this->depth === $depth && $this->handovers < 0) {
                ++$this->maxDepth;
            }
            $this->depth = $depthBefore;
            $this->handovers = $handoversBefore;
            /** @var object $value only packing an object throws */
            throw $this->failed($asked ?? $value, $error, $depth);
        }
        $this->depth = $depthBefore;
        $this->handovers = $handoversBefore;
        $this->own = null; // frees the string, which may be long

        return $i;
    }

    /**
     * Packs anything but an array.
     *
     * @param mixed $value
     * @param int   $depth
     *
     * @return string
     */
    final protected function other($value, $depth)
    {
        if (\is_object($value)) {
            return $this->object($value, $depth);
        }
        if (\is_float($value)) {
            return $this->float($value, $depth);
        }
        if (\is_int($value)) {
            return $this->int($value);
        }
        if (\is_string($value)) {
            return $this->string($value, $depth);
        }
        if ($value === null) {
            return "\xc0";
        }
        if (\is_bool($value)) {
            return $value ? "\xc3" : "\xc2";
        }

        return $this->askTransformers($value, $depth) ?? throw PackingFailedException::unsupportedValue($value, $this->path($depth));
    }

    /**
     * Lets the transformers pack a resource, the only kind of value that other() doesn't pack itself.
     *
     * @return ?string null when no transformer packs it
     */
    private function askTransformers(mixed $value, int $depth): ?string
    {
        $depthBefore = $this->depth;
        $handoversBefore = $this->handovers;
        $this->handovers = $depth > $depthBefore || $handoversBefore < 1 ? 1 : $this->oneMore($handoversBefore, $value, $depth);
        $this->depth = $depth;
        $packed = null;
        $asked = $this;
        try {
            foreach ($this->transformers ?? [] as $transformer) {
                $asked = $transformer;
                $packed = $transformer->pack($this, $value);
                if ($packed !== null) {
                    break;
                }
            }
        } catch (\Throwable $error) {
            throw $this->failed($asked, $error, $depth);
        } finally {
            $this->depth = $depthBefore;
            if ($this->handovers < 0) {
                ++$this->maxDepth;
            }
            $this->handovers = $handoversBefore;
        }
        if ($packed !== null && ($packed !== $this->own || $this->hasForeign)) {
            $packed = $this->checkResult($packed, $asked, $depth, $handoversBefore === 0);
        }

        return $packed;
    }

    /**
     * Counts one more object in a row that packs itself as another object, and refuses it if there are too many.
     */
    private function oneMore(int $handovers, mixed $value, int $depth): int
    {
        $most = \max(self::LEAST_HANDOVERS, $this->mostDepth);
        if ($handovers >= $most) {
            throw PackingFailedException::handovers($value, $most, $this->path($depth));
        }

        return $handovers + 1;
    }

    private function failed(object $asked, \Throwable $error, int $depth): PackingFailedException
    {
        if (!$error instanceof PackingFailedException) {
            return PackingFailedException::extensionFailed($asked, $error, $this->path($depth));
        }

        // An error whose path doesn't start with this path comes from the object itself, or from outside of this
        // packer. It gets the path here, in a copy. Other errors aren't copied. Otherwise hundreds of nested calls
        // would each make a copy, whose trace holds the original.
        $path = $this->path($depth);

        return \str_starts_with("{$error->path}/", "{$path}/") ? $error : $error->below($path);
    }

    /**
     * Packs an object of a class that the library knows, and refuses all others.
     */
    private function known(object $value, int $depth): string
    {
        $out = '';
        if ($value instanceof \stdClass) {
            try {
                $properties = $value::class === \stdClass::class ? \get_object_vars($value) : $this->read($value, $depth);
            } catch (\Throwable $error) { // thrown while a lazy object was initialized, or by a property hook
                throw $this->failed($value, $error, $depth);
            }
            $this->appendProperties($properties, $depth, $out);
        } elseif ($value instanceof \DateTimeInterface) {
            try {
                $timestamp = $value::class === \DateTimeImmutable::class || $value::class === \DateTime::class
                    ? Timestamp::fromDateTime($value)
                    : $this->read($value, $depth);
            } catch (\Throwable $error) {
                // Thrown by a class that overrides methods, or whose constructor doesn't call its parent's.
                throw $this->failed($value, $error, $depth);
            }
            $out = $timestamp->pack($this); // @phpstan-ignore method.nonObject (read() returns no array for dates)
        } elseif ($value instanceof \BackedEnum) {
            $out = $this->other($value->value, $depth);
        } elseif ($value instanceof \ArrayObject) {
            try {
                $elements = $value::class === \ArrayObject::class ? self::elements($value) : $this->read($value, $depth);
            } catch (\Throwable $error) {
                throw $this->failed($value, $error, $depth);
            }
            $this->appendKeyed($elements, $depth, $out);
        } elseif ($value::class === Map::class) {
            $this->appendMap($value->map, $depth, $out);
        } elseif ($value::class === Entries::class) {
            $this->appendEntries($value, $depth, $out);
        } elseif ($value::class === Raw::class) {
            $out = $this->raw($value, $depth);
        } elseif ($value instanceof \GMP) {
            $out = $this->digits(\gmp_strval($value), 'the GMP integer', $depth);
        } elseif ($value instanceof \BcMath\Number) {
            $out = $this->digits($value->value, 'the BcMath\Number', $depth);
        } elseif ($value instanceof \Traversable) {
            $this->appendTraversable($value, $depth, $out);
        } else {
            throw PackingFailedException::unsupportedValue($value, $this->path($depth));
        }

        return $out;
    }

    /**
     * Reads an object by code that its class may have overridden, such as getArrayCopy(), format() or a property hook.
     * That code may call this packer, which then continues at this depth.
     *
     * @param \stdClass|\DateTimeInterface|\ArrayObject<array-key, mixed> $value
     *
     * @return ($value is \stdClass|\Traversable<mixed, mixed> ? array<array-key, mixed> : Timestamp)
     */
    private function read(\stdClass|\DateTimeInterface|\ArrayObject $value, int $depth): array|Timestamp
    {
        $depthBefore = $this->depth;
        $handoversBefore = $this->handovers;
        $this->handovers = $depth > $depthBefore || $handoversBefore < 1 ? 1 : $this->oneMore($handoversBefore, $value, $depth);
        $this->depth = $depth;
        try {
            return match (true) {
                $value instanceof \stdClass => \get_object_vars($value),
                $value instanceof \ArrayObject => self::elements($value),
                default => Timestamp::fromDateTime($value),
            };
        } finally {
            $this->depth = $depthBefore;
            if ($this->handovers < 0) { // @phpstan-ignore smaller.alwaysFalse (the object wrote a head)
                ++$this->maxDepth;
            }
            $this->handovers = $handoversBefore;
        }
    }

    /**
     * Returns the elements of an ArrayObject. getArrayCopy() may also return private and protected properties of a
     * wrapped object. If it does, a loop reads the elements instead.
     *
     * @param \ArrayObject<array-key, mixed> $value
     *
     * @return array<array-key, mixed>
     */
    private static function elements(\ArrayObject $value): array
    {
        $copy = $value->getArrayCopy();
        foreach ($copy as $key => $_) {
            if (\is_string($key) && \str_starts_with($key, "\0")) {
                return \iterator_to_array($value);
            }
        }

        return $copy;
    }

    /**
     * Appends the properties of an object. All names are packed as strings, even those that look like an int.
     *
     * @param array<array-key, mixed> $properties
     */
    private function appendProperties(array $properties, int $depth, string &$out): void
    {
        $hasInts = false;
        foreach ($properties as $name => $_) {
            if (\is_int($name)) { // PHP's arrays turn names that look like an int into ints
                $hasInts = true;
                break;
            }
        }
        if (!$hasInts) {
            if ($this->plain) {
                $this->strMap($properties, $depth, $out);
            } else {
                $this->appendKeyed($properties, $depth, $out);
            }

            return;
        }
        if ($depth >= $this->maxDepth) {
            throw $this->tooDeep($depth);
        }
        $record = $this->shapes !== null && $this->handovers === 0 && $this->pathEnd === \PHP_INT_MAX ? $this->recordHead(\array_map(\strval(...), \array_keys($properties)), $depth) : null;
        $out .= $record ?? self::mapHead(\count($properties));
        foreach ($properties as $name => $value) {
            $name = (string) $name;
            if ($record === null) {
                $out .= $this->string($name, $depth);
            }
            $this->trail[$depth] = $name;
            $this->append($value, $depth + 1, $out);
        }
    }

    private function appendEntries(Entries $entries, int $depth, string &$out): void
    {
        if ($depth >= $this->maxDepth) {
            throw $this->tooDeep($depth);
        }
        $count = \count($entries->entries);
        $out .= self::mapHead($count);
        $keys = [];
        $i = -1;
        /** @var mixed $entry Entries doesn't check its argument, because that would slow down unpacking */
        foreach ($entries->entries as $entry) {
            ++$i;
            if (!\is_array($entry) || \count($entry) !== 2 || !\array_is_list($entry)) {
                $this->trail[$depth] = [$i];
                throw PackingFailedException::notPair($this->path($depth + 1));
            }
            [$key, $value] = $entry;
            $start = \strlen($out);
            if (\is_string($key)) {
                $out .= $this->string($key, $depth);
            } else {
                $this->trail[$depth] = [$i];
                $this->appendKey($key, $depth + 1, $out);
            }
            $this->trail[$depth] = Path::step($key, $i);
            if ($this->checkUtf8 && $count > 1) {
                $keys[$i] = \is_scalar($key) ? \substr($out, $start) : self::canonicalKey(\substr($out, $start));
                if ($count <= self::FEW && \array_search($keys[$i], $keys, true) !== $i) {
                    throw PackingFailedException::duplicateKey($this->path($depth + 1));
                }
            }
            $this->append($value, $depth + 1, $out);
        }
        if ($count > self::FEW && $keys !== []) {
            $this->findDuplicate($keys, $entries, $depth);
        }
    }

    /**
     * Refuses a map with two equal keys. The error has the path of the first key that repeats an earlier one. The keys
     * are sorted, because hostile keys could collide in a hash table.
     *
     * @param array<int, string> $keys packed so that equal keys have equal bytes, by entry
     */
    private function findDuplicate(array $keys, Entries $entries, int $depth): void
    {
        \asort($keys, \SORT_STRING); // asort() is stable, so the first of equal keys comes first
        $before = null;
        $first = \count($keys);
        foreach ($keys as $i => $key) {
            $first = $key === $before ? \min($first, $i) : $first;
            $before = $key;
        }
        if ($first < \count($keys)) {
            $this->trail[$depth] = Path::step($entries->entries[$first][0], $first);
            throw PackingFailedException::duplicateKey($this->path($depth + 1));
        }
    }

    /**
     * Returns the canonical form of a packed key, which is the same for equal keys. Returns the key itself if it has no
     * canonical form.
     */
    private static function canonicalKey(string $packed): string
    {
        try {
            return (new Canonical(limits: new Limits(maxDepth: Limits::MOST_DEPTH)))->canonicalize($packed);
        } catch (UnpackingFailedException) {
            return $packed;
        }
    }

    /**
     * Appends a map key that isn't a str. Maps inside it don't become records, and a fault inside it has the path of
     * the map.
     */
    private function appendKey(mixed $key, int $depth, string &$out): void
    {
        $this->appendInKey($key, $depth, $depth - 1, $out);
    }

    /**
     * Appends a key, or a value inside it.
     *
     * @param int $keyDepth the depth of the map
     */
    private function appendInKey(mixed $value, int $depth, int $keyDepth, string &$out): void
    {
        $pathEndBefore = $this->pathEnd;
        $this->pathEnd = \min($pathEndBefore, $keyDepth);
        try {
            $this->append($value, $depth, $out);
        } finally {
            $this->pathEnd = $pathEndBefore;
        }
    }

    /**
     * Appends what an iterator or generator yields, like a PHP array with the same keys. Except in strict mode, the
     * keys may be of any kind. In default mode they may also repeat. The iterator must end, because the head with the
     * count comes first, and all values are held until the count is known.
     *
     * @param \Traversable<mixed, mixed> $value
     */
    private function appendTraversable(\Traversable $value, int $depth, string &$out): void
    {
        if ($depth >= $this->maxDepth) {
            throw $this->tooDeep($depth);
        }
        // The iterator may call this packer, which then continues at the depth of its elements.
        $depthBefore = $this->depth;
        $handoversBefore = $this->handovers;
        $this->depth = $depth + 1;
        $this->handovers = 1;
        $isList = true;
        $hasOtherKeys = false;
        $entries = [];
        try {
            foreach ($value as $key => $item) {
                $isList = $isList && $key === \count($entries);
                $hasOtherKeys = $hasOtherKeys || (!\is_int($key) && !\is_string($key));
                $entries[] = [$key, $item];
            }
        } catch (\Throwable $error) {
            throw $this->failed($value, $error, $depth);
        } finally {
            $this->depth = $depthBefore;
            if ($this->handovers < 0) { // @phpstan-ignore smaller.alwaysFalse (the iterator wrote a head)
                ++$this->maxDepth;
            }
            $this->handovers = $handoversBefore;
        }
        if ($isList || $this->forceArr) {
            $this->append(\array_column($entries, 1), $depth, $out);
        } elseif ($hasOtherKeys && $this->isStrict) {
            throw PackingFailedException::invalidKey($value, $this->path($depth));
        } else {
            $this->appendEntries(new Entries($entries), $depth, $out);
        }
    }

    private function raw(Raw $raw, int $depth): string
    {
        $ownsRecordType = $this->ownsRecordType && $this->shapes === null;
        try {
            if ($this->checkUtf8) {
                $raw->judge($ownsRecordType, $this->maxDepth - $depth);
            }
            $nesting = $raw->nesting($ownsRecordType);
        } catch (UnpackingFailedException $cause) {
            throw $cause->errorCode === ErrorCode::LimitExceeded
                ? $this->tooDeep($depth)
                : PackingFailedException::badRaw($cause, $this->path($depth));
        }
        if ($depth + $nesting > $this->maxDepth) {
            throw $this->tooDeep($depth);
        }

        return $this->shapes === null ? $raw->bytes : $raw->widened();
    }

    /**
     * Packs an integer given by its digits, and refuses anything that fits neither int 64 nor uint 64.
     *
     * @param string $digits in decimal
     */
    private function digits(string $digits, string $what, int $depth): string
    {
        $int = (int) $digits;
        if ((string) $int === $digits) {
            return $this->int($int);
        }
        $longer = \strlen($digits) - \strlen(UInt64::MAX);
        $isNumber = $digits !== '' && \strspn($digits, '0123456789') === \strlen($digits);
        if ($isNumber && ($longer < 0 || ($longer === 0 && \strcmp($digits, UInt64::MAX) <= 0))) {
            return (new UInt64($digits))->pack($this);
        }

        throw PackingFailedException::outOfRange(
            $what,
            $digits,
            'an integer from -9223372036854775808 to 18446744073709551615',
            $this->path($depth),
        );
    }
}
