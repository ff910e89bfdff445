<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * The formats that Migrating reads and writes in addition to snapshots.
 *
 * @api
 */
enum OldFormat: string
{
    /** V1, the first wire format of phpser (spec/10-snapshot.md#v1). */
    case V1 = 'phpser';
    /** The format of PHP's serialize(). */
    case Php = 'php';
    /** The format of igbinary. Needs the PHP extension igbinary. */
    case Igbinary = 'igbinary';
    /** JSON. Its objects are read as arrays. Writing refuses values that JSON would change. */
    case Json = 'json';
    /** MessagePack, as MessagePack::pack() writes it. Writing refuses values that pack() can't pack. */
    case MessagePack = 'messagepack';
}
