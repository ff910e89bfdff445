<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * The formats that Migrating reads and writes beside snapshots.
 *
 * @api
 */
enum OldFormat: string
{
    /** V1 of phpser. */
    case V1 = 'phpser';
    /** What serialize() of PHP writes. */
    case Php = 'php';
    /** What igbinary writes; needs the PHP extension. */
    case Igbinary = 'igbinary';
    /** JSON, with objects as arrays. Values that JSON can't hold can't be written while this format is written. */
    case Json = 'json';
    /** MessagePack, as Polypack\MessagePack packs it; objects can't be written, as above. */
    case MessagePack = 'messagepack';
}
