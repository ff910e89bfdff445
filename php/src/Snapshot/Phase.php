<?php

declare(strict_types=1);

namespace Polypack\Snapshot;

/**
 * The phases of a migration with Migrating. Each phase can read what the previous phase and the next phase write.
 *
 * @api
 */
enum Phase: string
{
    /**
     * Writes the old format, and reads the old format and snapshots. All processes must be in this phase before the
     * first process leaves it.
     */
    case OldBoth = 'old/both';
    /** Writes snapshots, and reads both formats. This phase can end when no bytes in the old format are left. */
    case NewBoth = 'new/both';
    /** Writes and reads only snapshots. */
    case NewNew = 'new/new';
}
