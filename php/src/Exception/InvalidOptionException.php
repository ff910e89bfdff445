<?php

declare(strict_types=1);

namespace Polypack\Exception;

/**
 * Reports wrong use of the API: invalid options, limits or arguments. It has no error code, because error
 * codes are only for faults in data.
 *
 * @api
 */
final class InvalidOptionException extends \InvalidArgumentException implements PolypackException
{
    /**
     * @internal
     */
    public static function conflict(string $class, string ...$options): self
    {
        $names = \array_map(static fn(string $option): string => "{$class}::{$option}", $options);

        return new self(\implode(' and ', $names) . ' exclude each other; keep one');
    }

    /**
     * @internal
     */
    public static function foreign(string $class, string $other, string $option): self
    {
        return new self("{$other}::{$option} is given where {$class} is meant; use the constants of {$class}, or {$class}::of()");
    }

    /**
     * @internal
     */
    public static function unknownBits(string $class, int $bits): self
    {
        return new self(\sprintf('%s has no option with the bits 0x%x; combine its constants with |', $class, $bits));
    }

    /**
     * @internal
     */
    public static function missingPhpExtension(string $option, string $extension): self
    {
        return new self("{$option} needs the PHP extension {$extension}; load it or choose another option");
    }

    /**
     * @internal
     */
    public static function noEngine(string $why): self
    {
        return new self("POLYPACK_ENGINE is ext, but {$why}; install it or choose php");
    }

    /**
     * @internal
     */
    public static function unknownEngine(string $name): self
    {
        return new self("POLYPACK_ENGINE is {$name}; choose php or ext");
    }

    /**
     * @internal
     */
    public static function limit(string $name, int $value, int $least, int $most): self
    {
        return new self("{$name} is {$value}; choose {$least} to {$most}");
    }

    /**
     * @internal
     */
    public static function emptyName(string $what): self
    {
        return new self("the {$what} is empty or no name; choose one");
    }

    /**
     * @internal
     */
    public static function shapes(int $count, int $most): self
    {
        return new self("{$count} shapes are more than the {$most} that have ids");
    }

    /**
     * @internal
     */
    public static function shape(int $number, string $why): self
    {
        return new self("shape {$number} of the dictionary {$why}");
    }

    /**
     * @internal
     */
    public static function extensionType(int $type): self
    {
        return new self("the extension type is {$type}; getType() must return -128 to 127");
    }

    /**
     * @internal
     */
    public static function negativeLength(int $length): self
    {
        return new self("cannot read {$length} bytes; ask for 0 or more");
    }

    /**
     * @internal
     */
    public static function notPointer(string $path): self
    {
        $shown = Text::short(Text::utf8($path));

        return new self("the path \"{$shown}\" is no RFC 6901 pointer; use \"\" or \"/token/…\", and ~0 and ~1 for ~ and / in a token");
    }

    /**
     * @internal
     */
    public static function noSource(mixed $source): self
    {
        $given = \get_debug_type($source);

        return new self("cannot read a stream from {$given}; pass an iterable of strings, a PHP stream or a PSR-7 stream");
    }

    /**
     * @internal
     */
    public static function streamInUse(): self
    {
        return new self('an extension must not use the stream that is calling it; use the unpacker that it is given');
    }

    /**
     * @internal
     */
    public static function noChunk(mixed $chunk): self
    {
        return new self('a chunk is ' . \get_debug_type($chunk) . '; chunks must be strings');
    }

    /**
     * @internal
     */
    public static function snapshotOption(string $name, string $wanted): self
    {
        return new self("the option {$name} must be {$wanted}");
    }

    /**
     * @internal
     *
     * @param list<string> $known
     */
    public static function unknownSnapshotOption(string $name, array $known): self
    {
        $shown = Text::short(Text::utf8($name));

        return new self("there is no option \"{$shown}\" here; choose from " . \implode(', ', $known));
    }

    /**
     * @internal
     */
    public static function key(string $why): self
    {
        return new self("a key {$why}");
    }
}
