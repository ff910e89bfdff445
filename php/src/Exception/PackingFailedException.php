<?php

declare(strict_types=1);

namespace Polypack\Exception;

use Polypack\CanBePacked;
use Polypack\CanPack;

/**
 * Reports a value that cannot be packed: `errorCode` says why, `path` where. Its `offset` is always null.
 *
 * @api
 */
final class PackingFailedException extends \RuntimeException implements PolypackException
{
    use Fault;

    /**
     * @internal
     */
    public static function unsupportedValue(mixed $value, string $path): self
    {
        $mend = 'register a transformer for it, or convert it before';

        return self::fail(ErrorCode::UnsupportedValue, 'cannot pack ' . \get_debug_type($value), $mend, null, $path);
    }

    /**
     * Makes the error for an object that the PHP extension can't pack without this library. The extension has a copy of
     * this class, for programs that don't install the library.
     *
     * @internal
     */
    public static function needsLibrary(mixed $value, string $path): self
    {
        $what = \get_debug_type($value) . ' can be packed only with the library polypack/polypack, if at all';

        return self::fail(ErrorCode::UnsupportedValue, $what, 'install it with Composer, or convert the value before', null, $path);
    }

    /**
     * @internal
     */
    public static function extensionFailed(object $extension, \Throwable $cause, string $path): self
    {
        $packs = $extension instanceof CanPack || $extension instanceof CanBePacked;
        $what = $packs ? \get_debug_type($extension) . '::pack() failed' : 'reading ' . \get_debug_type($extension) . ' failed';
        $mend = 'see the previous exception';

        return self::fail(ErrorCode::UnsupportedValue, $what, $mend, null, $path, $cause);
    }

    /**
     * @internal
     */
    public static function badResult(object $asked, UnpackingFailedException $cause, string $path): self
    {
        $what = \get_debug_type($asked) . '::pack() did not return exactly one packed value';

        return self::fail($cause->errorCode, $what, 'see the previous exception', null, $path, $cause);
    }

    /**
     * @internal
     */
    public static function notPair(string $path): self
    {
        $what = 'an entry of an Entries is no pair';

        return self::fail(ErrorCode::UnsupportedValue, $what, 'write each as [key, value]', null, $path);
    }

    /**
     * @internal
     */
    public static function depth(int $maxDepth, string $path): self
    {
        $what = 'depth ' . ($maxDepth + 1) . " exceeds the limit {$maxDepth}";
        $mend = 'raise maxDepth, or break the cycle if the value contains itself';

        return self::fail(ErrorCode::LimitExceeded, $what, $mend, null, $path);
    }

    /**
     * @internal
     */
    public static function handovers(mixed $value, int $limit, string $path): self
    {
        $what = \get_debug_type($value) . " comes after {$limit} objects in a row that pack as one another";

        $mend = 'raise maxDepth, or break the cycle if one of them packs itself';

        return self::fail(ErrorCode::LimitExceeded, $what, $mend, null, $path);
    }

    /**
     * @internal
     */
    public static function invalidUtf8(string $path): self
    {
        $mend = 'wrap bytes that are no text in Polypack\Type\Bin';

        return self::fail(ErrorCode::InvalidUtf8, 'a string is not UTF-8', $mend, null, $path);
    }

    /**
     * @internal
     */
    public static function outOfRange(string $what, string|int|float $value, string $range, string $path): self
    {
        $shown = Text::short(Text::utf8((string) $value));

        return self::fail(ErrorCode::OutOfRange, "{$what} is {$shown}", "it must be {$range}", null, $path);
    }

    /**
     * @internal
     */
    public static function invalidTimestamp(int $nanoseconds): self
    {
        $what = "the nanoseconds of a timestamp are {$nanoseconds}";

        return self::fail(ErrorCode::InvalidTimestamp, $what, 'they must be 0 to 999999999', null, '');
    }

    /**
     * @internal
     */
    public static function badTimestamp(string $why, string $path): self
    {
        return self::fail(ErrorCode::InvalidTimestamp, "an ext value of type -1 {$why}", 'pack a Polypack\Type\Timestamp', null, $path);
    }

    /**
     * @internal
     */
    public static function duplicateKey(string $path): self
    {
        return self::fail(ErrorCode::DuplicateKey, 'a map has the same key twice', 'keep one of its entries', null, $path);
    }

    /**
     * @internal
     */
    public static function invalidKey(object $value, string $path): self
    {
        $what = \get_debug_type($value) . ' yields a key that is neither int nor string';

        return self::fail(ErrorCode::InvalidKey, $what, 'convert it, or pack Polypack\Type\Entries', null, $path);
    }

    /**
     * @internal
     */
    public static function reservedExt(int $length, string $path): self
    {
        $what = "extension type 0x72 with {$length} bytes of data would declare a record";

        return self::fail(ErrorCode::InvalidRecord, $what, 'choose another extension type', null, $path);
    }

    /**
     * @internal
     */
    public static function dictionary(UnpackingFailedException $cause): self
    {
        $what = 'the dictionary is lost, and from now on each message declares its records';

        return self::fail($cause->errorCode, $what, 'see the previous exception', null, '', $cause);
    }

    /**
     * @internal
     */
    public static function shouldShare(\Throwable $cause): self
    {
        $mend = 'see the previous exception';

        return self::fail(ErrorCode::UnsupportedValue, 'shouldShare failed', $mend, null, '', $cause);
    }

    /**
     * @internal
     */
    public static function badRaw(UnpackingFailedException $cause, string $path): self
    {
        $what = 'a Raw does not hold exactly one value that readers accept';

        return self::fail($cause->errorCode, $what, 'see the previous exception', null, $path, $cause);
    }

    /**
     * @internal
     */
    public static function notCanonical(UnpackingFailedException $cause): self
    {
        $what = 'the value has no canonical form';

        return self::fail($cause->errorCode, $what, 'see the previous exception', null, $cause->path, $cause);
    }
}
