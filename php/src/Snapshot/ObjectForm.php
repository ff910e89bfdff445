<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * Holds what a snapshot contains of an object: its class, and its properties or what its hook returned.
 *
 * @internal
 */
final class ObjectForm
{
    /**
     * @param int               $head     Format::NEW_OBJECT, NEW_DATA, NEW_LEGACY or NEW_CASE
     * @param string            $shape    a key for the shape, made of its kind, class, flags and names
     * @param string            $class    the name of the class in the snapshot
     * @param int               $flags    the flags of the shape (spec/10-snapshot.md#shapes)
     * @param list<string>      $names    names of the properties, or the name of the case
     * @param int               $declared how many of the names are declared properties; they come first
     * @param list<string>      $absent   names of declared properties that have no value
     * @param array<int, mixed> $values   one for each property; one element with the data or bytes; none for a case
     */
    public function __construct(
        public readonly int $head,
        public readonly string $shape,
        public readonly string $class,
        public readonly int $flags,
        public readonly array $names,
        public readonly int $declared,
        public readonly array $absent,
        public readonly array $values,
    ) {}

    /**
     * @param array<int, mixed> $values
     */
    public static function data(string $class, int $flags, array $values): self
    {
        return new self(Format::NEW_DATA, "d{$flags}{$class}", $class, $flags, [], 0, [], $values);
    }

    public static function legacy(string $class, string $bytes): self
    {
        return new self(Format::NEW_LEGACY, "l{$class}", $class, 0, [], 0, [], [$bytes]);
    }

    public static function case(string $class, string $name): self
    {
        return new self(Format::NEW_CASE, self::prefix('c', $class) . $name, $class, 0, [$name], 0, [], []);
    }

    /**
     * @param list<string>      $names
     * @param list<string>      $absent
     * @param array<int, mixed> $values
     */
    public static function properties(string $class, int $flags, array $names, int $declared, array $absent, array $values): self
    {
        $shape = self::prefix("o{$flags},{$declared},", $class) . self::joined($names) . "\0" . self::joined($absent);

        return new self(Format::NEW_OBJECT, $shape, $class, $flags, $names, $declared, $absent, $values);
    }

    /**
     * @param array<int, mixed> $values
     */
    public function with(array $values): self
    {
        return new self($this->head, $this->shape, $this->class, $this->flags, $this->names, $this->declared, $this->absent, $values);
    }

    /**
     * Returns the start of a shape's key. The length of the class name comes first, because the name of an unknown
     * class may contain any bytes, such as a comma.
     */
    private static function prefix(string $start, string $class): string
    {
        return $start . \strlen($class) . ",{$class}";
    }

    /**
     * Joins names to a string that no other list of names gives, even if "\0" and more text are appended.
     *
     * @param list<string> $names
     */
    public static function joined(array $names): string
    {
        $count = \count($names);
        $joined = \implode("\0", $names);

        // A name that contains "\0" would look like two names. So serialize() joins such names, with an s in front.
        return \substr_count($joined, "\0") === \max(0, $count - 1) ? "{$count},{$joined}" : 's' . \serialize($names);
    }
}
