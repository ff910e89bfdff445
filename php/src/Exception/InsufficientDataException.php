<?php

declare(strict_types=1);

namespace Polypack\Exception;

/**
 * Reports input that ended too soon (`unexpected_end`). This is the only unpacking error that more input may mend.
 *
 * @api
 */
final class InsufficientDataException extends UnpackingFailedException
{
    private const TRUNCATED = 'the input is truncated';

    /**
     * @internal
     */
    public static function value(int $offset, string $path): self
    {
        return self::fail(ErrorCode::UnexpectedEnd, 'a value should start here', self::TRUNCATED, $offset, $path);
    }

    /**
     * @internal
     */
    public static function head(string $format, int $offset, string $path): self
    {
        return self::fail(ErrorCode::UnexpectedEnd, "{$format} has no complete head", self::TRUNCATED, $offset, $path);
    }

    /**
     * @internal
     */
    public static function body(string $format, int $length, int $remaining, int $offset, string $path): self
    {
        $what = "{$format} declares {$length} bytes but {$remaining} remain";

        return self::fail(ErrorCode::UnexpectedEnd, $what, self::TRUNCATED, $offset, $path);
    }

    /**
     * @internal
     */
    public static function children(string $format, int $promised, int $remaining, int $offset, string $path): self
    {
        $what = "{$format} and the containers around it promise {$promised} values but {$remaining} bytes remain";

        return self::fail(ErrorCode::UnexpectedEnd, $what, self::TRUNCATED, $offset, $path);
    }

    /**
     * @internal
     */
    public static function move(int $target, int $length): self
    {
        $what = "the byte {$target} is outside the buffer of {$length} bytes";

        return self::fail(ErrorCode::UnexpectedEnd, $what, 'append the bytes first', null, '');
    }

    /**
     * @internal
     */
    public static function step(int $length, int $position, int $end): self
    {
        $what = "{$length} bytes from byte {$position} is outside the buffer of {$end} bytes";

        return self::fail(ErrorCode::UnexpectedEnd, $what, 'append the bytes first', null, '');
    }

    /**
     * @internal
     */
    public static function rest(int $length, int $remaining, int $offset): self
    {
        $what = "{$length} bytes were asked for but {$remaining} remain";

        return self::fail(ErrorCode::UnexpectedEnd, $what, 'append the bytes first', $offset, '');
    }

    /**
     * @internal
     */
    public static function source(string $why, int $read, ?\Throwable $cause = null): self
    {
        $mend = "{$read} bytes came from it before";

        return self::fail(ErrorCode::UnexpectedEnd, "the stream {$why}", $mend, null, '', $cause);
    }
}
