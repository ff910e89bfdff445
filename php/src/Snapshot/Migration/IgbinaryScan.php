<?php

declare(strict_types=1);

namespace Polypack\Snapshot\Migration;

/**
 * Finds the class names, and the data of Serializable, in bytes that igbinary wrote. Doesn't unserialize anything.
 *
 * @internal
 */
final class IgbinaryScan
{
    private const MOST_DEPTH = 512;

    private int $at = 4;

    /** @var list<string> */
    private array $strings = [];

    /** @var array<string, true> */
    private array $classes = [];

    /** @var list<array{string, string}> the class of each object with a text under the key 3, and this text */
    private array $named = [];

    /** @var list<array{string, string}> the class of each object of Serializable, and its data */
    private array $legacy = [];

    public function __construct(private readonly string $bytes) {}

    /**
     * @return ?list<string> null if the bytes aren't what igbinary writes, or nest deeper than 512 levels
     */
    public function classes(): ?array
    {
        try {
            $this->value(0);
        } catch (\OutOfBoundsException) {
            return null;
        }

        return $this->at === \strlen($this->bytes) ? \array_map(\strval(...), \array_keys($this->classes)) : null;
    }

    /**
     * Returns the texts that may name the iterator class of an ArrayObject. Call it after classes().
     *
     * @return list<array{string, string}> the class of an object, and the text under its key 3
     */
    public function named(): array
    {
        return $this->named;
    }

    /**
     * Returns the data that unserialize() of objects would get. Call it after classes().
     *
     * @return list<array{string, string}> the class of an object, and its data
     */
    public function legacy(): array
    {
        return $this->legacy;
    }

    private function take(int $length): string
    {
        if ($length > \strlen($this->bytes) - $this->at) {
            throw new \OutOfBoundsException();
        }
        $this->at += $length;

        return \substr($this->bytes, $this->at - $length, $length);
    }

    /**
     * @param int $width in bytes
     */
    private function number(int $width): int
    {
        $number = 0;
        foreach (\str_split($this->take($width)) as $byte) {
            $number = $number << 8 | \ord($byte);
        }

        return $number;
    }

    /**
     * @param int $step 0, 1 or 2: the length in front of the text takes 1, 2 or 4 bytes
     */
    private function text(int $step): string
    {
        return $this->strings[] = $this->take($this->number(1 << $step));
    }

    private function earlier(int $step): string
    {
        return $this->strings[$this->number(1 << $step)] ?? throw new \OutOfBoundsException();
    }

    /**
     * Returns the value if it is a text or an int that isn't negative. Returns a text for a reference, else null.
     */
    private function value(int $depth): int|string|null
    {
        if ($depth > self::MOST_DEPTH) {
            throw new \OutOfBoundsException();
        }
        $type = $this->number(1);

        return match (true) {
            $type === 0x00, $type === 0x04, $type === 0x05 => null, // null, false, true
            $type === 0x0d => '',
            $type >= 0x01 && $type <= 0x03 => $this->reference(1 << $type - 0x01),
            $type === 0x06, $type === 0x08, $type === 0x0a => $this->number(1 << ($type - 0x06 >> 1)), // ints
            $type === 0x20 => $this->number(8),
            $type === 0x07, $type === 0x09, $type === 0x0b => $this->without(1 << ($type - 0x07 >> 1)), // negative ints
            $type === 0x0c, $type === 0x21 => $this->without(8), // a float, a negative int
            $type >= 0x0e && $type <= 0x10 => $this->earlier($type - 0x0e),
            $type >= 0x11 && $type <= 0x13 => $this->text($type - 0x11),
            $type >= 0x14 && $type <= 0x16 => $this->entries($this->number(1 << $type - 0x14), $depth),
            $type >= 0x17 && $type <= 0x19 => $this->object($this->text($type - 0x17), $depth),
            $type >= 0x1a && $type <= 0x1c => $this->object($this->earlier($type - 0x1a), $depth),
            $type >= 0x22 && $type <= 0x24 => $this->reference(1 << $type - 0x22),
            $type === 0x25 => $this->value($depth + 1), // a value that is a PHP reference
            default => throw new \OutOfBoundsException(),
        };
    }

    private function without(int $length): null
    {
        $this->take($length);

        return null;
    }

    /**
     * Skips the number of an earlier value. That value may be a text, so this method also returns a text, which isn't
     * the name of a class.
     */
    private function reference(int $length): string
    {
        $this->take($length);

        return 'a reference';
    }

    /**
     * @param ?string $class the class of the object that has the entries; null for an array
     */
    private function entries(int $count, int $depth, ?string $class = null): null
    {
        if ($count > \strlen($this->bytes) - $this->at) {
            throw new \OutOfBoundsException();
        }
        for ($i = 0; $i < $count; ++$i) {
            if (($this->bytes[$this->at] ?? '') === "\0") {
                ++$this->at; // null as key: a property that isn't initialised, so no value follows
                continue;
            }
            $key = $this->value($depth + 1);
            $value = $this->value($depth + 1);
            if ($class !== null && ($key === 3 || $key === '3') && \is_string($value)) {
                $this->named[] = [$class, $value];
            }
        }

        return null;
    }

    private function object(string $class, int $depth): null
    {
        $this->classes[$class] = true;
        $type = $this->number(1);
        if ($type >= 0x1d && $type <= 0x1f) {
            $this->legacy[] = [$class, $this->take($this->number(1 << $type - 0x1d))];

            return null;
        }
        match (true) {
            $type >= 0x14 && $type <= 0x16 => $this->entries($this->number(1 << $type - 0x14), $depth, $class),
            $type === 0x27 => $this->value($depth + 1), // the name of an enum case
            default => throw new \OutOfBoundsException(),
        };

        return null;
    }
}
