<?php

declare(strict_types=1);

namespace Polypack\Packer;

use Polypack\CanBePacked;
use Polypack\Exception\PackingFailedException;
use Polypack\Exception\UnpackingFailedException;
use Polypack\Packer;
use Polypack\Path;
use Polypack\Raw;
use Polypack\Type\Bin;
use Polypack\Type\Entries;
use Polypack\Type\Ext;
use Polypack\Type\Map;
use Polypack\Type\Timestamp;
use Polypack\Type\UInt64;

/**
 * Objects, and what only a transformer can pack.
 *
 * @internal
 */
trait Objects
{
    /** Objects that pack as one another without a container between them: more than this is a cycle. */
    private const MAX_HANDOVERS = 64;

    /** @var int objects in a row that pack as one another, without a container between them */
    private $handovers = 0;

    abstract protected function ext(int $type, string $data, int $depth): string;

    protected function object(object $value, int $depth): string
    {
        // The types of this library need no care against cycles, and need not be asked when nobody else is.
        if ($this->transformers === []) {
            if ($value instanceof Ext) {
                return $this->ext($value->type, $value->data, $depth);
            }
            if ($value instanceof Timestamp) {
                return $value->pack($this->packer());
            }
            if ($value instanceof Bin) {
                return self::binHead(\strlen($value->data)) . $value->data;
            }
            if ($value instanceof Map) {
                $out = '';
                $this->appendMap($value->map, $depth, $out);

                return $out;
            }
        }
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
            $this->appendKeyed($value->getArrayCopy(), $depth, $out);
        } elseif ($value instanceof \DateTimeInterface) {
            $out = Timestamp::fromDateTime($value)->pack($this->packer());
        } elseif ($value instanceof \BackedEnum) {
            $this->append($value->value, $depth, $out);
        } elseif ($value instanceof \GMP) {
            $out = $this->digits(\gmp_strval($value), 'the GMP integer', $depth);
        } elseif ($value instanceof \BcMath\Number) {
            $out = $this->digits($value->value, 'the BcMath\Number', $depth);
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
        $directBefore = $this->direct;
        $mayDeclareBefore = $this->mayDeclare;
        $this->depth = $depth;
        $this->direct = false;
        $this->mayDeclare = false;
        ++$this->handovers;
        $packer = $this->packer();
        $asked = $value;
        try {
            foreach ($this->transformers as $asked) {
                $packed = $asked->pack($packer, $value);
                if ($packed !== null) {
                    return $packed;
                }
            }
            $asked = $value;

            return $value instanceof CanBePacked ? $value->pack($packer) : null;
        } catch (PackingFailedException $error) {
            throw $error;
        } catch (\Throwable $error) {
            throw PackingFailedException::extensionFailed(\is_object($asked) ? $asked : $this, $error, $this->path($depth));
        } finally {
            $this->depth = $depthBefore;
            $this->direct = $directBefore;
            $this->mayDeclare = $mayDeclareBefore;
            $this->handovers = $handoversBefore;
        }
    }

    /**
     * The packer that objects are handed, which this is a part of.
     */
    private function packer(): Packer
    {
        \assert($this instanceof Packer);

        return $this;
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
        $record = $this->mayDeclare ? $this->recordHead(\array_map(\strval(...), \array_keys($properties)), $depth) : null;
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
        $out .= self::mapHead(\count($entries->entries));
        foreach ($entries->entries as $i => [$key, $value]) {
            if (\is_string($key)) {
                $out .= $this->string($key, $depth);
            } else {
                $mayDeclare = $this->mayDeclare;
                $this->mayDeclare = false;
                $this->trail[$depth] = [$i];
                $this->append($key, $depth + 1, $out);
                $this->mayDeclare = $mayDeclare;
            }
            $this->trail[$depth] = Path::step($key, $i);
            $this->append($value, $depth + 1, $out);
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

        return $this->shapes === null ? $raw->bytes : $raw->widened();
    }

    /**
     * Packs an integer of any size, if it fits.
     *
     * @param string $digits in decimal, without leading zeros
     */
    protected function digits(string $digits, string $what, int $depth): string
    {
        $int = (int) $digits;
        if ((string) $int === $digits) {
            return $this->int($int);
        }
        $longer = \strlen($digits) - \strlen(UInt64::MAX);
        if (\ctype_digit($digits) && ($longer < 0 || ($longer === 0 && \strcmp($digits, UInt64::MAX) <= 0))) {
            return (new UInt64($digits))->pack($this->packer());
        }

        throw PackingFailedException::outOfRange(
            $what,
            $digits,
            'an integer from -9223372036854775808 to 18446744073709551615',
            $this->path($depth),
        );
    }
}
