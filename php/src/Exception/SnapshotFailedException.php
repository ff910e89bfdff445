<?php

declare(strict_types=1);

namespace Polypack\Exception;

use Polypack\Snapshot\Failure;

/**
 * Reports a value that cannot be serialized, or bytes that cannot be unserialized (spec/10-snapshot.md#errors).
 * `errorCode` says why, `path` where in the value, and `offset` where in the bytes. When serializing, `offset` is null.
 *
 * @api
 */
class SnapshotFailedException extends \RuntimeException implements PolypackException
{
    use Fault;

    /**
     * @internal
     */
    final public static function of(Failure $failure): self
    {
        $path = Path::of($failure->trail(), 0, \count($failure->trail()));
        $class = $failure->isMiss ? SnapshotMissedException::class : self::class;

        return $class::fail($failure->errorCode, $failure->what, $failure->mend, $failure->offset, $path, $failure->getPrevious());
    }
}
