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
    /** JSON, with objects as arrays. While this format is written, values that JSON can't hold are refused. */
    case Json = 'json';
    /** MessagePack, as Polypack\MessagePack packs it. While this format is written, objects are refused. */
    case MessagePack = 'messagepack';
}
