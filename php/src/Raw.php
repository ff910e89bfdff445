<?php

declare(strict_types=1);

namespace Polypack;

use Polypack\Exception\InvalidOptionException;
use Polypack\Exception\UnpackingFailedException;

/**
 * A value that stays packed until it is needed. A packer copies it as it is, after checking that it is one value
 * within the limits. Decoder/LazyReads.php reads one value of it by its path.
 *
 * @api
 */
final class Raw
{
    /** @var array<int, int> how deep the containers nest, by (int) $ownsRecordType; see nesting() */
    private array $nesting = [];
    private readonly BufferUnpacker $unpacker;

    /**
     * @param string                                $bytes   one packed value; it is checked when it is read or packed
     * @param BufferUnpacker|UnpackOptions|int|null $options used to read the value: options, or an unpacker whose
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
     * Unpacks the one value at a path in it; see BufferUnpacker::get().
     *
     * @param mixed $default returned when there is no value at the path
     *
     * @throws UnpackingFailedException for a fault in what was read
     * @throws InvalidOptionException   when the path isn't an RFC 6901 pointer
     */
    public function get(string $path, mixed $default = null): mixed
    {
        return $this->unpacker->withBuffer($this->bytes)->get($path, $default);
    }

    /**
     * Returns the value at a path in it as it is packed; see BufferUnpacker::getRaw().
     *
     * @return ?self null when there is no value at the path
     *
     * @throws UnpackingFailedException for a fault in what was read
     * @throws InvalidOptionException   when the path isn't an RFC 6901 pointer
     */
    public function getRaw(string $path): ?self
    {
        return $this->unpacker->withBuffer($this->bytes)->getRaw($path);
    }

    /**
     * Returns how deep the containers of the value nest.
     *
     * @internal
     *
     * @param bool $ownsRecordType whether ext values of the type of records belong to an application
     *
     * @throws UnpackingFailedException for bytes that are not exactly one well-formed value
     */
    public function nesting(bool $ownsRecordType = false): int
    {
        return $this->nesting[(int) $ownsRecordType]
            ??= (new BufferUnpacker($this->bytes, limits: new Limits(maxDepth: Limits::MOST_DEPTH)))->measure($ownsRecordType);
    }

    /**
     * Returns the bytes in the form they need where records may occur: the ints 64 to 127 in two bytes
     * (spec/05-records.md#instance).
     *
     * @internal
     */
    public function widened(): string
    {
        return (new BufferUnpacker($this->bytes))->widened();
    }
}
