<?php

declare(strict_types=1);

namespace Polypack;

/**
 * Packs and unpacks one extension type (spec/03-extensions.md). Register it with the packer and the unpacker.
 *
 * @api
 */
interface Extension extends CanPack
{
    /**
     * @return int -128 to 127; applications may use 0 to 127
     */
    public function getType(): int;

    /**
     * Unpacks the data of one ext value.
     *
     * $unpacker holds nothing but the data. Reading past the end of the data fails, and unread bytes are ignored.
     *
     * This method may also use the outer unpacker, which is empty during the call. Afterwards, the outer unpacker
     * continues with its message, whatever this method has done to it.
     *
     * The limits of the outer message, such as maxMemory, also cover what this method unpacks with $unpacker or a copy
     * of $unpacker. This method may keep these unpackers; after the call they work like any other.
     *
     * If this method throws an UnpackingFailedException of its own, without an offset and with the code
     * `unsupported_value`, the unpacker throws a copy with the offset and path of the ext value. Any other exception
     * becomes the cause of an `unsupported_value` error.
     *
     * @param BufferUnpacker $unpacker  an unpacker of the data alone, with the options and extensions of the outer one
     * @param int            $extLength length of the data in bytes
     *
     * @return mixed the value. There is no native return type, because classes written for other libraries may lack one
     */
    public function unpackExt(BufferUnpacker $unpacker, int $extLength);
}
