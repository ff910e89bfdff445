<?php

declare(strict_types=1);

namespace Polypack;

use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\UnpackingFailedException;

/**
 * A value that stays packed until it is needed. A packer writes the bytes as they are, but checks that they are one
 * well-formed value within maxDepth, with valid timestamps. In strict and lossless mode it also checks text and keys
 * (spec/07-errors.md#encoding), which takes as much memory as unpacking the bytes. Decoder/LazyReads.php implements
 * get() and getRaw().
 *
 * @api
 */
final class Raw
{
    /** @var array<int, int> results of nesting(), by (int) $ownsRecordType */
    private array $nesting = [];
    /** @var array<int, true> whether judge() has found no fault, by (int) $ownsRecordType */
    private array $judged = [];
    private readonly BufferUnpacker $unpacker;

    /**
     * @param string                                $bytes   one packed value; it is checked when it is read or packed
     * @param BufferUnpacker|UnpackOptions|int|null $options how to read the value: options, or an unpacker whose
     *                                                       options, extensions and limits apply. The unpacker isn't
     *                                                       changed
     *
     * @throws InvalidOptionException
     */
    public function __construct(public readonly string $bytes, BufferUnpacker|UnpackOptions|int|null $options = null)
    {
        $this->unpacker = $options instanceof BufferUnpacker ? $options : new BufferUnpacker('', $options);
    }

    /**
     * Unpacks the value.
     *
     * @throws UnpackingFailedException for bytes that are not exactly one valid value
     */
    public function unpack(): mixed
    {
        $unpacker = $this->unpacker->withBuffer($this->bytes);
        $value = $unpacker->unpack();
        $unpacker->expectEnd();

        return $value;
    }

    /**
     * Unpacks only the value at a path inside this value; see BufferUnpacker::get().
     *
     * @param mixed $default returned when there is no value at the path
     *
     * @throws UnpackingFailedException for a fault in the bytes that were read
     * @throws InvalidOptionException   when the path isn't an RFC 6901 pointer
     */
    public function get(string $path, mixed $default = null): mixed
    {
        return $this->unpacker->withBuffer($this->bytes)->get($path, $default);
    }

    /**
     * Returns the packed value at a path inside this value; see BufferUnpacker::getRaw().
     *
     * @return ?self null when there is no value at the path
     *
     * @throws UnpackingFailedException for a fault in the bytes that were read
     * @throws InvalidOptionException   when the path isn't an RFC 6901 pointer
     */
    public function getRaw(string $path): ?self
    {
        return $this->unpacker->withBuffer($this->bytes)->getRaw($path);
    }

    /**
     * Returns how deep the containers of the value nest: 0 for a scalar, 1 for an array of scalars.
     *
     * @internal
     *
     * @param bool $ownsRecordType whether ext values of type 0x72 belong to the application, so they declare no records
     *
     * @throws UnpackingFailedException for bytes that are not exactly one well-formed value, and `invalid_timestamp`;
     *                                  `limit_exceeded` beyond depth 10000
     */
    public function nesting(bool $ownsRecordType = false): int
    {
        return $this->nesting[(int) $ownsRecordType]
            ??= (new BufferUnpacker($this->bytes, limits: new Limits(maxDepth: Limits::MOST_DEPTH)))->measure($ownsRecordType);
    }

    /**
     * Checks what strict and lossless mode check on both sides: text and equal keys.
     *
     * @internal
     *
     * @param bool $ownsRecordType as in nesting()
     * @param int  $depthLeft      how many containers may be nested
     *
     * @throws UnpackingFailedException for bytes that are not exactly one valid value
     */
    public function judge(bool $ownsRecordType, int $depthLeft): void
    {
        if (!isset($this->judged[(int) $ownsRecordType])) {
            $limits = new Limits(maxDepth: \max(0, $depthLeft));
            (new BufferUnpacker($this->bytes, UnpackOptions::LOSSLESS, limits: $limits))->judge($ownsRecordType);
            $this->judged[(int) $ownsRecordType] = true;
        }
    }

    /**
     * Returns the bytes for a message that may have records. In such a message, the ints 64 to 127 take two bytes
     * (spec/05-records.md#instance).
     *
     * @internal
     */
    public function widened(): string
    {
        return (new BufferUnpacker($this->bytes))->widened();
    }
}
