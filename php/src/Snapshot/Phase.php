<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * How far a migration has come; see Migrating. Each phase can read what the phases before and after it write.
 *
 * @api
 */
enum Phase: string
{
    /** Writes the old format and reads both: every process must be there before any goes on. */
    case OldBoth = 'old/both';
    /** Writes snapshots and reads both, until nothing old is left. */
    case NewBoth = 'new/both';
    /** Writes and reads only snapshots. */
    case NewNew = 'new/new';
}
