<?php

declare(strict_types=1);

namespace Polypack\Tests\Support\Snapshot;

use Polypack\Exception\SnapshotFailedException;
use Polypack\Exception\SnapshotMissedException;

/**
 * Says in a word what came of reading or writing.
 */
final class Outcomes
{
    /**
     * @param \Closure(): mixed $do
     *
     * @return string as `invalid_snapshot@3 /a/0`; `ok` if nothing failed; `miss` in front of what is a miss
     */
    public static function of(\Closure $do): string
    {
        try {
            $do();
        } catch (SnapshotFailedException $failure) {
            $miss = $failure instanceof SnapshotMissedException ? 'miss ' : '';
            $offset = $failure->offset === null ? '' : "@{$failure->offset}";
            $path = $failure->path === '' ? '' : " {$failure->path}";

            return $miss . $failure->errorCode->value . $offset . $path;
        }

        return 'ok';
    }
}
