<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * The phases of a migration; see Migrating. Each phase can read what the phases before and after it write.
 *
 * @api
 */
enum Phase: string
{
    /** Writes the old format and reads both. All processes must be in this phase before the first one leaves it. */
    case OldBoth = 'old/both';
    /** Writes snapshots and reads both formats, until no bytes in the old format are left. */
    case NewBoth = 'new/both';
    /** Writes and reads only snapshots. */
    case NewNew = 'new/new';
}
