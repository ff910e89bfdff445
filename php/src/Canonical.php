<?php

declare(strict_types=1);

namespace Polypack;

use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Native\Canonicalizing;
use Polypack\Options\Mode;
use Polypack\Records\SharedRecords;
use Polypack\Type\Entries;
use Polypack\Type\UInt64;

/**
 * The canonical form C1: one encoding for each value, the same in every language (spec/08-canonical.md).
 *
 * @api
 */
final class Canonical
{
    /**
     * The version of the canonical form. The bytes don't contain the version, so sign them together with the name
     * `polypack-c1`.
     */
    public const VERSION = 1;

    private readonly Packer $packer;
    /**
     * Packs what was decoded. $packer isn't used for this, because it may be in the middle of packing an object. Each
     * head would then add to the depth of that object.
     */
    private readonly Packer $encoder;
    private readonly BufferUnpacker $unpacker;
    private readonly BufferUnpacker $reader;
    /** The PHP extension's counterparts of $unpacker and $reader; null if the PHP extension isn't active. */
    private readonly ?Canonicalizing $nativeUnpacker;
    private readonly ?Canonicalizing $nativeReader;

    /**
     * @param bool $recordsInline whether bytes with record declarations may be canonicalized. Records become maps, and
     *                            their names may take at most maxBytes (spec/06-limits.md#names-of-records)
     * @param ?Limits        $limits  apply to canonicalize() and departure(); for pack(), only maxDepth counts
     * @param ?SharedRecords $records the dictionary that the bytes may be written with
     * @param bool $integralFloatsAsInts whether floats that are integers become ints, so that 10.0 and 10 have one
     *                                   form, as in JavaScript (spec/08-canonical.md#integral-floats-as-ints)
     */
    public function __construct(
        bool $recordsInline = false,
        ?Limits $limits = null,
        ?SharedRecords $records = null,
        private readonly bool $integralFloatsAsInts = false,
    ) {
        $options = UnpackOptions::of(mode: Mode::Lossless, records: $records ?? $recordsInline);
        $this->packer = new Packer(PackOptions::LOSSLESS, limits: $limits);
        $this->encoder = clone $this->packer;
        $this->unpacker = (new BufferUnpacker('', $options, limits: $limits))->forCanonical($integralFloatsAsInts);
        $this->nativeUnpacker = Canonicalizing::with($records ?? $recordsInline, $limits ?? new Limits(), $integralFloatsAsInts);
        $depth = new Limits($limits->maxDepth ?? Format::MAX_DEPTH);
        $this->reader = (new BufferUnpacker('', UnpackOptions::LOSSLESS, limits: $depth))->forCanonical($integralFloatsAsInts);
        $this->nativeReader = Canonicalizing::with(false, $depth, $integralFloatsAsInts);
    }

    /**
     * Packs a value in canonical form.
     *
     * @throws PackingFailedException for the faults of Packer::pack() in lossless mode, and `duplicate_key`
     */
    public function pack(mixed $value): string
    {
        $packed = $this->packer->pack($value);
        try {
            return $this->nativeReader?->of($packed) ?? $this->canonical($packed, $this->reader);
        } catch (UnpackingFailedException $cause) {
            throw PackingFailedException::notCanonical($cause);
        }
    }

    /**
     * Returns the canonical form of the one value in these bytes.
     *
     * @throws UnpackingFailedException when the bytes aren't valid in lossless mode, or bytes follow the value
     */
    public function canonicalize(string $packed): string
    {
        return $this->nativeUnpacker?->of($packed) ?? $this->canonical($packed, $this->unpacker);
    }

    private function canonical(string $packed, BufferUnpacker $unpacker): string
    {
        try {
            $value = self::only($packed, $unpacker);
        } catch (UnpackingFailedException $fault) {
            if ($this->integralFloatsAsInts) {
                // Faults of the bytes come before keys that only become equal, and have paths with the bytes' own keys.
                self::only($packed, (clone $unpacker)->forCanonical(false));
            }

            throw $fault;
        }

        return $this->encode($value);
    }

    /**
     * Unpacks bytes that are exactly one value.
     */
    private static function only(string $packed, BufferUnpacker $unpacker): mixed
    {
        $unpacker->reset($packed);
        $value = $unpacker->unpack();
        $trailing = $unpacker->getRemainingCount();
        $unpacker->reset();
        if ($trailing > 0) {
            throw UnpackingFailedException::trailingData(\strlen($packed) - $trailing, $trailing);
        }

        return $value;
    }

    /**
     * Returns where the bytes depart from their canonical form: the offset of the first byte that differs, or null when
     * they are canonical.
     *
     * @throws UnpackingFailedException see canonicalize()
     */
    public function departure(string $packed): ?int
    {
        $canonical = $this->canonicalize($packed);
        if ($canonical === $packed) {
            return null;
        }

        return \strspn($canonical ^ $packed, "\x00");
    }

    /**
     * Encodes a value that lossless mode has decoded.
     *
     * Each kind of container has a method of its own, because the function JIT of PHP 8.4 and 8.5 hangs or crashes on a
     * method with two loops that encode children.
     */
    private function encode(mixed $value): string
    {
        if (\is_array($value)) {
            return $this->array($value);
        }
        if ($value instanceof \stdClass) {
            return $this->object($value);
        }
        if ($value instanceof Entries) {
            return $this->entries($value);
        }

        return $this->encoder->pack($this->integralFloatsAsInts && \is_float($value) ? self::integral($value) : $value);
    }

    /**
     * Returns the int or UInt64 that a float is equal to, or the float itself if there is none.
     *
     * @internal
     */
    public static function integral(float $float): int|UInt64|float
    {
        if ($float >= -9223372036854775808.0 && $float < 9223372036854775808.0) {
            return $float === \floor($float) ? (int) $float : $float;
        }

        return $float >= 9223372036854775808.0 && $float < 18446744073709551616.0
            ? UInt64::fromBits((int) ($float - 9223372036854775808.0) | \PHP_INT_MIN)
            : $float;
    }

    /**
     * @param array<mixed> $value
     */
    private function array(array $value): string
    {
        $packed = $this->encoder->packArrayHeader(\count($value));
        foreach ($value as $element) {
            $packed .= $this->encode($element);
        }

        return $packed;
    }

    private function object(\stdClass $value): string
    {
        $keys = $values = [];
        foreach (\get_object_vars($value) as $name => $property) {
            $keys[] = $this->encoder->packStr((string) $name);
            $values[] = $this->encode($property);
        }

        return $this->sorted($keys, $values);
    }

    private function entries(Entries $value): string
    {
        $keys = $values = [];
        foreach ($value->entries as [$key, $property]) {
            $keys[] = $this->encode($key);
            $values[] = $this->encode($property);
        }

        return $this->sorted($keys, $values);
    }

    /**
     * @param list<string> $keys   the encoded keys. They aren't the keys of an array, because they could collide in its
     *                             hash table even if the original keys don't
     * @param list<string> $values the encoded values
     */
    private function sorted(array $keys, array $values): string
    {
        \array_multisort($keys, \SORT_STRING, $values);
        $packed = $this->encoder->packMapHeader(\count($values));
        foreach ($keys as $i => $key) {
            $packed .= $key . $values[$i];
        }

        return $packed;
    }
}
