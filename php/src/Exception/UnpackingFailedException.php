<?php

declare(strict_types=1);

namespace Polypack\Exception;

/**
 * Reports bytes that cannot be unpacked: `errorCode` says why, `offset` and `path` where.
 *
 * @api
 */
class UnpackingFailedException extends \RuntimeException implements PolypackException
{
    use Fault;

    /**
     * @internal
     *
     * @param string $input the whole input if its first value has only one byte, as in ASCII text; otherwise ''
     */
    public static function trailingData(int $offset, int $length, string $input = ''): self
    {
        $kind = self::kindOf($input);
        $mend = $kind === null ? 'use BufferUnpacker to read several values' : "the input looks like {$kind}, not MessagePack";

        return self::fail(ErrorCode::TrailingData, "{$length} bytes follow the value", $mend, $offset, '');
    }

    /**
     * @internal
     *
     * @param string $start the first bytes of the input, if the fault is there
     */
    public static function reservedByte(int $offset, string $path, string $start = ''): self
    {
        $mend = match ($start) {
            "\xc1\x53" => 'the input is a snapshot; read it with polypack_unserialize()',
            "\xc1\x45" => 'the input is a signed snapshot; read it with polypack_unserialize_signed()',
            default => 'the input is damaged, or is not MessagePack',
        };

        return self::fail(ErrorCode::ReservedByte, 'the head byte 0xc1 is reserved', $mend, $offset, $path);
    }

    /**
     * @internal
     */
    public static function invalidUtf8(int $offset, string $path): self
    {
        $mend = 'the writer should send bin for bytes that are no text';

        return self::fail(ErrorCode::InvalidUtf8, 'a str is not UTF-8', $mend, $offset, $path);
    }

    /**
     * @internal
     */
    public static function invalidKey(string $kind, int $offset, string $path): self
    {
        $what = "a map key of the kind {$kind} does not fit a PHP array";
        $mend = 'UnpackOptions::LOSSLESS reads such maps';

        return self::fail(ErrorCode::InvalidKey, $what, $mend, $offset, $path);
    }

    /**
     * @internal
     */
    public static function duplicateKey(int $offset, string $path): self
    {
        $mend = 'the default mode keeps the last value';

        return self::fail(ErrorCode::DuplicateKey, 'the key occurs twice in a map', $mend, $offset, $path);
    }

    /**
     * @internal
     */
    public static function depth(int $maxDepth, int $offset, string $path): self
    {
        $what = 'depth ' . ($maxDepth + 1) . " exceeds the limit {$maxDepth}";
        $mend = 'raise maxDepth if the source is trusted';

        return self::fail(ErrorCode::LimitExceeded, $what, $mend, $offset, $path);
    }

    /**
     * @internal
     */
    public static function values(int $maxValues, int $offset, string $path): self
    {
        $what = "the message has more values than the limit {$maxValues}";
        $mend = 'raise maxValues if the source is trusted';

        return self::fail(ErrorCode::LimitExceeded, $what, $mend, $offset, $path);
    }

    /**
     * @internal
     */
    public static function names(int $maxBytes, int $offset, string $path): self
    {
        $what = "without records the names take more than the limit {$maxBytes} bytes";
        $mend = 'unpack the message, or raise maxBytes if the source is trusted';

        return self::fail(ErrorCode::LimitExceeded, $what, $mend, $offset, $path);
    }

    /**
     * @internal
     */
    public static function collisions(int $maxCollisions, int $offset, string $path): self
    {
        $what = "the keys of maps cost more than the limit {$maxCollisions} comparisons, because many share a bucket of PHP's "
            . 'hash tables';
        $mend = 'raise maxCollisions if the source is trusted, send a list of pairs, or unpack in lossless mode';

        return self::fail(ErrorCode::LimitExceeded, $what, $mend, $offset, $path);
    }

    /**
     * @internal
     */
    public static function listMemory(int $maxMemory, int $offset): self
    {
        $what = "the messages of one chunk would take more than the limit {$maxMemory} bytes of memory, by estimate";
        $mend = 'feed shorter chunks, or use decode(), which reads chunks bit by bit';

        return self::fail(ErrorCode::LimitExceeded, $what, $mend, $offset, '');
    }

    /**
     * @internal
     */
    public static function memory(int $maxMemory, int $offset, string $path): self
    {
        $what = "the message would take more than the limit {$maxMemory} bytes of memory, by estimate";
        $mend = 'raise maxMemory if the source is trusted';

        return self::fail(ErrorCode::LimitExceeded, $what, $mend, $offset, $path);
    }

    /**
     * @internal
     */
    public static function bytes(int $least, int $maxBytes, int $offset, string $path): self
    {
        $what = "the message will have at least {$least} bytes and the limit is {$maxBytes}";
        $mend = 'raise maxBytes if the source is trusted';

        return self::fail(ErrorCode::LimitExceeded, $what, $mend, $offset, $path);
    }

    /**
     * @internal
     */
    public static function held(int $maxBytes, int $offset, string $path): self
    {
        $what = "extensions in one another hold more than the limit {$maxBytes} bytes";
        $mend = 'raise maxBytes if the source is trusted';

        return self::fail(ErrorCode::LimitExceeded, $what, $mend, $offset, $path);
    }

    /**
     * @internal
     */
    public static function bigInt(string $digits, int $offset, string $path): self
    {
        $what = "the integer {$digits} exceeds the limit 9223372036854775807";
        $mend = 'choose another BIGINT option, such as UnpackOptions::BIGINT_AS_STR';

        return self::fail(ErrorCode::OutOfRange, $what, $mend, $offset, $path);
    }

    /**
     * @internal
     */
    public static function invalidTimestamp(string $why, int $offset, string $path): self
    {
        return self::fail(ErrorCode::InvalidTimestamp, "a timestamp {$why}", 'the writer must mend it', $offset, $path);
    }

    /**
     * @internal
     */
    public static function unknownRecord(string $id, bool $isShared, int $offset, string $path): self
    {
        $what = "the record {$id} " . ($isShared ? 'is not in the dictionary either' : 'was not declared in this message');
        $mend = $isShared ? 'give the reader the dictionary of the writer' : 'the writer must declare it first';

        return self::fail(ErrorCode::UnknownRecord, $what, $mend, $offset, $path);
    }

    /**
     * @internal
     */
    public static function recordsAreOff(int $offset, string $path): self
    {
        $mend = 'pass UnpackOptions::RECORDS_INLINE to read records';

        return self::fail(ErrorCode::InvalidRecord, 'the message declares a record', $mend, $offset, $path);
    }

    /**
     * @internal
     */
    public static function invalidRecord(string $why, int $offset, string $path): self
    {
        $what = "a record declaration {$why}";

        return self::fail(ErrorCode::InvalidRecord, $what, 'the writer must mend it', $offset, $path);
    }

    /**
     * @internal
     */
    public static function otherDictionary(int $offset): self
    {
        $what = 'the message was written with another dictionary';
        $mend = 'give the reader the dictionary of the writer';

        return self::fail(ErrorCode::InvalidRecord, $what, $mend, $offset, '');
    }

    /**
     * @internal
     */
    public static function otherShapes(): self
    {
        $what = 'the store has replaced shapes of the dictionary, so nobody knows what older ids stand for';
        $mend = 'restore its content, or start over with a new SharedRecords';

        return self::fail(ErrorCode::InvalidRecord, $what, $mend, null, '');
    }

    /**
     * @internal
     */
    public static function noDictionary(\Throwable $cause): self
    {
        $what = 'the content is no dictionary, which is an array of arrays of names';

        return self::fail(ErrorCode::InvalidRecord, $what, 'see what else writes to the store', null, '', $cause);
    }

    /**
     * @internal
     */
    public static function dictionary(\Throwable $cause, bool $isLost, int $offset, string $path): self
    {
        $code = $isLost ? ErrorCode::InvalidRecord : ErrorCode::UnsupportedValue;

        return self::fail($code, 'loading the dictionary failed', 'see the previous exception', $offset, $path, $cause);
    }

    /**
     * @internal
     */
    public static function extensionFailed(object $extension, \Throwable $cause, int $offset, string $path): self
    {
        $what = \get_debug_type($extension) . '::unpackExt() failed';
        $mend = 'see the previous exception';

        return self::fail(ErrorCode::UnsupportedValue, $what, $mend, $offset, $path, $cause);
    }

    /**
     * @internal
     */
    public static function typeMismatch(string $wanted, string $found, int $offset): self
    {
        $what = "expected {$wanted} but found {$found}";

        return self::fail(ErrorCode::TypeMismatch, $what, 'unpack() reads a value of any kind', $offset, '');
    }

    /**
     * Makes the error for a message that the PHP extension can't unpack without this library. The extension has a copy
     * of this class, for programs that don't install the library.
     *
     * @internal
     */
    public static function needsLibrary(int $offset, string $path): self
    {
        $what = 'the message can be unpacked only with the library polypack/polypack';

        return self::fail(ErrorCode::UnsupportedValue, $what, 'install it with Composer', $offset, $path);
    }

    /**
     * @internal
     *
     * @param non-empty-string $what
     */
    public static function pecl(string $what, int $offset): self
    {
        return self::fail(ErrorCode::UnsupportedValue, $what, 'the input is not from the PECL extension, or damaged', $offset, '');
    }

    /**
     * @internal
     */
    public static function peclCycle(int $offset): self
    {
        $mend = 'write it without the reference to itself';

        return self::fail(ErrorCode::UnsupportedValue, 'an array contains itself by a PHP reference', $mend, $offset, '');
    }

    /**
     * Returns the name of the format that the input seems to have instead of MessagePack, such as JSON. Returns null
     * for an unknown format.
     */
    private static function kindOf(string $input): ?string
    {
        return match (1) {
            \preg_match('/^(?:\xef\xbb\xbf)?\s*[{["]/', $input) => 'JSON',
            \preg_match('/^(?:\xef\xbb\xbf)?\s*</', $input) => 'HTML or XML',
            \preg_match('/^[abidsOCE]:\d/', $input) => "PHP's serialize()",
            \preg_match('/^\x1f\x8b/', $input) => 'gzip',
            \preg_match('/^\x28\xb5\x2f\xfd/', $input) => 'Zstandard',
            (int) self::isHex(\rtrim($input)) => 'hex',
            \preg_match('/^[\t\n\r\x20-\x7e]{4}/', $input) => 'text',
            default => null,
        };
    }

    private static function isHex(string $input): bool
    {
        $length = \strlen($input);

        return $length >= 4 && $length % 2 === 0 && \strspn($input, '0123456789abcdefABCDEF') === $length;
    }
}
