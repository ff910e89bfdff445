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
     * @return int -128 to 127, of which 0 to 127 belong to applications
     */
    public function getType(): int;

    /**
     * Unpacks the data of one ext value.
     *
     * The unpacker holds exactly these bytes: reading past them fails, and leaving some unread does no harm. What this
     * method throws becomes the cause of an `unsupported_value` at the ext value.
     *
     * @param BufferUnpacker $unpacker  an unpacker of the data alone, with the options and extensions of the caller's
     * @param int            $extLength length of the data in bytes
     *
     * @return mixed not a native type, so that classes written for other libraries need not declare one
     */
    public function unpackExt(BufferUnpacker $unpacker, int $extLength);
}
