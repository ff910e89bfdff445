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
    /** JSON, objects as arrays; what has no JSON can't be written in the phase that writes it. */
    case Json = 'json';
    /** MessagePack, as Polypack\MessagePack packs it; objects can't be written, as above. */
    case MessagePack = 'messagepack';
}
