<?php

declare(strict_types=1);

namespace Polypack\Decoder;

use Polypack\Exception\InvalidOptionException;

/**
 * Reads the path that a lazy read follows: an RFC 6901 pointer, like the paths of errors (spec/07-errors.md#path).
 *
 * @internal
 */
final class Pointer
{
    /**
     * @return list<string> the tokens, unescaped
     *
     * @throws InvalidOptionException when the path isn't a pointer
     */
    public static function tokens(string $path): array
    {
        if ($path === '') {
            return [];
        }
        if ($path[0] !== '/' || \preg_match('/~(?![01])/', $path) !== 0) {
            throw InvalidOptionException::notPointer($path);
        }

        return \array_map(
            static fn(string $token): string => \str_replace(['~1', '~0'], ['/', '~'], $token),
            \explode('/', \substr($path, 1)),
        );
    }

    /**
     * Returns the index that a token stands for, or -1 when the token isn't an index.
     */
    public static function index(string $token): int
    {
        $index = (int) $token;

        return (string) $index === $token && $index >= 0 ? $index : -1;
    }
}
