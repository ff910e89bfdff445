<?php

declare(strict_types=1);

namespace Polypack\Stores;

/**
 * Keeps a dictionary for many processes: one value of bytes (spec/05-records.md#stores). All languages keep the same
 * bytes.
 *
 * What a method throws reaches the user of an unpacker as the cause of `unsupported_value`; see SharedRecords for
 * packers.
 *
 * @api
 */
interface DictionaryStore
{
    /**
     * Returns the content; null if there is none yet.
     */
    public function load(): ?string;

    /**
     * Replaces the content with $next if it is exactly $expected (null: none). This must be one atomic step, whatever
     * crashes. Returns whether it was replaced.
     */
    public function replace(?string $expected, string $next): bool;
}
