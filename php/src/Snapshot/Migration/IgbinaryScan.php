<?php

declare(strict_types=1);

namespace Polypack\Snapshot\Migration;

/**
 * Finds the class names in bytes that igbinary wrote, without unserializing them.
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

    private function value(int $depth): void
    {
        if ($depth > self::MOST_DEPTH) {
            throw new \OutOfBoundsException();
        }
        $type = $this->number(1);
        match (true) {
            $type === 0x00, $type === 0x04, $type === 0x05, $type === 0x0d => null, // null, false, true, ""
            $type >= 0x01 && $type <= 0x03 => $this->take(1 << $type - 0x01), // number of an earlier array or reference
            $type >= 0x06 && $type <= 0x0b => $this->take(1 << \intdiv($type - 0x06, 2)), // ints of 1, 2 and 4 bytes
            $type === 0x0c, $type === 0x20, $type === 0x21 => $this->take(8), // float, ints of 8 bytes
            $type >= 0x0e && $type <= 0x10 => $this->earlier($type - 0x0e),
            $type >= 0x11 && $type <= 0x13 => $this->text($type - 0x11),
            $type >= 0x14 && $type <= 0x16 => $this->entries($this->number(1 << $type - 0x14), $depth),
            $type >= 0x17 && $type <= 0x19 => $this->object($this->text($type - 0x17), $depth),
            $type >= 0x1a && $type <= 0x1c => $this->object($this->earlier($type - 0x1a), $depth),
            $type >= 0x22 && $type <= 0x24 => $this->take(1 << $type - 0x22), // the number of an earlier object
            $type === 0x25 => $this->value($depth + 1), // a value that is a PHP reference
            default => throw new \OutOfBoundsException(),
        };
    }

    private function entries(int $count, int $depth): void
    {
        if ($count > \strlen($this->bytes) - $this->at) {
            throw new \OutOfBoundsException();
        }
        for ($i = 0; $i < $count; ++$i) {
            if (($this->bytes[$this->at] ?? '') === "\0") {
                ++$this->at; // null in place of a key: a property that isn't initialised; no value follows
                continue;
            }
            $this->value($depth + 1);
            $this->value($depth + 1);
        }
    }

    private function object(string $class, int $depth): void
    {
        $this->classes[$class] = true;
        $type = $this->number(1);
        match (true) {
            $type >= 0x14 && $type <= 0x16 => $this->entries($this->number(1 << $type - 0x14), $depth),
            $type >= 0x1d && $type <= 0x1f => $this->take($this->number(1 << $type - 0x1d)), // bytes of Serializable
            $type === 0x27 => $this->value($depth + 1), // the name of an enum case
            default => throw new \OutOfBoundsException(),
        };
    }
}
